import type { Page } from '@playwright/test';
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

test('a desaturation reaches every screen, and so does its acknowledgement', async ({ page, browser }) => {
  const { page: other, close } = await anotherBrowser(browser);
  await signIn(page, server);
  await signIn(other, server, nurse);
  await expect(row(page, 'Sample, Sam')).toContainText('High');
  await expect(row(page, 'Sample, Sam')).toContainText('North · Bed A-1 · MRN A-1');
  await expect(row(page, 'Ilves, Sam')).toContainText('High');
  await expect(row(page, 'Quist, Sam')).toHaveCount(0);
  await expectNoAxeViolationsDayAndNight(page);
  await takeBothWidths('alerts', page);
  // Drawn by the server, so that nothing below them moves when they appear.
  expect(await (await page.request.get(`${server.url}/dashboard`)).text()).toContain('data-priority="high"');

  await row(other, 'Sample, Sam')
    .getByRole('button', { name: /^Acknowledge/ })
    .click();
  for (const screen of [other, page]) {
    await expect(row(screen, 'Sample, Sam')).toContainText(/Acknowledged by Nia Newcomer, \d+ s ago/);
  }
  await row(page, 'Sample, Sam')
    .getByRole('button', { name: /^Accept/ })
    .click();
  await expect(row(other, 'Sample, Sam')).toContainText(/Accepted by First Administrator, \d+ s ago/);
  await expectNoAxeViolationsDayAndNight(other);
  await takeBothWidths('alerts-taken', other);
  await close();
});

test('a new alert moves no row under a resting pointer and is named above them', async ({ page }) => {
  await signIn(page, server);
  await expect(row(page, 'Sample, Sam')).toContainText('High');
  await expect(row(page, 'Ilves, Sam')).toContainText('High');
  const list = page.getByRole('region', { name: 'Open alerts' }).getByRole('list');
  const places = () =>
    list.getByRole('listitem').evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().top));
  const before = await places();
  await row(page, 'Ilves, Sam').hover();
  steadySpo2 = 74;
  await expect(page.getByText('1 new alert')).toBeVisible();
  await expect(page.locator('[data-news]')).toContainText(/!!!High1 new alert Quist, Sam · North · Bed A-3 · SpO2/);
  expect((await places()).slice(0, 2)).toEqual(before);
  await expect(list.getByRole('listitem').last()).toContainText('Quist, Sam');
  await expectNoAxeViolationsDayAndNight(page);
  await takeBothWidths('alerts-held', page);
  await page.mouse.move(0, 0);
  await expect(page.getByText('1 new alert')).toHaveCount(0);
  await expect(list.getByRole('listitem').first()).toContainText('Quist, Sam');
});

test('the keyboard stays with the patient whose alert it has acknowledged', async ({ page }) => {
  await signIn(page, server);
  const acknowledge = row(page, 'Sample, Sam').getByRole('button', { name: /^Acknowledge/ });
  await acknowledge.focus();
  await page.keyboard.press('Enter');
  await expect(row(page, 'Sample, Sam')).toBeFocused();
  // Nothing is pressed now: the way to Accept leads over the patient's name.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(row(page, 'Sample, Sam').getByRole('button', { name: /^Accept/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, 'Sample, Sam')).toContainText(/Accepted by First Administrator/);
  await expect(row(page, 'Ilves, Sam')).not.toContainText(/Acknowledged by|Accepted by/);
});

const row = (on: Page, name: string) =>
  on.getByRole('region', { name: 'Open alerts' }).getByRole('listitem').filter({ hasText: name });

async function takeBothWidths(name: string, page: Page): Promise<void> {
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `test-results/${name}-${width}.png` });
  }
}
