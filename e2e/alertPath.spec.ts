import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { paths } from '../lib/paths';
import { loadSqlite } from '../server/db/loadSqlite';
import { holdWriteLock } from '../test/holdWriteLock';
import { makeTestFolder } from '../test/testFolder';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { movedClock } from './movedClock';
import type { TestServer } from './startServer';
import { anotherBrowser, expect, test } from './test';
import { addDevice, addPatient, enter, feed, openSession, signIn, startWard } from './ward';

/** The page's own calls that store something fail while the store is locked, and the page logs them. */
const expected = /^Failed to update last active/;
test.use({ expectedConsole: expected });

let server: TestServer;
let folder: string;

/** Renames a table of the running server's file. */
function renameTable(from: string, to: string): void {
  const file = new (loadSqlite())(join(server.dataDir, 'wardlight.db'));
  file.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
  file.close();
}

test.beforeAll(async () => {
  folder = makeTestFolder('clock');
  server = await startWard(movedClock(join(folder, 'ms')));
});
test.afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('every open page says within 15 s that alerts do not run, the lock screen and the wall too, and heals', async ({
  page,
  browser,
}) => {
  const bar = /^ALERTS NOT RUNNING since \d\d:\d\d:\d\d$/;
  await enter(page, server, undefined, paths.patients);
  const other = await anotherBrowser(browser, expected);
  await signIn(other.page, server);
  await other.page.getByRole('button', { name: 'First Administrator' }).click();
  await other.page.getByRole('button', { name: 'Lock screen' }).click();
  await expect(other.page.getByRole('heading', { name: 'Screen locked' })).toBeVisible();
  const wall = await anotherBrowser(browser, expected);
  await enter(wall.page, server, undefined, paths.wall);
  const screens = [page, other.page, wall.page];
  for (const open of screens) {
    await expect(open.getByText(bar)).toHaveCount(0);
  }

  // At night, when few people look.
  for (const open of screens) {
    await open.locator('html').evaluate((html) => {
      html.dataset.theme = 'dark';
    });
  }
  // The evaluation by the clock fails from its next look at the users on, and the server answers all the same.
  renameTable('user_units', 'hidden');
  const notStored = /^Nothing is stored since \d\d:\d\d(\. Look at the patients.*)?$/;
  for (const open of screens) {
    await expect(open.getByText(bar)).toBeVisible();
    await expect(open.getByText(notStored)).toHaveCount(0);
  }
  const release = await holdWriteLock(server.dataDir);
  for (const open of screens) {
    await expect(open.getByText(notStored)).toBeVisible();
  }
  const { x, width } = (await wall.page.getByRole('alert').locator('div').boundingBox()) ?? {};
  expect([x, width]).toEqual([0, wall.page.viewportSize()?.width]);
  await expect(page.getByText(/NOT LIVE/)).toHaveCount(0);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  for (const open of screens) {
    await expectNoAxeViolationsDayAndNight(open);
    await expect(open.getByText(bar)).toBeVisible();
  }

  // What was not looked at before can be looked at.
  await page.goto(`${server.url}${paths.dashboard}`);
  await expect(page.getByText(notStored)).toBeVisible();
  await expect(page.getByText(/NOT LIVE/)).toHaveCount(0);
  await page.goto(`${server.url}${paths.patients}`);
  await expect(page.getByText(bar)).toBeVisible();
  // No drawer covers it.
  await page.getByRole('button', { name: 'Add patient' }).click();
  await page.getByText(bar).click();

  await release();
  renameTable('hidden', 'user_units');
  for (const open of screens) {
    await expect(open.getByText(bar)).toBeHidden();
    await expect(open.getByText(notStored)).toBeHidden();
  }
  await other.close();
  await wall.close();
});

