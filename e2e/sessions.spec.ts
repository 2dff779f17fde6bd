import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { countPulses, enableSound, pulsesOf } from './sound';
import { anotherBrowser, expect, test } from './test';
import {
  addDevice,
  addPatient,
  addPerson,
  emailAt,
  feed,
  openSession,
  openWard,
  send,
  signIn,
  type Site,
} from './ward';

const password = 'correct horse battery';
let server: Site;
let patientId: number;

test.describe.configure({ mode: 'serial' });
// Reading the user of a session that has ended fails and is logged.
const sessionEnded = /^Failed to (fetch the current user|update last active)/;
test.use({ expectedConsole: sessionEnded });

test.beforeAll(async () => {
  server = await openWard();
  patientId = await addPatient(server, await openSession(server), '1', 'Ashdown');
});
test('a screen locks by hand, contains no patient and no note, and unlocks by the password at the same place', async ({
  page,
}) => {
  await signIn(page, server);
  await page.goto(`${server.url}/patients`);
  await expect(page.getByText('Ashdown').first()).toBeVisible();
  await page.locator('[popovertarget="user-menu"]:not([popovertargetaction])').click();
  await page.getByRole('button', { name: 'Lock screen' }).click();
  await expect(page.getByRole('heading', { name: 'Screen locked' })).toBeVisible();
  expect(await page.content()).not.toContain('Ashdown');
  await expectNoAxeViolationsDayAndNight(page);

  await page.goto(`${server.url}/patients`);
  await expect(page.getByRole('heading', { name: 'Screen locked' })).toBeVisible();
  expect(await page.content()).not.toContain('Ashdown');
  await page.getByLabel('Password').fill('not this one');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('The password is wrong.')).toBeVisible();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page).toHaveURL(`${server.url}/patients`);
  await expect(page.getByText('Ashdown').first()).toBeVisible();

  await test.step('a note that is being typed is not there, and is there again for its author', async () => {
    await page.goto(`${server.url}/patient_details?ids=${patientId}`);
    await page.getByLabel('New note').fill('Typed just before the lock');
    await page.locator('[popovertarget="user-menu"]:not([popovertargetaction])').click();
    await page.getByRole('button', { name: 'Lock screen' }).click();
    await expect(page.getByRole('heading', { name: 'Screen locked' })).toBeVisible();
    await expect(page.getByLabel('New note')).toHaveCount(0);
    expect(await page.content()).not.toContain('Typed just before the lock');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect(page.getByLabel('New note')).toHaveValue('Typed just before the lock');
    await expect(page.getByText('Draft saved. Only you see it.')).toBeVisible();
  });
});

test('a sign-in writes the user once, never reads it again, and makes each call of its first page once', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const write = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, value) {
      if (key === 'userInfo') {
        performance.mark('userInfo written');
      }
      write.call(this, key, value);
    };
  });
  await page.goto(`${server.url}/sign_in`);
  await page.getByLabel('E-mail').fill(emailAt(server));
  await page.getByLabel('Password').fill(password);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) {
      asked.push(`${request.method()} ${pathname}${search}`);
    }
  });
  const firstPoll = page.waitForResponse(/\/api\/v2\/patients/);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await firstPoll;
  await expect(page.locator('[popovertarget="user-menu"]:not([popovertargetaction])')).toBeVisible();
  expect(asked.filter((call, index) => asked.indexOf(call) !== index)).toEqual([]);
  expect(asked.filter((call) => call.includes('getCurrentUser'))).toEqual([]);
  expect(asked).toContain('POST /api/v2/auth/sign-in');
  expect(await page.evaluate(() => performance.getEntriesByName('userInfo written').length)).toBe(1);

  await test.step('once its cookie is gone a page has no patient six seconds later, and asks to sign in', async () => {
    await page.goto(`${server.url}/patients`);
    await expect(page.getByText('Ashdown').first()).toBeVisible();
    await page.context().clearCookies({ name: 'token' });
    await expect.poll(() => page.content(), { timeout: 6_000 }).not.toContain('Ashdown');
    await expect(page).toHaveURL(`${server.url}/sign_in?next=%2Fpatients`);
    expect(await page.evaluate(() => localStorage.getItem('userInfo'))).toBeNull();
    await page.getByLabel('E-mail').fill(emailAt(server));
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${server.url}/patients`);
    await expect(page.getByText('Ashdown').first()).toBeVisible();
  });
});

test('when the owner of an alert signs out, a colleague’s browser sounds within two seconds', async ({
  page,
  browser,
}) => {
  const { page: other, close } = await anotherBrowser(browser);
  const session = await openSession(server);
  for (const [email, fname] of [
    ['owen@example.org', 'Owen'],
    ['nia@example.org', 'Nia'],
  ] as const) {
    await addPerson(server, session, { email, fname, lname: 'Newcomer', type: 'nurse', unitIds: [] });
  }
  // The owner is gone with the last session, and an invitation that is accepted begins one.
  const owen = await openSession(server, 'owen@example.org');
  await send(server, owen, 'DELETE', '/api/v2/profile/sessions', {});
  await send(server, owen, 'POST', '/api/v2/auth/sign-out', {});
  const falling = await addPatient(server, session, '2', 'Ilves');
  const stopFeed = feed(server, await addDevice(server), (takenAt) => [
    { patientId: falling, kind: 'spo2', value: 74, takenAt, quality: 'good' },
  ]);
  await countPulses(other);
  await signIn(other, server, 'nia@example.org');
  await enableSound(other);
  // The test itself, and the ten pulses of a HIGH alert.
  await expect.poll(() => pulsesOf(other)).toBeGreaterThanOrEqual(13);

  await signIn(page, server, 'owen@example.org');
  const alerts = page.getByRole('region', { name: 'Open alerts' });
  await alerts.getByRole('button', { name: /^I’m on it/ }).click();
  await expect(alerts).toContainText('Taken by you');
  await expect(other.getByRole('region', { name: 'Open alerts' })).toContainText('Taken by Owen Newcomer');
  const before = await pulsesOf(other);
  await page.getByRole('button', { name: 'Owen Newcomer' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  // It names what the owner holds and to whom it goes, and asks once more.
  await page.getByRole('button', { name: 'Sign out anyway' }).click();
  await expect.poll(() => pulsesOf(other), { timeout: 2_000, intervals: [100] }).toBeGreaterThanOrEqual(before + 10);
  await expect(other.getByRole('region', { name: 'Open alerts' })).toContainText('Owen Newcomer, signed out');
  stopFeed();
  await close();
});

test('a change of the password in one browser ends the session in the other within two seconds', async ({
  page,
  browser,
}) => {
  const { page: other, close } = await anotherBrowser(browser, sessionEnded);
  await signIn(other, server);
  const streamed = other.waitForRequest(/\/api\/v2\/events$/);
  await other.goto(`${server.url}/patients`);
  await streamed;

  await signIn(page, server);
  await page.goto(`${server.url}/profile`);
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await expect(page.getByText('(this browser)')).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('a long walk by the river');
  const changed = page.waitForResponse(/profile\/password$/);
  await page.getByRole('button', { name: 'Change the password' }).click();
  expect((await changed).status()).toBe(204);
  await expect(other).toHaveURL(/\/sign_in/, { timeout: 2_000 });
  await expect(page.getByText('Your password was changed')).toBeVisible();
  await close();
});
