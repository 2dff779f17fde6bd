import { expectNoAxeViolations } from './expectNoAxeViolations';
import { startServer, type TestServer } from './startServer';
import { expect, test } from './test';

let server: TestServer;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server.remove();
});

test('offers the first visitor the setup and the demo ward at any address', async ({ page }) => {
  await page.goto(`${server.url}/patients`);
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(page.getByRole('button', { name: 'Start the demo ward' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Set up this installation' }).click();
  await expect(page).toHaveURL(`${server.url}/setup`);
  await expectNoAxeViolations(page);
});

test('stops on SIGTERM with exit code 0 and no unfinished write', async () => {
  expect(await server.stop()).toBe(0);
  await server.start();
});
