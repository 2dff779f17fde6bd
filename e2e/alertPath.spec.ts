import { holdWriteLock } from '../test/holdWriteLock';
import { expectNoAxeViolations } from './expectNoAxeViolations';
import type { TestServer } from './startServer';
import { anotherBrowser, expect, test } from './test';
import { signIn, startWard } from './ward';

/** The page's own calls that store something fail while the store is locked, and the page logs them. */
const expected = /^Failed to update last active/;
test.use({ expectedConsole: expected });

let server: TestServer;

test.beforeEach(async () => {
  server = await startWard();
});
test.afterEach(async ({ page }) => {
  await page.close();
  await server.remove();
});

test('every open page says within 15 s that alerts do not run, the lock screen too, and heals', async ({
  page,
  browser,
}) => {
  const bar = /^ALERTS NOT RUNNING since \d\d:\d\d:\d\d$/;
  await signIn(page, server);
  await page.goto(`${server.url}/patients`);
  const other = await anotherBrowser(browser, expected);
  await signIn(other.page, server);
  await other.page.getByRole('button', { name: 'First Administrator' }).click();
  await other.page.getByRole('button', { name: 'Lock screen' }).click();
  await expect(other.page.getByRole('heading', { name: 'Screen locked' })).toBeVisible();
  for (const open of [page, other.page]) {
    await expect(open.getByText(bar)).toHaveCount(0);
  }

  // The evaluation by the clock fails from now on, and the server answers all the same.
  const release = await holdWriteLock(server.dataDir);
  for (const open of [page, other.page]) {
    await expect(open.getByText(bar)).toBeVisible({ timeout: 15_000 });
  }
  await expect(page.getByText(/NOT LIVE/)).toHaveCount(0);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  await expectNoAxeViolations(page);
  await page.screenshot({ path: 'test-results/alerts-not-running.png' });
  await other.page.screenshot({ path: 'test-results/alerts-not-running-locked.png' });

  // No drawer covers it.
  await page.getByRole('button', { name: 'Add patient' }).click();
  await page.getByText(bar).click();

  await release();
  for (const open of [page, other.page]) {
    await expect(open.getByText(bar)).toBeHidden({ timeout: 10_000 });
  }
  await other.close();
});
