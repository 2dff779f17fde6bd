import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectNoAxeViolations, expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { startServer, type TestServer } from './startServer';
import { expect, test } from './test';
import { expectUsableControls } from './usableControls';
import { addDeviceByCommand, startReplay } from './ward';

/** An invented recording in the format of bedside numerics: a minute at 1 Hz in which both numbers change. */
function recording(): string {
  const rows = Array.from(
    { length: 60 },
    (_, second) => `${second},${70 + (second % 8)},${70 + (second % 8)},16,${93 + (second % 6)}`,
  );
  return ['Time [s], HR, PULSE, RESP, SpO2', ...rows].join('\n');
}

let server: TestServer;
let folder: string;

test.beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'wardlight-recording-'));
  writeFileSync(join(folder, 'invented.csv'), recording());
});

test.afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

test('leads a new user from an empty folder to a live ward, and withdraws values that are no longer true', async ({
  page,
}) => {
  const spo2 = page.locator('[data-vital]').first();

  await test.step('setup, by pages whose controls are all 40 px high and reached by the keyboard', async () => {
    await page.goto(server.url);
    await expectUsableControls(page);
    await page.getByRole('link', { name: 'Set up this installation' }).click();
    await expect(page).toHaveURL(`${server.url}/setup`);
    await expectUsableControls(page);
    await expectNoAxeViolations(page);
    const code = /enter the code ([A-Z0-9-]+)/.exec(server.output())?.[1] ?? '';
    await page.getByLabel('Setup code').fill('WRONG-CODE');
    await page.getByLabel('Site name').fill('Harbour ward');
    await page.getByLabel('Time zone').selectOption('Europe/London');
    await page.getByLabel('First name').fill('Robin');
    await page.getByLabel('Last name').fill('Example');
    await page.getByLabel('E-mail').fill('robin@example.org');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByLabel('You are').selectOption('physician');
    await page.getByRole('button', { name: 'Set up Wardlight' }).click();
    await expect(page.getByText('is not the code that the server printed').first()).toBeVisible();
    await page.getByLabel('Setup code').fill(code);
    await page.getByRole('button', { name: 'Set up Wardlight' }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
  });

  await test.step('sign out and in again', async () => {
    await signOut();
    await expect(page).toHaveURL(`${server.url}/sign_in`);
    await expectNoAxeViolations(page);
    await page.getByLabel('E-mail').fill('robin@example.org');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
  });

  await test.step('add a patient', async () => {
    await page.getByRole('link', { name: 'Go to Patients' }).click();
    await expect(page).toHaveURL(`${server.url}/patients`);
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Add patient' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('MRN').fill('A-1');
    await drawer.getByLabel('Family name').fill('Sample');
    await drawer.getByLabel('Given name').fill('Sam');
    await drawer.getByLabel('Date of birth').fill('1950-03-07');
    await expectNoAxeViolationsDayAndNight(page);
    await drawer.getByRole('button', { name: 'Add patient' }).click();
    await expect(page.getByRole('link', { name: /Sample/ })).toBeVisible();
    await expect(spo2).toHaveAttribute('data-state', 'none');
  });

  const token = await addDeviceByCommand(server);
  const replay = startReplay(server, token, '--mrn', 'A-1', '--loop', join(folder, 'invented.csv'));
  try {
    await test.step('numbers move', async () => {
      await expect(spo2).toHaveAttribute('data-state', 'live');
      const before = await spo2.innerText();
      await expect.poll(() => spo2.innerText()).not.toBe(before);
    });

    await test.step('the chart grows', async () => {
      await page.getByRole('checkbox', { name: /Select Sample/ }).check();
      await page.getByRole('button', { name: 'Check patient' }).click();
      await expect(page).toHaveURL(/\/patient_details\?ids=\d+/);
      await expect(page.locator('canvas').first()).toBeVisible();
      const values = page.getByRole('row');
      await page.getByText('Table of values').first().click();
      await expect.poll(() => values.count()).toBeGreaterThan(1);
      const count = await values.count();
      await expect.poll(() => values.count()).toBeGreaterThan(count);
      await expectNoAxeViolations(page);
    });
  } finally {
    replay.kill('SIGTERM');
  }

  await test.step('the feed stops and the value is withdrawn', async () => {
    await page
      .getByRole('link', { name: 'Done' })
      .or(page.getByRole('button', { name: 'Done' }))
      .click();
    await expect(page).toHaveURL(`${server.url}/patients`);
    await expect(spo2).toHaveAttribute('data-state', 'stale');
    await expect(spo2).toHaveAttribute('data-state', 'off');
    await expect(spo2).toContainText('--');
  });

  await test.step('sign out', async () => {
    await signOut();
    await expect(page).toHaveURL(`${server.url}/sign_in`);
    await page.goto(`${server.url}/patients`);
    await expect(page).toHaveURL(/\/sign_in\?next=/);
    expect(await page.evaluate(() => localStorage.getItem('userInfo'))).toBeNull();
  });

  async function signOut(): Promise<void> {
    await page.getByRole('button', { name: 'Robin Example' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
  }
});
