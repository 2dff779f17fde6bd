import type { Page } from '@playwright/test';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPatient, openSession, signIn, startFeed, startWard } from './ward';

// The page logs failed calls to the console, as the product specification asks.
test.use({ expectedConsole: /^Failed to update last active/ });

/** The time from the server's return to live numbers. */
const backWithinMs = 6_000;

let server: TestServer;
let stopFeed: () => void;

test.beforeEach(async ({ page }) => {
  server = await startWard();
  const patientId = await addPatient(server, await openSession(server), 'A-1', 'Sample');
  stopFeed = startFeed(server, await addDevice(server), patientId);
  // The page's clock runs normally until a test moves it.
  await page.clock.install();
  await signIn(page, server);
  await expect(page.locator('[data-vital]').first()).toHaveAttribute('data-state', 'live');
});

test.afterEach(async () => {
  stopFeed();
  await server.remove();
});

test('says that it is not live when the server hangs for a minute, and is live again at once after', async ({
  page,
}) => {
  server.pause();
  const began = await page.evaluate(() => Date.now());
  await untilSo(page, () => page.getByText(/NOT LIVE since/).isVisible());
  const state = (): Promise<string | null> => page.locator('[data-vital]').first().getAttribute('data-state');
  await untilSo(page, async () => (await state()) === 'off');
  await untilSo(page, async () => (await page.evaluate(() => Date.now())) - began >= 60_000);
  server.resume();
  await expectLive(page);
});

test('is live again at once after the server was down for three minutes', async ({ page }) => {
  await server.kill();
  // Three minutes of the page's time. No retry may slow down in them: every five seconds one is made, and it fails.
  for (let seconds = 0; seconds < 180; seconds += 5) {
    const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/v2/patients'));
    await page.clock.fastForward(5_000);
    await refused;
  }
  await expect(page.getByText(/NOT LIVE since/)).toBeVisible();
  await server.start();
  await expectLive(page);
});

test('goes on polling in a hidden tab, so that nothing old is shown when it is visible again', async ({ page }) => {
  test.setTimeout(120_000);
  // A headless browser never hides a tab, so the test dispatches the event of a hidden one.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    Object.defineProperty(document, 'hidden', { get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await server.kill();
  await expect.poll(() => page.getByText(/NOT LIVE since/).isVisible(), { timeout: 30_000 }).toBe(true);
  await server.start();
  await expectLive(page);
});

test('keeps a drawer’s title and close button below the banner, which no drawer covers', async ({ page }) => {
  await page.goto(`${server.url}/patients`);
  await page.getByRole('button', { name: 'Add patient' }).click();
  const drawer = page.getByRole('dialog', { name: 'Add patient' });
  await expect(drawer).toBeVisible();
  await server.kill();
  const banner = page.getByRole('alert').filter({ hasText: /^NOT LIVE since/ });
  await untilSo(page, () => banner.isVisible());
  // A click fails on an element that another one covers.
  await banner.getByText(/^NOT LIVE since/).click();
  await drawer.getByText('Add patient', { exact: true }).first().click();
  await page.screenshot({ path: 'test-results/drawer-below-banner.png' });
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(drawer).toHaveCount(0);
});

test('shows no name any more from the moment in which the user signs out of a server that hangs', async ({ page }) => {
  await expect(page.getByText('Sample').first()).toBeVisible();
  await page.getByRole('button', { name: 'First Administrator' }).click();
  server.pause();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Signing out' })).toBeVisible({ timeout: 1_000 });
  expect(await page.content()).not.toContain('Sample');
  server.resume();
  await expect(page).toHaveURL(`${server.url}/sign_in`);
});

/** Moves the page's time on, a second at a time, until the condition holds. */
async function untilSo(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(() => page.clock.fastForward(1_000).then(isSo), { intervals: [100] }).toBe(true);
}

async function expectLive(page: Page): Promise<void> {
  await expect(page.getByText(/NOT LIVE since/)).toBeHidden({ timeout: backWithinMs });
  await expect(page.locator('[data-vital]').first()).toHaveAttribute('data-state', 'live', { timeout: backWithinMs });
}
