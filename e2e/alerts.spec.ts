import type { Locator, Page } from '@playwright/test';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import type { TestServer } from './startServer';
import { anotherBrowser, expect, test } from './test';
import { addDevice, addPatient, addPerson, feed, openSession, signIn, startWard } from './ward';

const nurse = 'nia@example.org';

let server: TestServer;
let stopFeed: () => void;
let steadySpo2: number;

test.beforeEach(async () => {
  server = await startWard();
  steadySpo2 = 97;
  const session = await openSession(server);
  await addPerson(server, session, { email: nurse, fname: 'Nia', lname: 'Newcomer', type: 'nurse', unitIds: [] });
  const falling = await addPatient(server, session, 'A-1', 'Sample');
  const racing = await addPatient(server, session, 'A-2', 'Ilves');
  const steady = await addPatient(server, session, 'A-3', 'Quist');
  stopFeed = feed(server, await addDevice(server), (takenAt) => [
    { patientId: falling, kind: 'spo2', value: 74, takenAt, quality: 'good' },
    { patientId: falling, kind: 'heartRate', value: 90, takenAt, quality: 'good' },
    { patientId: racing, kind: 'spo2', value: 97, takenAt, quality: 'good' },
    { patientId: racing, kind: 'heartRate', value: 155, takenAt, quality: 'good' },
    { patientId: steady, kind: 'spo2', value: steadySpo2, takenAt, quality: 'good' },
    { patientId: steady, kind: 'heartRate', value: 70, takenAt, quality: 'good' },
  ]);
});

test.afterEach(async ({ page }) => {
  // First, because a page that is still open prints that its server is gone.
  await page.close();
  stopFeed();
  await server.remove();
});

test('a desaturation reaches every screen, and so does who has it', async ({ page, browser }) => {
  const { page: other, close } = await anotherBrowser(browser);
  await open(page);
  await open(other, nurse);
  await expect(row(page, 'Sample, Sam')).toContainText('!!!74');
  await expect(row(page, 'Sample, Sam')).toContainText('North · Bed A-1 · MRN A-1');
  await expect(row(page, 'Ilves, Sam')).toContainText('!!!155');
  await expect(row(page, 'Quist, Sam')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /^Not taken yet 2/ })).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await takeBothWidths('alerts', page);
  // Drawn by the server, so that nothing below them moves when they appear.
  expect(await (await page.request.get(`${server.url}/dashboard`)).text()).toContain('data-priority="high"');

  await act(other, 'Sample, Sam', /^Acknowledge/, /Acknowledged by you, \d+ s ago/);
  await expect(row(page, 'Sample, Sam')).toContainText(/Acknowledged by Nia Newcomer, \d+ s ago/);
  await act(page, 'Sample, Sam', /^I’m on it/, /Taken by you, \d+ s ago/);
  await expect(row(other, 'Sample, Sam')).toContainText(/Taken by First Administrator, \d+ s ago/);
  await expect(row(other, 'Sample, Sam').getByRole('button', { name: /^Take over from First Admin/ })).toBeVisible();
  await expectNoAxeViolationsDayAndNight(other);
  await takeBothWidths('alerts-taken', other);

  await test.step('it can be taken back at once, and the others see that too', async () => {
    await act(page, 'Sample, Sam', /^Undo/, /Acknowledged by Nia Newcomer/);
    await expect(row(other, 'Sample, Sam')).toContainText('Acknowledged by you');
  });

  await test.step('of two who act at once the second reads who was first', async () => {
    let release: () => void = () => undefined;
    const isTaken = new Promise<void>((resolve) => (release = resolve));
    await other.route('**/api/v2/alerts/take', async (route) => {
      await isTaken;
      await route.continue();
    });
    await row(other, 'Ilves, Sam').hover();
    const take = row(other, 'Ilves, Sam').getByRole('button', { name: /^I’m on it/ });
    const sending = row(other, 'Ilves, Sam').getByRole('button', { name: /^Sending …/ });
    await expect(async () => {
      await take.click({ timeout: 1_000 });
      await expect(sending).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await act(page, 'Ilves, Sam', /^I’m on it/, /Taken by you/);
    release();
    await expect(row(other, 'Ilves, Sam').getByRole('alert')).toContainText(
      'Not done. This alert has changed. First Administrator took it.',
    );
    await expect(row(other, 'Ilves, Sam')).toContainText(/Taken by First Administrator/);
  });

  await test.step('the history says who answered and when, and where the alerts came from', async () => {
    await row(page, 'Sample, Sam')
      .getByRole('button', { name: /^More about the alert/ })
      .click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await expect(page).toHaveURL(/\/alerts\?patient=\d+$/);
    const found = page.getByRole('row', { name: /Sample, Sam/ });
    await expect(found).toHaveCount(1);
    await expect(found).toContainText(/Acknowledged after \d+.* s/);
    await expectNoAxeViolationsDayAndNight(page);
    await found.getByRole('button', { name: /^Log/ }).click();
    const log = page.getByRole('dialog', { name: 'Log of the alert' });
    await expect(log).toContainText('Raised with high priority: SpO2 very low');
    await expect(log).toContainText('Nia Newcomer acknowledged it');
    await page.keyboard.press('Escape');
    await page.getByText('Alarm budget').click();
    await expect(page.getByRole('region', { name: 'Noisiest patients' })).toContainText('Ilves, Sam');
    await expectNoAxeViolationsDayAndNight(page);
    await takeBothWidths('alarm-budget', page);
  });
  await close();
});

