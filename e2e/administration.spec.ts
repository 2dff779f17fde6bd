import { readFile } from 'node:fs/promises';
import { chooseOption } from './chooseOption';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { pressAndConfirm } from './pressAndConfirm';
import { anotherBrowser, expect, test } from './test';
import { addPerson, emailAt, enter, firstSiteOf, openNewWard, openSession, type Site } from './ward';

let server: Site;

test.beforeAll(async () => {
  // Not on the server where a spec makes its site that of a demo, which gets no other beside it.
  server = await openNewWard('hl7');
});

test('an administrator changes the site, and reads and exports the audit log of it', async ({ page }) => {
  await enter(page, server, undefined, '/admin/site');
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

  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Audit log' }).click();
  await expect(page).toHaveURL(`${server.url}/admin/audit`);
  await expect(page.getByRole('banner')).toContainText(name);
  await expect(page.getByRole('row', { name: /Changed the site’s settings/ }).first()).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  const what = page.getByLabel('What', { exact: true });
  await what.fill('Signed in');
  await chooseOption(what, 'Signed in');
  await expect(page.getByRole('row', { name: /Changed the site’s settings/ })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Robin|First/ }).first()).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  // A spreadsheet reads the byte order mark: without it names are garbled.
  expect(text).toMatch(/^\uFEFFid,at,actor,/);
  expect(text).toContain(',sign_in,');
  expect(text).not.toContain('change_site');
});

