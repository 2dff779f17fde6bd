import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { anotherBrowser, expect, test } from './test';
import { addDevice, addPatient, addPerson, enter, feed, ingest, openSession, send, openWard, type Site } from './ward';
import { chooseOption } from './chooseOption';
import { pressAndConfirm } from './pressAndConfirm';

let server: Site;
let session: Record<string, string>;
const nia = { email: 'nia@example.org', fname: 'Nia', lname: 'Newcomer', type: 'nurse' };
let elsewhere: number;

test.beforeAll(async () => {
  server = await openWard();
  session = await openSession(server);
  await addPatient(server, session, '1', 'Okafor');
  await addPatient(server, session, '2', 'Ilves');
  elsewhere = await addPatient(server, session, '9', 'Quist', 'South');
  const units = (await send(server, session, 'GET', '/api/v2/units')) as { items: { id: number; name: string }[] };
  await addPerson(server, session, {
    ...nia,
    unitIds: units.items.filter(({ name }) => name === 'North').map(({ id }) => id),
  });
});

test('a nurse takes over the patients without a nurse, and every screen shows it', async ({ page, browser }) => {
  await enter(page, server, nia.email);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Assignments' }).click();
  await expect(page).toHaveURL(`${server.url}/assignments`);
  await expect(page.getByText('2 of 2 patients have no nurse.')).toBeVisible();
  await page.getByRole('button', { name: 'Select the 2 without a nurse' }).click();
  await expectNoAxeViolationsDayAndNight(page);
  await page.getByRole('button', { name: 'Assign to me' }).click();
  await expect(page.getByText('Every patient has a nurse.')).toBeVisible();

  const lead = await anotherBrowser(browser);
  await enter(lead.page, server, undefined, '/assignments');
  await lead.page.getByRole('combobox', { name: 'Unit', exact: true }).selectOption('North');
  await expect(lead.page.getByLabel('Nurse of Okafor, Sam')).toContainText('Nia Newcomer');
  await expect(lead.page.getByLabel('Nurse of Okafor, Sam').locator('option:checked')).toHaveText('Nia Newcomer');
  await lead.page.getByLabel('Nurse of Okafor, Sam').selectOption('Not assigned');
  await lead.page.getByLabel('On-call physician').selectOption({ label: 'First Administrator (you)' });
  // The nurse's page shows it without a reload.
  await expect(
    page.getByText('1 of 2 patients has no nurse.').or(page.getByText('1 of 2 patients have no nurse.')),
  ).toBeVisible({
    timeout: 20_000,
  });
  await page.getByRole('button', { name: 'Next shift' }).click();
  await expect(page).toHaveURL(/shift=next/);
  await expect(page.getByText(/^Carried over from /).first()).toBeVisible();
  await expect(page.getByText(/^Not assigned since /)).toBeVisible();
  await lead.close();

  await page.goto(`${server.url}/patients?mine=true`);
  await expect(page.getByRole('row', { name: /Ilves/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Okafor/ })).toHaveCount(0);
});

test('emergency access opens every unit, notifies the administrators, and ends completely', async ({
  page,
  browser,
}) => {
  for (const id of [999_999, elsewhere]) {
    await enter(page, server, nia.email, `/patient_details?ids=${id}`);
    await expect(page.getByText(`You cannot see this patient: ${id}`)).toBeVisible();
    await expect(
      page.getByText('You see the patients of North. In an emergency you can open the other units of your site.'),
    ).toBeVisible();
  }
  await page.getByRole('main').getByRole('button', { name: 'Emergency access' }).click();
  const dialog = page.getByRole('dialog', { name: 'Emergency access' });
  await dialog.getByLabel('Reason').fill('too short');
  await dialog.getByRole('button', { name: 'Open all units for 60 minutes' }).click();
  await expect(dialog.getByText('Reason needs at least 10 characters')).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await dialog.getByLabel('Reason').fill('A cardiac arrest next door');
  await dialog.getByRole('button', { name: 'Open all units for 60 minutes' }).click();
  await expect(page.getByRole('heading', { name: 'Quist, Sam', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Actions/ })).toHaveCount(0);
  const banner = page.getByText(/Every patient of Harbour ward is open to you until/);
  await expect(banner).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expectNoAxeViolationsDayAndNight(page);

  // Another tab of the same browser: the banner is on every page.
  const other = await page.context().newPage();
  await other.goto(`${server.url}/patients`);
  await expect(other.getByText(/Every patient of Harbour ward is open to you until/)).toBeVisible();
  await expect(other.getByRole('row', { name: /Quist/ })).toBeVisible();

  const kept = await readdir(join(server.dataDir, 'outbox'));
  expect(kept.filter((name) => name.endsWith('-emergency-access.eml'))).toHaveLength(1);
  const admin = await anotherBrowser(browser);
  await enter(admin.page, server, undefined, '/admin/users');
  await expect(admin.page.getByText('One use of emergency access waits for review.')).toBeVisible();
  await admin.page.getByRole('link', { name: 'Review' }).click();
  await expect(admin.page).toHaveURL(`${server.url}/admin/emergency_access`);
  const row = admin.page.getByRole('row', { name: /Nia Newcomer/ });
  await expect(row).toContainText('A cardiac arrest next door');
  await expect(row).toContainText('still open');
  await expectNoAxeViolationsDayAndNight(admin.page);
  await row.getByRole('button', { name: /Mark as reviewed/ }).click();
  await expect(row).toContainText('First Administrator');
  await admin.close();

  await page.getByRole('button', { name: 'End now' }).click();
  for (const tab of [page, other]) {
    await expect(tab.getByText(/Every patient of Harbour ward is open to you until/)).toHaveCount(0);
    await expect(tab.getByText('Quist')).toHaveCount(0);
    await expect.poll(async () => (await tab.content()).includes('Quist')).toBe(false);
  }
  await expect(page.getByText(`You cannot see this patient: ${elsewhere}`)).toBeVisible();
  await expect(other.getByRole('row', { name: /Okafor/ })).toBeVisible();
  await other.close();
});