test('alerts that come and go move nothing under a resting pointer, and are shown above the list', async ({ page }) => {
  await open(page);
  await expect(row(page, 'Sample, Sam')).toContainText('!!!');
  await expect(row(page, 'Ilves, Sam')).toContainText('!!!');
  const list = page.getByRole('region', { name: 'Open alerts' });
  const places = () =>
    list.getByRole('listitem').evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().top));
  await row(page, 'Ilves, Sam').hover();
  const middle = await middleOf(row(page, 'Ilves, Sam'));
  const under = () =>
    page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('li')?.textContent ?? '', middle);
  const before = await places();
  steadySpo2 = 74;
  await expect(page.locator('[data-news]')).toContainText(/!!!74.*Quist, Sam.*North · Bed A-3 · MRN A-3/);
  expect([await places(), await under()]).toEqual([before, expect.stringContaining('Ilves, Sam')]);
  await expect(row(page, 'Quist, Sam')).toHaveCount(0);
  await expectNoAxeViolationsDayAndNight(page);
  await takeBothWidths('alerts-held', page);

  const session = await openSession(server, nurse);
  for (const { id, version } of await openAlerts(page)) {
    const body = { alerts: [{ id, version }] };
    await page.request.post(`${server.url}/api/v2/alerts/take`, {
      data: body,
      headers: session,
      failOnStatusCode: false,
    });
  }
  await expect(row(page, 'Ilves, Sam')).toContainText('Taken by Nia Newcomer');
  expect([(await places()).slice(0, 2), await under()]).toEqual([before, expect.stringContaining('Ilves, Sam')]);

  await page.mouse.move(0, 0);
  await expect(page.locator('[data-news]')).toHaveCount(0);
  await expect(row(page, 'Quist, Sam')).toContainText('Taken by Nia Newcomer');
});

test('by the keyboard alone: the worst patient, taken, and the focus never lost', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('heading', { name: /^Not taken yet 2/ })).toBeVisible();
  const first = page.locator('li [data-alert]').first();
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(first).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('a');
  await expect(first).toContainText('Acknowledged by you');
  await expect(first.getByRole('button', { name: /^I’m on it/ })).toBeFocused();
  await page.keyboard.press('t');
  await expect(first).toContainText('Taken by you');
  await expect(first.getByRole('button', { name: /^More/ })).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.locator('li [data-alert]').nth(1)).toBeFocused();
  await expect(page.locator('li [data-alert]').nth(1)).not.toContainText(/Acknowledged by|Taken by/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/patient_details\?ids=\d+$/);
});

/** Opens the dashboard with the pointer beside the lists: they hold still under it. */
async function open(on: Page, email?: string): Promise<void> {
  await signIn(on, server, email);
  await on.mouse.move(0, 0);
}

const row = (on: Page, name: string) =>
  on.getByRole('region', { name: 'Open alerts' }).getByRole('listitem').filter({ hasText: name });

/** Presses a button of a row and waits for what the row says then. After a move it ignores clicks for half a second. */
async function act(on: Page, name: string, button: RegExp, said: RegExp): Promise<void> {
  await row(on, name).hover();
  await expect(async () => {
    if (!said.test(await row(on, name).innerText())) {
      await row(on, name).getByRole('button', { name: button }).click({ timeout: 1_000 });
    }
    await expect(row(on, name)).toContainText(said, { timeout: 3_000 });
  }).toPass();
  await on.mouse.move(0, 0);
}

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

/** Returns the open alerts with their versions. */
async function openAlerts(page: Page): Promise<{ id: number; version: number }[]> {
  const { items } = (await (await page.request.get(`${server.url}/api/v2/alerts`)).json()) as {
    items: { id: number; version: number }[];
  };
  return items;
}

async function takeBothWidths(name: string, page: Page): Promise<void> {
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `test-results/${name}-${width}-${colorScheme}.png` });
    }
  }
}