test('while nothing is stored every page says so, and shows numbers and alerts, marked; no alert is lost', async ({
  page,
  browser,
}) => {
  const session = await openSession(server);
  const sick = await addPatient(server, session, 'S1', 'Sick');
  const token = await addDevice(server);
  let value = 97;
  const stop = feed(server, token, (takenAt) => [{ patientId: sick, takenAt, quality: 'good', kind: 'spo2', value }]);
  await enter(page, server, undefined, paths.dashboard);
  const wall = await anotherBrowser(browser, expected);
  await enter(wall.page, server, undefined, paths.wall);
  await expect(wall.page.getByText('97')).toBeVisible();

  const release = await holdWriteLock(server.dataDir);
  value = 71;
  for (const open of [page, wall.page]) {
    await expect(open.getByText(/^Nothing is stored since/)).toBeVisible();
    await expect(open.getByText(/ALERTS NOT RUNNING|NOT LIVE/)).toHaveCount(0);
  }
  await expect(wall.page.getByText('71')).toBeVisible();
  // It covers no alert of a gateway and no clock.
  const [said, title, clock] = await Promise.all(
    [wall.page.getByText(/^Nothing is stored since/), wall.page.getByRole('heading'), wall.page.locator('time')].map(
      async (part) => await part.first().boundingBox(),
    ),
  );
  expect(said?.x).toBeGreaterThan((title?.x ?? Infinity) + (title?.width ?? Infinity));
  expect((said?.x ?? Infinity) + (said?.width ?? Infinity)).toBeLessThan(clock?.x ?? 0);
  const row = page.getByRole('listitem').filter({ hasText: 'Sick' });
  await expect(row.getByText('Not stored yet')).toBeVisible();
  for (const open of [page, wall.page]) {
    await expectNoAxeViolationsDayAndNight(open);
  }

  await release();
  await expect(row.getByText('Not stored yet')).toBeHidden();
  await expect(row).toBeVisible();
  await expect(page.getByText(/^Nothing is stored since/)).toBeHidden();
  stop();
  await wall.close();
});

test('no screen shows a negative age after the clock of the server was set back by an hour', async ({
  page,
  browser,
}) => {
  const negative = /(^|[\s(])[-\u2212\u2013]\d+ ?(ms|s|min|h|d)\b/m;
  const session = await openSession(server);
  const well = await addPatient(server, session, 'W1', 'Well');
  const sick = await addPatient(server, session, 'S2', 'Weak');
  const token = await addDevice(server);
  const stop = feed(server, token, (takenAt) =>
    [well, sick].map((patientId) => ({
      patientId,
      takenAt,
      quality: 'good',
      kind: 'spo2',
      value: patientId === sick ? 84 : 97,
    })),
  );
  const serverTime = async (): Promise<number> =>
    Number((await fetch(`${server.url}/sign_in`)).headers.get('x-server-time'));
  const expectAges = async (open: Page): Promise<void> => {
    await expect(open.locator('[data-vital][data-state="live"]').first()).toBeVisible();
    await expect(open.getByText(/(NOT LIVE|NOT RUNNING) since/).filter({ visible: true })).toHaveCount(0);
    expect(await open.locator('body').innerText()).not.toMatch(negative);
  };
  await enter(page, server, undefined, paths.patients);
  const other = await anotherBrowser(browser, expected);
  await enter(other.page, server, undefined, paths.patientDetails([sick]));
  await expectAges(page);
  await expectAges(other.page);
  await expect(page.getByText('Weak').first()).toBeVisible();

  writeFileSync(join(folder, 'ms'), String(-3_600_000));
  await expect.poll(async () => Math.abs((await serverTime()) - (Date.now() - 3_600_000))).toBeLessThan(10_000);
  // What is open goes on, and so does every page that is opened now.
  await expectAges(page);
  await expectAges(other.page);
  for (const path of [paths.dashboard, paths.patients, paths.patientDetails([sick]), paths.patientDetails([well])]) {
    await page.goto(`${server.url}${path}`);
    await expectAges(page);
  }
  // It has the same session, which is about to be locked.
  await other.close();
  await page.getByRole('button', { name: 'First Administrator' }).click();
  await page.getByRole('button', { name: 'Lock screen' }).click();
  await expect(page.getByRole('heading', { name: 'Screen locked' })).toBeVisible();
  expect(await page.locator('body').innerText()).not.toMatch(negative);
  stop();
});
