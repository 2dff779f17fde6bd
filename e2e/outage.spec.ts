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

test('says it in one message that moves nothing', async ({ page }) => {
  test.setTimeout(180_000);
  const places = () =>
    page.locator('main h1, main h2, header button, header a').evaluateAll((parts) =>
      parts.map((part) => {
        const { x, y } = part.getBoundingClientRect();
        return [Math.round(x), Math.round(y)];
      }),
    );
  // Next fetches the page of a link under the pointer ahead, which fails while the server is away.
  await page.mouse.move(0, 0);
  for (const width of [1280, 1366, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const before = await places();
    await server.kill();
    const message = page.getByText(/NOT LIVE since \d\d:\d\d:\d\d - last data shown\./);
    await untilSo(page, () => message.isVisible());
    await expect(page.getByText(/NOT LIVE/)).toHaveCount(1);
    await expect(page.getByText('Look at the patient and the bedside monitor.')).toBeVisible();
    await expect(page.getByText(/^Old data/).filter({ visible: true })).toHaveCount(0);
    expect(await places()).toEqual(before);
    await expect(page).toHaveTitle(/^\(NOT LIVE\) Dashboard - Wardlight$/);
    await page.screenshot({ path: `test-results/not-live-${width}.png` });
    await server.start();
    await expectLive(page);
  }
});

test('keeps the user on the page while the server is away, and opens the wanted one once it answers', async ({
  page,
}) => {
  await server.kill();
  // Before the page itself knows that the server is away.
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Patients' }).click();
  const message = page.getByText('Not reachable - opening as soon as the server answers');
  await expect(message).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await untilSo(page, () => page.getByText(/NOT LIVE since/).isVisible());
  await expect(message).toBeVisible();
  await page.screenshot({ path: 'test-results/opening-later.png' });
  await server.start();
  await expect(page).toHaveURL(`${server.url}/patients`, { timeout: backWithinMs });
  await expect(message).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Patients' })).toBeVisible();
});

test('opens nothing later for a user who stays', async ({ page }) => {
  await server.kill();
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Patients' }).click();
  await page.getByRole('button', { name: 'Stay here' }).click();
  await expect(page.getByText(/^Not reachable/)).toHaveCount(0);
  await server.start();
  await expectLive(page);
  await expect(page).toHaveURL(`${server.url}/dashboard`);
});

test('shows within 200 ms that a click was heard, however slow the server is', async ({ page }) => {
  let release = (): void => {};
  const released = new Promise<void>((settle) => {
    release = settle;
  });
  await page.route('**/_next/data/**', async (route) => {
    await released;
    await route.continue();
  });
  await page.evaluate(() => {
    const seen = new Promise<number>((settle) => {
      document.addEventListener(
        'click',
        () => {
          const clickedAt = performance.now();
          const look = (): void => {
            const bar = document.querySelector('[data-opening]');
            if (bar !== null && getComputedStyle(bar).opacity === '1') {
              settle(performance.now() - clickedAt);
            } else {
              requestAnimationFrame(look);
            }
          };
          look();
        },
        { capture: true, once: true },
      );
    });
    Object.assign(window, { seen });
  });
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Patients' }).click();
  const tookMs = await page.evaluate(() => (window as unknown as { seen: Promise<number> }).seen);
  // 150 ms by design, and the frame that shows it; on a busy machine a few frames are late.
  expect(tookMs).toBeGreaterThanOrEqual(100);
  expect(tookMs).toBeLessThan(400);
  release();
  await expect(page).toHaveURL(`${server.url}/patients`);
  await expect(page.locator('[data-opening]')).toHaveCount(0);
});

/** Moves the page's time on, a second at a time, until the condition holds. */
async function untilSo(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(() => page.clock.fastForward(1_000).then(isSo), { intervals: [100] }).toBe(true);
}

async function expectLive(page: Page): Promise<void> {
  await expect(page.getByText(/NOT LIVE since/)).toBeHidden({ timeout: backWithinMs });
  await expect(page.locator('[data-vital]').first()).toHaveAttribute('data-state', 'live', { timeout: backWithinMs });
}
