import { expect, test } from './test';
import { signIn, openWard, type Site } from './ward';

let server: Site;

test.beforeAll(async () => {
  server = await openWard();
});

test('an unknown address has the shell of a signed-in user, whose sidebar stays open, and none without', async ({
  page,
}) => {
  const unknown = `${server.url}/no/such/page`;
  const alone = await page.goto(unknown);
  expect(alone?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toHaveCount(0);

  await signIn(page, server);
  const toggle = page.getByRole('navigation', { name: 'Sections' }).locator('button[aria-expanded]');
  await toggle.click();
  for (const address of [unknown, `${server.url}/404`]) {
    const response = await page.goto(address);
    expect(response?.status()).toBe(404);
    expect(await response?.text()).toContain('aria-expanded="true"');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page.locator('[popovertarget="user-menu"]:not([popovertargetaction])')).toBeVisible();
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  }
  await page.getByRole('link', { name: 'Go to the start' }).click();
  await expect(page).not.toHaveURL(/404|no\/such/);
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator('[popovertarget="user-menu"]:not([popovertargetaction])')).toBeVisible();

  await test.step('a sidebar that the user opened stays open over navigations and a reload', async () => {
    await toggle.click();
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
});
