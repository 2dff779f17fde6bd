import type { Page } from '@playwright/test';
import { expectNoAxeViolations } from './expectNoAxeViolations';
import type { TestServer } from './startServer';
import { collectFaults, expect, test } from './test';
import { addPatient, openSession, signIn, startWard } from './ward';

const password = 'correct horse battery';
let server: TestServer;

test.describe.configure({ mode: 'serial' });
// Looking for the user of a session that has ended fails, and says so.
test.use({ expectedConsole: [/Failed to fetch the current user/, /Failed to update last active/] });

test.beforeAll(async () => {
  server = await startWard();
  await addPatient(server, await openSession(server), '1', 'Ashdown');
});
test.afterAll(async () => {
  await server.remove();
});

async function inBothThemes(page: Page): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await expectNoAxeViolations(page);
  }
}

test('a screen locks by hand, holds no patient, and opens with the password where it was', async ({ page }) => {
  await signIn(page, server);
  await page.goto(`${server.url}/patients`);
  await expect(page.getByText('Ashdown').first()).toBeVisible();
  await page.locator('[popovertarget="user-menu"]').click();
  await page.getByRole('button', { name: 'Lock screen' }).click();
  await expect(page.getByRole('heading', { name: 'Screen locked' })).toBeVisible();
  expect(await page.content()).not.toContain('Ashdown');
  await inBothThemes(page);

  await page.goto(`${server.url}/patients`);
  await expect(page.getByRole('heading', { name: 'Screen locked' })).toBeVisible();
  expect(await page.content()).not.toContain('Ashdown');
  await page.getByLabel('Password').fill('not this one');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('The password is wrong.')).toBeVisible();
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page).toHaveURL(`${server.url}/patients`);
  await expect(page.getByText('Ashdown').first()).toBeVisible();
});

test('whoever changes the password in one browser is out in the other within two seconds', async ({ page, browser }) => {
  const context = await browser.newContext();
  await collectFaults(context);
  const other = await context.newPage();
  await signIn(other, server);
  const streamed = other.waitForRequest(/\/api\/v2\/events$/);
  await other.goto(`${server.url}/patients`);
  await streamed;

  await signIn(page, server);
  await page.goto(`${server.url}/profile`);
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await expect(page.getByText('(this browser)')).toBeVisible();
  await inBothThemes(page);
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('a long walk by the river');
  const changed = page.waitForResponse(/profile\/password$/);
  await page.getByRole('button', { name: 'Change the password' }).click();
  expect((await changed).status()).toBe(204);
  await expect(other).toHaveURL(/\/sign_in/, { timeout: 2_000 });
  await expect(page.getByText('Your password is changed')).toBeVisible();
  await context.close();
});
