import type { Page } from '@playwright/test';
import { expectNoAxeViolations } from './expectNoAxeViolations';
import { startServer } from './startServer';
import { expect, test } from './test';

test('one click on an empty installation starts the demo ward, where a story is recognisable', async ({ page }) => {
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
    await test.step('a story can be recognised', async () => {
      await expectStory(page);
    });
    await test.step('the theme that the user chooses is kept', async () => {
      await page.locator('[popovertarget="user-menu"]:not([popovertargetaction])').click();
      await page.getByRole('radio', { name: 'Night' }).check();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await expectNoAxeViolations(page);
    });
  } finally {
    await page.close();
    await server.remove();
  }
});

/** One story of the cast, by its chart; that all play theirs is simulator/simulator.test.ts. */
async function expectStory(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: 'Go to Patients' })
    .or(page.getByRole('link', { name: 'Patients', exact: true }))
    .first()
    .click();
  // After a move the list ignores a click for half a second.
  await expect(async () => {
    if (!page.url().includes('/patient_details')) {
      await page.getByRole('row').getByRole('link', { name: /Iqbal/ }).click({ timeout: 5_000 });
    }
    await expect(page).toHaveURL(/patient_details/, { timeout: 5_000 });
  }).toPass();
  await page.getByRole('radio', { name: '1 hour', exact: true }).check({ force: true });
  // Sleep apnoea dips by four points and more.
  await untilSpo2(page, ({ lowest, highest }) => highest - lowest >= 4);
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
    expect(await own.stop()).toBe(0);
  } finally {
    await own.remove();
  }
});
