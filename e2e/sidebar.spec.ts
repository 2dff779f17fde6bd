import type { TestServer } from './startServer';
import { expect, test } from './test';
import { signIn, startWard } from './ward';

let server: TestServer;

test.beforeAll(async () => {
  server = await startWard();
});

test.afterAll(async () => {
  await server.remove();
});

test('no navigation folds a sidebar that the user opened, and neither does a reload', async ({ page }) => {
  await signIn(page, server);
  const toggle = page.getByRole('navigation', { name: 'Sections' }).getByRole('button');
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await page.goto(`${server.url}/patient_details?ids=1`);
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('link', { name: 'Patients' }).first().click();
  await expect(page).toHaveURL(`${server.url}/patients`);
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await page.reload();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
});
