import type { Page } from '@playwright/test';
import { expectNoAxeViolations } from './expectNoAxeViolations';
import { startServer, type TestServer } from './startServer';
import { expect, test } from './test';

test('one click on an empty installation starts the demo ward, whose stories are recognisable', async ({ page }) => {
  // The history of the ward, which the stories wait for, is stored in the background.
  test.slow();
  const server = await startServer();
  try {
    // Any address leads the first visitor to the choice between the demo ward and the setup.
    await page.goto(`${server.url}/patients`);
    await expect(page).toHaveURL(`${server.url}/`);
    await expect(page.getByRole('link', { name: 'Set up this installation' })).toBeVisible();
    await expectNoAxeViolations(page);
    await page.getByRole('button', { name: 'Start the demo ward' }).click();
    const row = page.getByRole('row', { name: /Nurse/ });
    await expect(row).toBeVisible();
    const [email = ''] = /\S+@\S+/.exec(await row.innerText()) ?? [];
    const password = (await row.locator('code').innerText()).trim();
    await page.getByRole('button', { name: 'Sign in as Nurse' }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    await expect(page.getByText(/simulated/i).first()).toBeVisible();
    const live = page.locator('[data-vital][data-state="live"]').first();
    await expect(live).toBeVisible();
    const before = await page.locator('main').innerText();
    await expect.poll(() => page.locator('main').innerText()).not.toBe(before);

    await test.step('the nurse signs out and in again with the password that was shown', async () => {
      await page.locator('[popovertarget="user-menu"]:not([popovertargetaction])').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page).toHaveURL(`${server.url}/sign_in`);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL(`${server.url}/dashboard`);
    });
    await expectStories(page, server);
    await test.step('the theme that the user chooses is kept', async () => {
      await page.locator('[popovertarget="user-menu"]:not([popovertargetaction])').click();
      await page.getByRole('radio', { name: 'Night' }).check();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await page.goto(`${server.url}/dashboard`);
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await expectNoAxeViolations(page);
    });
  } finally {
    await page.close();
    await server.remove();
  }
});

async function expectStories(page: Page, { url }: TestServer): Promise<void> {
  const list = await page.context().newPage();
  await list.goto(`${url}/patients`);
  const open = async (familyName: string, range: string): Promise<void> => {
    const link = list.getByRole('row').getByRole('link', { name: new RegExp(familyName) });
    await page.goto(new URL((await link.getAttribute('href')) ?? '', url).href);
    await page.getByRole('radio', { name: range, exact: true }).check({ force: true });
  };
  const state = page.locator('[data-vital]').first();

  await test.step('a steady bed moves a little', async () => {
    await open('Abara', '1 hour');
    const { lowest, highest } = await untilSpo2(page, ({ last }) => last > 0);
    expect(lowest).toBeGreaterThanOrEqual(92);
    expect(highest - lowest).toBeLessThanOrEqual(6);
  });
  await test.step('sleep apnoea dips by four points and more', async () => {
    await open('Iqbal', '1 hour');
    await untilSpo2(page, ({ lowest, highest }) => highest - lowest >= 4);
  });
  await test.step('artefacts are marked as questionable', async () => {
    await open('Dlamini', '1 hour');
    await page.getByText('Table of values').first().click();
    await expect(page.getByRole('cell', { name: /questionable/ }).first()).toBeVisible();
  });
  await test.step('a COPD patient on scale 2 stays between 86 and 92', async () => {
    await open('Grzybowska', '4 hours');
    await expect(page.getByText('88-92 % (scale 2)')).toBeVisible();
    const { lowest, highest } = await untilSpo2(page, ({ last }) => last > 0);
    expect(lowest).toBeGreaterThanOrEqual(86);
    expect(highest).toBeLessThanOrEqual(92);
  });
  await test.step('a fast desaturation drops below 85 and comes back', async () => {
    await open('Castellanos', '4 hours');
    await untilSpo2(page, ({ lowest, highest }) => lowest < 85 && highest >= 93);
  });
  await test.step('a slow deterioration falls by several points within hours', async () => {
    await open('Bianchi', '12 hours');
    await untilSpo2(page, ({ lowest, highest }) => highest >= 94 && lowest <= 91);
  });
  // These have a state once the history of the ward is stored, which the charts above waited for.
  await test.step('no patient behind a silent gateway is reporting', async () => {
    for (const name of ['Quispe', 'Rahman', 'Schneider']) {
      await open(name, '1 hour');
      await expect(state).toHaveAttribute('data-state', 'off');
    }
  });
  await test.step('a probe that fell off has no signal', async () => {
    await open('Haddad', '1 hour');
    await expect(state).toHaveAttribute('data-state', 'no-signal');
  });
  await test.step('a patient at home has a few readings a day', async () => {
    await open('Tanaka', '24 hours');
    await expect(page.getByText('At home', { exact: true }).first()).toBeVisible();
    await page.getByText('Table of values').first().click();
    const rows = page.getByRole('table', { name: /Oxygen saturation/ }).getByRole('row');
    // One every eight hours, more or less: by the time of day two to four of them, below the head.
    await expect.poll(() => rows.count(), { timeout: 300_000 }).toBeGreaterThanOrEqual(3);
    expect(await rows.count()).toBeLessThanOrEqual(5);
  });
  await list.close();
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
