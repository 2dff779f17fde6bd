import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { settled } from './settled';
import { anotherBrowser, expect, test } from './test';
import { addPerson, enter, openNewWard, openSession, type Site } from './ward';

const nurse = 'nia@example.org';
const rulesAreOff = /No alerts will be raised\./;

let server: Site;

test.beforeAll(async () => {
  server = await openNewWard();
  await addPerson(server, await openSession(server), {
    email: nurse,
    fname: 'Nia',
    lname: 'Newcomer',
    type: 'nurse',
    unitIds: [],
  });
});

test('every page says that the rules are off, until an administrator accepts the intended use', async ({
  page,
  browser,
}) => {
  const { page: ward, close } = await anotherBrowser(browser);
  await enter(ward, server, nurse);
  const explanation =
    'No alerts will be raised.Alert rules are off on this site: an administrator has to accept the intended use first.';
  await expect(ward.locator('p').filter({ hasText: rulesAreOff })).toHaveText(explanation);
  await expectNoAxeViolationsDayAndNight(ward);
  // Drawn by the server, so that nothing below it moves when it appears.
  for (const address of ['/dashboard', '/patients', '/profile']) {
    expect(await (await ward.request.get(server.url + address)).text(), address).toContain('No alerts will be raised.');
  }

  await enter(page, server);
  await expectNoAxeViolationsDayAndNight(page);
  await page.getByRole('link', { name: 'accepted the intended use' }).click();
  await expect(page).toHaveURL(`${server.url}/admin/site`);
  await test.step('its words stay readable over a page that scrolls behind them', async () => {
    await page.getByLabel('Start of each shift').waitFor();
    const clip = { x: 0, y: 0, width: 1280, height: 40 };
    const before = await page.screenshot({ clip });
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200);
    await settled(page);
    expect(before.equals(await page.screenshot({ clip }))).toBe(true);
  });
  const statement = page.getByRole('region', { name: 'Intended use' });
  await expect(statement.getByRole('listitem')).toHaveCount(8);
  await expectNoAxeViolationsDayAndNight(page);
  await statement.getByRole('button', { name: 'Accept the intended use' }).click();
  await expect(statement.getByText(/^Accepted for this site by /)).toBeVisible();
  await expect(page.getByText(rulesAreOff)).toHaveCount(0);
  // On the ward no one touches anything.
  await expect(ward.getByText(rulesAreOff)).toHaveCount(0);
  await close();
});
