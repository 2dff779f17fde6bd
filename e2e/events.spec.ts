import { expect, test } from './test';
import { addDevice, addPatient, ingest, openSession, signIn, openWard, type Site } from './ward';

let server: Site;

test.beforeAll(async () => {
  server = await openWard();
});
// The product specification wants the failed call logged.
test.use({ expectedConsole: /^Failed to fetch the current user/ });

test('a value comes before its poll, the lamp shows how long it took, and the end of a session is seen', async ({
  page,
  context,
}) => {
  const patientId = await addPatient(server, await openSession(server), 'A-1', 'Sample');
  const token = await addDevice(server);
  const send = (value: number): Promise<number> =>
    ingest(server, token, [{ patientId, kind: 'spo2', value, takenAt: new Date().toISOString(), quality: 'good' }]);
  await send(97);

  let polls = 0;
  page.on('response', (response) => {
    polls += response.url().includes('/api/v2/patients') ? 1 : 0;
  });
  await page.clock.install();
  const stream = page.waitForResponse(`${server.url}/api/v2/events`);
  await signIn(page, server);
  expect((await stream).status()).toBe(200);
  const number = page.locator('[data-figure]').first();
  await expect(number).toHaveText('97');

  // The test moves the page's time: after this poll the next regular one is five of its seconds away.
  await page.clock.pauseAt(Date.now() + 5_000);
  const before = polls;
  await expect.poll(() => page.clock.runFor(500).then(() => polls)).toBeGreaterThan(before);
  await send(91);
  let passedMs = 0;
  const passHalfASecond = async (): Promise<string | null> => {
    passedMs += 500;
    await page.clock.runFor(500);
    return number.textContent();
  };
  await expect.poll(passHalfASecond).toBe('91');
  expect(passedMs).toBeLessThan(4_000);

  await page.clock.resume();
  await expect(page.getByText(/^Live \d+\.\d s$/)).toBeVisible();

  await test.step('the page leads to sign-in as soon as its session has ended elsewhere', async () => {
    const cookies = await context.cookies();
    const response = await fetch(`${server.url}/api/v2/auth/sign-out`, {
      method: 'POST',
      headers: {
        Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        'X-XSRF-TOKEN': cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '',
      },
    });
    expect(response.status).toBe(204);
    await expect(page).toHaveURL(`${server.url}/sign_in?next=%2Fdashboard`);
  });
});