test('a physician proposes a limit, and a ward lead approves it on another browser', async ({ page, browser }) => {
  const session = await openSession(server);
  for (const [name, fname] of [
    ['lead', 'Noor'],
    ['second', 'Kim'],
  ] as const) {
    const email = `${name}@example.org`;
    await addPerson(server, session, { email, fname, lname: 'Example', type: 'ward_lead', unitIds: [] });
  }
  await enter(page, server);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Alert settings' }).click();
  await expect(page.getByRole('heading', { name: 'Alert settings' })).toBeVisible();
  const limit = page.getByRole('row', { name: /^SpO2 low, scale 1/ });
  await expect(limit).toContainText('< 88 %');
  await expectNoAxeViolationsDayAndNight(page);

  await limit.getByRole('button', { name: 'Propose' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Low limit').fill('93');
  await drawer.getByLabel('Reason').fill('As the ward agreed');
  await drawer.getByRole('button', { name: 'Propose' }).click();
  await expect(drawer.getByText('is not a whole number from 80 to 92')).toBeVisible();
  await drawer.getByLabel('Low limit').fill('90');
  await drawer.getByRole('button', { name: 'Propose' }).click();
  await expect(page.getByText('Proposed. The old limits hold until someone else approves.')).toBeVisible();
  await expect(limit).toContainText('< 90 %');
  await expect(page.getByRole('button', { name: /^Approve/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Propose times' }).click();
  await drawer
    .getByRole('group', { name: /^HIGH on the ward/ })
    .getByLabel('Step 1')
    .fill('45');
  await drawer.getByLabel('Reason').fill('Night shifts are short of staff');
  await drawer.getByRole('button', { name: 'Propose' }).click();
  await expect(page.getByText('HIGH on the ward, buddy and charge nurse: 60 s → 45 s')).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);

  const { page: other, close } = await anotherBrowser(browser);
  await enter(other, server, 'lead@example.org');
  await other.goto(`${server.url}/alert_settings`);
  const card = other.getByRole('listitem', { name: 'SpO2 low, scale 1' });
  await expect(card).toContainText('As the ward agreed');
  await pressAndConfirm(card.getByRole('button', { name: 'Approve' }), 'Approve');
  await expect(other.getByText('Approved: SpO2 low, scale 1. It holds now.')).toBeVisible();
  await other.getByRole('button', { name: 'Reject Escalation times' }).click();
  await other.getByRole('dialog').getByLabel('Reason').fill('Too many calls at night');
  await other.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await expect(other.getByText('Rejected: Escalation times. Nothing has changed.')).toBeVisible();
  await close();

  // The first browser learns it by its next poll.
  await expect(page.getByText(/Your proposal: SpO2 low, scale 1\. Approved by Noor Example/)).toBeVisible();
  await expect(page.getByText(/Your proposal: Escalation times\. Rejected by Noor Example/)).toBeVisible();
  await expect(limit).toContainText('Noor Example');
});

test('an administrator of the first site adds a site, whose own one finds it empty', async ({ page, browser }) => {
  const first = firstSiteOf(server);
  await enter(page, first);
  await page.goto(`${server.url}/admin/users`);
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('link', { name: 'Sites', exact: true })
    .click();
  await expect(page).toHaveURL(`${server.url}/admin/sites`);
  const ann = emailAt(server, 'ann@example.org');
  const sites = page.getByRole('table', { name: 'Sites' });
  await expect(sites.getByRole('row', { name: /^The first site \(yours\) UTC/ })).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);

  const link = await test.step('they add the site', async () => {
    await page.getByRole('button', { name: 'Add site' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').fill('Mountain ward');
    const zone = drawer.getByLabel('Time zone');
    await zone.fill('Europe/Oslo');
    await chooseOption(zone, 'Europe/Oslo');
    await drawer.getByLabel('E-mail of its first administrator').fill(ann);
    await drawer.getByRole('button', { name: 'Add site' }).click();
    const shown = drawer.getByLabel(`Invitation for ${ann} as administrator of Mountain ward`);
    await expect(shown).toHaveValue(/\/sign_up#invitation=/);
    await expectNoAxeViolationsDayAndNight(page);
    const value = await shown.inputValue();
    await drawer.getByLabel('Name').fill(' mountain WARD');
    await drawer.getByLabel('E-mail of its first administrator').fill(emailAt(server, 'bo@example.org'));
    await drawer.getByRole('button', { name: 'Add site' }).click();
    await expect(drawer.getByText('Name is the name of another site')).toBeVisible();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Close anyway' }).click();
    await expect(sites.getByRole('row', { name: /^Mountain ward Europe\/Oslo .* None yet/ })).toBeVisible();
    return value;
  });

  const { page: theirs, close } = await anotherBrowser(browser);
  await test.step('its administrator signs up and sees nothing of the first', async () => {
    await theirs.goto(link);
    await expect(theirs.getByText('Mountain ward')).toBeVisible();
    await theirs.getByLabel('First name').fill('Ann');
    await theirs.getByLabel('Last name').fill('North');
    await theirs.getByLabel('Password').fill('harbour lamp seven violins');
    await theirs.getByRole('button', { name: 'Sign up' }).click();
    await expect(theirs.getByRole('banner').getByRole('button', { name: 'Ann North' })).toBeVisible();
    await theirs.goto(`${server.url}/admin/users`);
    await expect(theirs.getByRole('banner')).toContainText('Mountain ward');
    const rows = theirs.getByRole('table', { name: 'Users' }).getByRole('row');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText('North, Ann (you)');
    await expect(theirs.getByRole('link', { name: 'Sites', exact: true })).toHaveCount(0);
    const sections = theirs.getByRole('navigation', { name: 'Administration' });
    await sections.getByRole('link', { name: 'Units' }).click();
    await expect(theirs.getByText('This site has no units yet.')).toBeVisible();
    await sections.getByRole('link', { name: 'Audit log' }).click();
    await expect(theirs.getByRole('row', { name: /Added a site/ })).toBeVisible();
    await expect(theirs.getByText('Changed the site’s settings')).toHaveCount(0);
    await theirs.goto(`${server.url}/admin/sites`);
    await expect(theirs.getByText('administrators of the first site of this installation')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(theirs);
  });
  await close();

  await page.reload();
  await expect(sites.getByRole('row', { name: /^Mountain ward .* 1\s*$/ })).toBeVisible();
});
