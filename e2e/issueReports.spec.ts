import type { Page } from '@playwright/test';
import { reportsResponse } from '../lib/reports/schema';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { anotherBrowser, expect, test } from './test';
import { addPatient, addPerson, enter, openSession, send, openWard, type Site } from './ward';

// What the page logs of an answer that the test takes from it.
test.use({ expectedConsole: /^(Failed to fetch the|Failed to update last active)/ });

const nurse = 'nia@example.org';
const lead = 'lena@example.org';

let server: Site;
let patientId: number;

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  patientId = await addPatient(server, session, 'A-1', 'Sample');
  const { items } = (await send(server, session, 'GET', '/api/v2/units')) as { items: { id: number }[] };
  const north = items[0]?.id ?? 0;
  await addPerson(server, session, { email: nurse, fname: 'Nia', lname: 'Newcomer', type: 'nurse', unitIds: [north] });
  await addPerson(server, session, { email: lead, fname: 'Lena', lname: 'Leader', type: 'ward_lead', unitIds: [] });
});

const form = (page: Page) => page.getByRole('dialog', { name: 'Report issue' });

async function filedReports(): Promise<string[]> {
  const session = await openSession(server, lead);
  const { items } = reportsResponse.parse(await send(server, session, 'GET', '/api/v2/reports'));
  return items.map(({ title }) => title ?? '');
}

test('S1 filed by keyboard alarms the ward lead, whose triage ends the alarm and reaches the reporter', async ({
  page,
  browser,
}) => {
  await enter(page, server, nurse);
  const { page: other, close } = await anotherBrowser(browser);
  await enter(other, server, lead);

  await test.step('by keyboard alone', async () => {
    const opener = page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'Report issue' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(form(page).getByRole('radio', { name: /^S1/ })).toBeFocused();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Software');
    await page.keyboard.press('Tab');
    await page.keyboard.type('All values are grey');
    await expectNoAxeViolationsDayAndNight(page);
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'This alarms the unit now' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(form(page).getByText('North is alerted now.')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(form(page)).toBeHidden();
    await expect(opener).toBeFocused();
  });

  const alert = other.getByRole('main').getByText(/^Issue report: monitoring lost or wrong patient data/);
  await expect(alert.first()).toBeVisible();

  await test.step('the ward lead triages it', async () => {
    await other.goto(`${server.url}/reports`);
    await expect(other.getByRole('table', { name: 'Issue reports' })).toBeVisible();
    await expectNoAxeViolationsDayAndNight(other);
    await other.getByRole('button', { name: /All values are grey$/ }).click();
    const drawer = other.getByRole('dialog', { name: /All values are grey/ });
    await drawer.getByLabel('Status', { exact: true }).selectOption('Triaged');
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await expect(drawer.getByText('Status: Triaged')).toBeVisible();
    await expect(drawer.getByText('Saved', { exact: true })).toBeVisible();
    await expectNoAxeViolationsDayAndNight(other);
    await other.goto(`${server.url}/dashboard`);
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(alert).toHaveCount(0);
  });

  await test.step('its reporter reads what came of it', async () => {
    await page.goto(server.url);
    const card = page.getByRole('region', { name: 'Your issue reports' });
    await card.getByRole('link', { name: /^All values are grey: Triaged/ }).click();
    await expect(page.getByRole('dialog').getByText('Status: Triaged')).toBeVisible();
    await page.goto(server.url);
    await expect(card.getByText('No news of your reports.')).toBeVisible();
  });
  await close();
});

test('a report whose answer is lost is filed once, from a patient’s notes', async ({ page }) => {
  await enter(page, server, nurse, `/patient_details?ids=${patientId}`);
  await page.locator('[data-tour="notes"]').getByText('Issue reports', { exact: true }).click();
  await expect(page.getByText('No issue reports about this patient.')).toBeVisible();
  await page.getByRole('button', { name: 'Report issue about Sample, Sam' }).click();
  await expect(form(page).getByText('Sample, Sam, MRN A-1')).toBeVisible();
  await form(page).getByRole('radio', { name: /^S3/ }).check();
  await form(page).getByLabel('Kind').selectOption('Device');
  await form(page).getByLabel('Title').fill('Cable loose');
  let lost = 0;
  await page.route('**/api/v2/reports', async (route) => {
    if (route.request().method() === 'POST' && lost === 0) {
      lost += 1;
      // The server has it, and the page never hears so.
      await route.fetch();
      await route.abort();
    } else {
      await route.continue();
    }
  });
  await form(page).getByRole('button', { name: 'Send report' }).click();
  await expect(form(page).getByText(/It is sent again every 5 s, and filed once/)).toBeVisible();
  await expect(form(page).getByText(/^Report \d+ is sent\./)).toBeVisible();
  await form(page).getByRole('button', { name: 'Close' }).last().click();
  expect((await filedReports()).filter((title) => title === 'Cable loose')).toHaveLength(1);
  await expect(page.getByRole('list', { name: 'Issue reports about this patient' })).toContainText('Cable loose');
  await expectNoAxeViolationsDayAndNight(page);
});
