import type { Page } from '@playwright/test';
import { expectNoAxeViolations } from './expectNoAxeViolations';
import { startServer, type TestServer } from './startServer';
import { expect, test } from './test';

let server: TestServer;
let nurse: { email: string; password: string };

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server.remove();
});

test('one click on an empty installation starts the demo ward, and its numbers move', async ({ page }) => {
  await page.goto(server.url);
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Start the demo ward' }).click();
  const row = page.getByRole('row', { name: /Nurse/ });
  await expect(row).toBeVisible();
  const [email = ''] = /\S+@\S+/.exec(await row.innerText()) ?? [];
  nurse = { email, password: (await row.locator('code').innerText()).trim() };
  await page.getByRole('button', { name: 'Sign in as Nurse' }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await expect(page.getByText(/simulated/i).first()).toBeVisible();
  const live = page.locator('[data-vital][data-state="live"]').first();
  await expect(live).toBeVisible();
  const before = await page.locator('main').innerText();
  await expect.poll(() => page.locator('main').innerText()).not.toBe(before);
});

test.describe('each story is recognisable on the screen:', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto(`${server.url}/sign_in`);
    await page.getByLabel('E-mail').fill(nurse.email);
    await page.getByLabel('Password').fill(nurse.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
  });

  test('a steady bed moves a little', async ({ page }) => {
    await openDetails(page, 'Abara', '1 hour');
    const { lowest, highest } = await untilSpo2(page, ({ last }) => last > 0);
    expect(lowest).toBeGreaterThanOrEqual(92);
    expect(highest - lowest).toBeLessThanOrEqual(6);
  });

  test('a slow deterioration falls by several points within hours', async ({ page }) => {
    await openDetails(page, 'Bianchi', '12 hours');
    await untilSpo2(page, ({ lowest, highest }) => highest >= 94 && lowest <= 91);
  });

  test('a fast desaturation drops below 85 and comes back', async ({ page }) => {
    await openDetails(page, 'Castellanos', '4 hours');
    await untilSpo2(page, ({ lowest, highest }) => lowest < 85 && highest >= 93);
  });

  test('a COPD patient on scale 2 stays between 86 and 92', async ({ page }) => {
    await openDetails(page, 'Grzybowska', '4 hours');
    await expect(page.getByText('88-92 % (scale 2)')).toBeVisible();
    const { lowest, highest } = await untilSpo2(page, ({ last }) => last > 0);
    expect(lowest).toBeGreaterThanOrEqual(86);
    expect(highest).toBeLessThanOrEqual(92);
  });

  test('sleep apnoea dips by four points and more', async ({ page }) => {
    await openDetails(page, 'Iqbal', '1 hour');
    await untilSpo2(page, ({ lowest, highest }) => highest - lowest >= 4);
  });

  test('artefacts are marked as questionable', async ({ page }) => {
    await openDetails(page, 'Dlamini', '1 hour');
    await page.getByText('Table of values').first().click();
    await expect(page.getByRole('cell', { name: /questionable/ }).first()).toBeVisible();
  });

  test('a probe that fell off has no signal', async ({ page }) => {
    await openDetails(page, 'Haddad', '1 hour');
    await expect(page.locator('[data-vital]').first()).toHaveAttribute('data-state', 'no-signal');
  });

  test('no patient behind a silent gateway is reporting', async ({ page }) => {
    for (const name of ['Quispe', 'Rahman', 'Schneider']) {
      await openDetails(page, name, '1 hour');
      await expect(page.locator('[data-vital]').first()).toHaveAttribute('data-state', 'off');
    }
  });

  test('a patient at home has a few readings a day', async ({ page }) => {
    await openDetails(page, 'Tanaka', '24 hours');
    await expect(page.getByText('At home', { exact: true }).first()).toBeVisible();
    await page.getByText('Table of values').first().click();
    const rows = page.getByRole('table', { name: /Oxygen saturation/ }).getByRole('row');
    // One every eight hours, more or less: by the time of day two to four of them, below the head.
    await expect.poll(() => rows.count(), { timeout: 90_000 }).toBeGreaterThanOrEqual(3);
    expect(await rows.count()).toBeLessThanOrEqual(5);
  });
});

test('keeps the theme that the user chooses', async ({ page }) => {
  await page.goto(`${server.url}/sign_in`);
  await page.getByLabel('E-mail').fill(nurse.email);
  await page.getByLabel('Password').fill(nurse.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await page
    .getByRole('button', { name: /Nurse|Demo/ })
    .last()
    .click();
  await page.getByRole('radio', { name: 'Night' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectNoAxeViolations(page);
});

async function openDetails(page: Page, familyName: string, range: string): Promise<void> {
  await page.goto(`${server.url}/patients`);
  // The list ignores a click for half a second after it has moved (components/alerts/useMoveGuard.ts).
  await expect(async () => {
    await page
      .getByRole('row')
      .getByRole('link', { name: new RegExp(familyName) })
      .click();
    await expect(page).toHaveURL(/patient_details/);
  }).toPass();
  await page.getByRole('radio', { name: range, exact: true }).check({ force: true });
}

interface Spo2 {
  lowest: number;
  highest: number;
  last: number;
}

/** Reads the chart's text until it says what the story promises, and returns it as numbers. */
async function untilSpo2(page: Page, isSo: (spo2: Spo2) => boolean): Promise<Spo2> {
  let seen: Spo2 = { lowest: 0, highest: 0, last: 0 };
  const read = async (): Promise<boolean> => {
    const words = (await page.getByRole('img', { name: /Oxygen saturation/ }).getAttribute('aria-label')) ?? '';
    const [, lowest, highest, last] = /SpO2 lowest (\d+) %, highest (\d+) %, last (\d+) %/.exec(words) ?? [];
    seen = { lowest: Number(lowest ?? 0), highest: Number(highest ?? 0), last: Number(last ?? 0) };
    return isSo(seen);
  };
  // The history of the ward is stored in the background: on a busy machine it takes minutes until it is there.
  await expect.poll(read, { timeout: 500_000 }).toBe(true);
  return seen;
}

test('the demo starts if a first administrator is configured, and says that this is ignored', async () => {
  const own = await startServer(
    { ADMIN_EMAIL: 'kim@example.org', ADMIN_PASSWORD: 'a long walk by the river', SITE_NAME: 'Ward of Kim' },
    ['--demo'],
  );
  try {
    await expect.poll(() => own.output()).toContain('ADMIN_EMAIL, ADMIN_PASSWORD, ADMIN_TYPE, SITE_NAME are ignored');
    expect(own.output()).toContain('Demo ward, all patients simulated');
    expect(own.output()).not.toMatch(/kim@example\.org|river/);
    // And again on the ward that exists now.
    expect(await own.stop()).toBe(0);
    await own.start();
  } finally {
    await own.remove();
  }
});
