import { readFile } from 'node:fs/promises';
import { chooseOption } from './chooseOption';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { startServer, type TestServer } from './startServer';
import { expect, test } from './test';
import { signIn } from './ward';

let server: TestServer;

test.beforeAll(async () => {
  server = await startServer({
    ADMIN_EMAIL: 'robin@example.org',
    ADMIN_PASSWORD: 'correct horse battery',
    ADMIN_TYPE: 'physician',
    SITE_NAME: 'Harbour ward',
    SITE_TIME_ZONE: 'Europe/London',
  });
});

test.afterAll(async () => {
  await server.remove();
});

test('an administrator changes the site, and reads and exports the audit log of it', async ({ page }) => {
  await signIn(page, server);
  await page.goto(`${server.url}/admin/site`);
  await expect(page.getByText('There is no backup yet.')).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  const name = 'Lighthouse';
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Minutes until the screen locks').fill('31');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('is more than 30 minutes')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue(name);
  await page.getByLabel('Minutes until the screen locks').fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved. The settings now apply to everyone.')).toBeVisible();
  await page.screenshot({ path: 'test-results/admin-site.png' });

  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Audit log' }).click();
  await expect(page).toHaveURL(`${server.url}/admin/audit`);
  await expect(page.getByRole('banner')).toContainText(name);
  await expect(page.getByRole('row', { name: /Changed the site’s settings/ }).first()).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await page.screenshot({ path: 'test-results/admin-audit.png' });
  const what = page.getByLabel('What', { exact: true });
  await what.fill('Signed in');
  await chooseOption(what, 'Signed in');
  await expect(page.getByRole('row', { name: /Changed the site’s settings/ })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Robin|First/ }).first()).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text).toMatch(/^id,at,actor,/);
  expect(text).toContain(',sign_in,');
  expect(text).not.toContain('change_site');
});
