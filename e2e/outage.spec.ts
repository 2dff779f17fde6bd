import type { Page } from '@playwright/test';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPatient, openSession, signIn, startFeed, startWard } from './ward';

// The page says on the console what it cannot do, as the product specification asks.
test.use({ expectedConsole: /^Failed to update last active/ });

/** From the server's return to numbers that are live again. */
const backWithinMs = 6_000;

let server: TestServer;
let stopFeed: () => void;

test.beforeEach(async ({ page }) => {
  server = await startWard();
  const patientId = await addPatient(server, await openSession(server), 'A-1', 'Sample');
  stopFeed = startFeed(server, await addDevice(server), patientId);
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
  test.setTimeout(180_000);
  server.pause();
  await expect(page.getByText(/NOT LIVE since/)).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('[data-vital]').first()).toHaveAttribute('data-state', 'off', { timeout: 75_000 });
  server.resume();
  await expectLive(page);
});

test('is live again at once after the server was down for three minutes', async ({ page }) => {
  test.setTimeout(300_000);
  await server.kill();
  await expect(page.getByText(/NOT LIVE since/)).toBeVisible({ timeout: 20_000 });
  // The outage is as long as this, because what is promised is that no retry slows down in it.
  await page.waitForTimeout(180_000);
  await server.start();
  await expectLive(page);
});

test('goes on polling in a hidden tab, so that nothing old is shown when somebody looks again', async ({ page }) => {
  test.setTimeout(120_000);
  // A headless browser never hides a tab, so the page is told what a browser tells a hidden one.
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

async function expectLive(page: Page): Promise<void> {
  await expect(page.getByText(/NOT LIVE since/)).toBeHidden({ timeout: backWithinMs });
  await expect(page.locator('[data-vital]').first()).toHaveAttribute('data-state', 'live', { timeout: backWithinMs });
}