test('a patient who is moved away leaves the open pages of a nurse with every value', async ({ page }) => {
  const id = await addPatient(server, session, '3', 'Lindqvist');
  const token = await addDevice(server);
  const stopFeed = feed(server, token, (takenAt) => [{ patientId: id, kind: 'spo2', value: 96, takenAt }]);
  const move = async (unit: string, bed: string): Promise<void> => {
    const { version } = (await send(server, session, 'GET', `/api/v2/patients/${id}`)) as { version: number };
    await send(server, session, 'PATCH', `/api/v2/patients/${id}`, { version, location: { unit, bed } });
  };
  await enter(page, server, nia.email, `/patient_details?ids=${id}`);
  const pane = page.getByRole('region', { name: 'Lindqvist, Sam' });
  await expect(pane.locator('[data-vital]').first()).toContainText('96');
  await move('South', 'S3');
  await expect(pane.getByText('You can no longer see this patient.')).toBeVisible();
  await expect(pane.locator('[data-vital], canvas')).toHaveCount(0);
  await expect(pane).not.toContainText(/South|S3|nothing at this address/);
  await move('North', '3');
  await expect(pane.locator('[data-vital]').first()).toContainText('96');
  await move('South', 'S3');
  await pane.getByRole('link', { name: 'Back to the patients' }).click();
  await expect(page).toHaveURL(`${server.url}/patients`);

  await move('North', '3');
  const row = page.getByRole('row', { name: /Lindqvist/ });
  await expect(row).toContainText('96');
  await row.hover();
  await move('South', 'S3');
  await expect(row).toContainText('No longer in this list');
  await expect(row).not.toContainText('96');
  await page.mouse.move(0, 0);
  await expect(row).toHaveCount(0);
  stopFeed();
});

test('units are added and retired; a device is changed, its token renewed, its refused samples shown', async ({
  page,
}) => {
  await enter(page, server, undefined, '/admin/units');
  await expect(page.getByRole('row', { name: /^North/ })).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await page.getByRole('button', { name: 'Add unit' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill('north');
  await drawer.getByRole('button', { name: 'Add unit' }).click();
  await expect(drawer.getByText('Name is the name of another unit')).toBeVisible();
  await drawer.getByLabel('Name').fill('Daycase');
  await drawer.getByRole('button', { name: 'Add unit' }).click();
  await expect(page.getByText('Daycase was added.')).toBeVisible();
  await page.getByRole('button', { name: 'Open Daycase' }).click();
  await chooseOption(drawer.getByLabel('Add a person'), 'Newcomer, Nia: Nurse');
  await drawer.getByRole('button', { name: 'Add to Daycase' }).click();
  await expect(drawer.getByRole('list', { name: 'People of Daycase' })).toContainText('Nia Newcomer');
  await expectNoAxeViolationsDayAndNight(page);
  await pressAndConfirm(drawer.getByRole('button', { name: 'Retire' }), 'Retire');
  await expect(drawer.getByText(/Not retired\. Patients are in this unit or people belong to it/)).toBeVisible();
  await pressAndConfirm(drawer.getByRole('button', { name: 'Remove Nia Newcomer from Daycase' }), 'Remove');
  await expect(drawer.getByText('No one belongs to this unit.')).toBeVisible();
  await pressAndConfirm(drawer.getByRole('button', { name: 'Retire' }), 'Retire');
  await expect(page.getByText('Daycase is retired.')).toBeVisible();

  await test.step('a device is changed, its token renewed, and its refused samples are shown', async () => {
    const { token } = (await send(server, session, 'POST', '/api/v2/devices', {
      name: 'monitor 7',
      expiresInDays: 10,
    })) as { token: string };
    await ingest(server, token, [
      { mrn: 'UNKNOWN', kind: 'spo2', value: 97, takenAt: new Date().toISOString(), quality: 'good' },
    ]);
    await page.goto(`${server.url}/admin/devices`);
    await expect(page.getByRole('row', { name: /monitor 7/ })).toContainText('Valid until');
    await expectNoAxeViolationsDayAndNight(page);
    await page.getByRole('button', { name: 'Open monitor 7' }).click();
    /** The calendar lies over "Save" until the field is left. */
    const typeLastDay = async (day: string): Promise<void> => {
      const field = drawer.getByLabel('Last day of its token');
      await field.fill(day);
      await field.press('Tab');
    };
    await expect(drawer.getByText('No patient of this site has the number that it named.')).toBeVisible();
    await drawer.getByLabel('Name').fill('monitor seven');
    await typeLastDay('2020-01-01');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(drawer).toContainText('lies in the past');
    await expect(drawer.getByLabel('Name')).toHaveValue('monitor seven');
    await typeLastDay('2099-12-31');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('row', { name: /monitor seven/ })).toContainText('Valid until 01 Jan 2100, 00:00');
    await pressAndConfirm(drawer.getByRole('button', { name: 'New token' }), 'New token');
    await expect(drawer.getByRole('textbox', { name: 'Token', exact: true })).toHaveValue(/.{20,}/);
    await expectNoAxeViolationsDayAndNight(page);
    await expect(page.getByRole('row', { name: /monitor seven/ })).toContainText('Valid until 01 Jan 2100, 00:00');
  });
});
