import type { BrowserContext, Page } from '@playwright/test';
import { createdCheckInLink } from '../lib/checkIn/linkSchema';
import { symptomReportsResponse } from '../lib/symptoms/schema';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { expectReadableOnPhone } from './expectReadableOnPhone';
import { expect, test } from './test';
import { addPatient, enter, openSession, send, openWard, type Site } from './ward';

let server: Site;
let session: Record<string, string>;
let patientId: number;

test.beforeAll(async () => {
  server = await openWard();
  session = await openSession(server);
  const { version } = (await send(server, session, 'GET', '/api/v2/admin/site')) as { version: number };
  await send(server, session, 'PATCH', '/api/v2/admin/site', { version, emergencyNumber: '112' });
  patientId = await addPatient(server, session, 'A-1', 'Sample');
});

async function newLink(): Promise<string> {
  const made = await send(server, session, 'POST', `/api/v2/patients/${patientId}/check-in-links`, { for: 'patient' });
  return new URL(createdCheckInLink.parse(made).address).hash;
}

/** Opens a phone of its own, 360 wide. */
async function phone(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height: 740 });
  return page;
}

async function openLink(page: Page, hash: string, year = '1950'): Promise<void> {
  await page.goto(`${server.url}/check_in${hash}`);
  await page.getByLabel('The patient’s year of birth').fill(year);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const form = (page: Page) => page.getByRole('heading', { name: /^This check-in is for S/ });
const advice = (page: Page) => page.getByText('Call 112 now. Do not wait for us.');

test('a check-in with a danger sign advises at once, and is on the ward within 2 s, as a call for help is', async ({
  page: ward,
  context,
}) => {
  // Before it the page asks every 5 s.
  const stream = ward.waitForResponse('**/api/v2/events*');
  await enter(ward, server);
  await stream;
  const page = await phone(context);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await openLink(page, await newLink());
  await expect(form(page)).toBeVisible();
  expect(page.url()).toBe(`${server.url}/check_in`);
  await expectReadableOnPhone(page);

  await page.getByRole('checkbox', { name: 'Blue lips or face' }).check();
  await expect(advice(page)).toBeInViewport();
  await expect(page.getByRole('link', { name: 'Call 112', exact: true })).toHaveAttribute('href', 'tel:112');
  expect(sent.filter((path) => path.endsWith('/reports'))).toEqual([]);
  await expectReadableOnPhone(page);

  const alert = ward.getByRole('main').getByText(/Blue lips or face/);
  await expect(alert).toHaveCount(0);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(alert.first()).toBeVisible({ timeout: 2_000 });
  await expect(page.getByRole('heading', { name: /^Sent/ })).toBeVisible();
  await expect(advice(page)).toBeInViewport();
  await expectReadableOnPhone(page);
  // No session, no stream and no poll of the ward's own pages.
  expect(sent.filter((path) => path.startsWith('/api/') && !path.startsWith('/api/v2/check-in/'))).toEqual([]);

  await test.step('"call me" raises an alert of its own at once', async () => {
    const caller = await phone(context);
    await openLink(caller, await newLink());
    await caller.getByRole('button', { name: 'I need help - call me' }).click();
    const called = ward.getByRole('main').getByText(/Call requested from home/);
    await expect(called).toHaveCount(0);
    await expectReadableOnPhone(caller);
    await caller.getByRole('button', { name: 'Yes, call me' }).click();
    await expect(called.first()).toBeVisible({ timeout: 2_000 });
    await expect(caller.getByText(/^Your ward got your request at/)).toBeVisible();
    await expectReadableOnPhone(caller);
  });
});

test('without a connection it is kept without a name, and sent once when the link is opened again', async ({
  context,
}) => {
  const hash = await newLink();
  const before = await reports();
  const page = await phone(context);
  await openLink(page, hash);
  await expect(form(page)).toBeVisible();
  await context.setOffline(true);
  await page.getByLabel('Oxygen (SpO2)').fill('84');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Not sent yet' })).toBeVisible();
  await expect(page.getByText(/Kept on this phone until/)).toBeVisible();
  await expect(advice(page)).toBeInViewport();
  await expectReadableOnPhone(page);
  const kept = await page.evaluate(readKept);
  expect(kept).toContain('"spo2":84');
  for (const hidden of [hash.slice(1), 'Sam', 'Sample', '1950', 'A-1']) {
    expect(kept).not.toContain(hidden);
  }

  await page.getByRole('button', { name: 'I need help - call me' }).click();
  await page.getByRole('button', { name: 'Yes, call me' }).click();
  await expect(page.getByText(/This did not reach your ward/)).toBeVisible();
  await expectReadableOnPhone(page);

  await page.close();
  await context.setOffline(false);
  const again = await phone(context);
  await openLink(again, hash);
  await expect(again.getByText(/^Your check-in of .* has reached your ward\.$/)).toBeVisible();
  await expect.poll(async () => await again.evaluate(readKept)).toBe('[]');
  await again.close();
  expect(await reports()).toBe(before + 1);

  await test.step('also if its link is opened twice at once', async () => {
    const second = await newLink();
    const stored = await reports();
    const other = await phone(context);
    await openLink(other, second);
    await expect(form(other)).toBeVisible();
    await context.setOffline(true);
    await other.getByLabel('Oxygen (SpO2)').fill('95');
    await other.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(other.getByText(/Kept on this phone until/)).toBeVisible();
    await other.close();
    await context.setOffline(false);
    const tabs = [await phone(context), await phone(context)];
    await Promise.all(tabs.map((tab) => openLink(tab, second)));
    // Both stay open: one that is closed before its answer leaves the row for the next visit, as it must.
    for (const tab of tabs) {
      await expect.poll(async () => await tab.evaluate(readKept)).toBe('[]');
    }
    expect(await reports()).toBe(stored + 1);
  });
});

async function reports(): Promise<number> {
  const answer = await send(server, session, 'GET', `/api/v2/patients/${patientId}/symptoms`);
  return symptomReportsResponse.parse(answer).total;
}

/** Returns what the phone keeps, as text. It runs in the page. */
async function readKept(): Promise<string> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('wardlight-check-in', 1);
    request.onsuccess = () => {
      resolve(request.result);
    };
  });
  const rows = await new Promise<unknown>((resolve) => {
    const request = database.transaction('checkIns').objectStore('checkIns').getAll();
    request.onsuccess = () => {
      resolve(request.result);
    };
  });
  database.close();
  return JSON.stringify(rows);
}

test('five wrong years lock a link, which staff see; they make one that is shown once, and revoke it', async ({
  page,
  context,
}) => {
  await test.step('five wrong years lock a link, which then opens for no one', async () => {
    const hash = await newLink();
    const phoned = await phone(context);
    await openLink(phoned, hash, '1949');
    await expect(phoned.getByText(/You can try 4 more times/)).toBeVisible();
    await expectReadableOnPhone(phoned);
    for (const left of ['3 more times', '2 more times', '1 more time', 'link is locked']) {
      await phoned.getByRole('button', { name: 'Continue' }).click();
      await expect(phoned.getByText(left)).toBeVisible();
    }
    // No other year leads on, and a call for help still reaches the ward.
    await expect(phoned.getByRole('button', { name: 'Continue' })).toHaveCount(0);
    await expectReadableOnPhone(phoned);
    await phoned.getByRole('button', { name: 'I need help - call me' }).click();
    await phoned.getByRole('button', { name: 'Yes, call me' }).click();
    await expect(phoned.getByText('Your ward got your request.')).toBeVisible();
    const other = await phone(context);
    await openLink(other, hash);
    await expect(other.getByText(/^This link does not work/)).toBeVisible();
    await expectReadableOnPhone(other);
  });

  await enter(page, server, undefined, `/patient_details?ids=${patientId}`);
  await page.getByRole('button', { name: 'Actions for Sample, Sam' }).click();
  await page.getByRole('menuitem', { name: 'Check-in link' }).click();
  const drawer = page.getByRole('dialog', { name: /^Check-in link: Sample, Sam · MRN / });
  await expect(drawer.getByText(/after too many wrong years of birth/)).toBeVisible();
  await drawer.getByRole('button', { name: 'New link' }).click();
  const field = drawer.getByLabel(/^Link for Sample, Sam/);
  await expect(field).toHaveValue(/\/check_in#[\w-]{43}$/);
  const address = await field.inputValue();
  await expectNoAxeViolationsDayAndNight(page);

  const patient = await phone(context);
  await openLink(patient, new URL(address).hash);
  await expect(form(patient)).toBeVisible();

  await drawer
    .getByRole('button', { name: /^Revoke the link/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click();
  await expect(drawer.getByText(/^Revoked/).first()).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await patient.getByRole('checkbox', { name: /seizure/ }).check();
  await patient.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(patient.getByText(/this link does not work any more/)).toBeVisible();
  await expect(patient.getByRole('checkbox', { name: /seizure/ })).toBeChecked();
  await expectReadableOnPhone(patient);
});

test('a check-in that was entered in error takes its readings off the page, and withdraws what they raised', async ({
  page,
}) => {
  // Of a patient of its own: with another red reading of the same patient the alert would be about that one too.
  const id = await addPatient(server, session, 'A-2', 'Mistaken');
  const made = await send(server, session, 'POST', `/api/v2/patients/${id}/check-in-links`, { for: 'patient' });
  const { secret } = createdCheckInLink.parse(made);
  const at = new Date().toISOString();
  const readings = { spo2: 83 };
  const body = { secret, yearOfBirth: 1950, clientId: crypto.randomUUID(), sentAt: at, reportedAt: at, readings };
  const sent = await fetch(`${server.url}/api/v2/check-in/reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(body),
  });
  expect(sent.status).toBe(201);
  await enter(page, server, undefined, `/patient_details?ids=${id}`);
  const pane = page.getByRole('region', { name: /^Mistaken/ }).first();
  const value = pane.getByText('83', { exact: true }).first();
  await expect(value).toBeVisible();
  await expect(pane.getByText(/SpO2.*83 %/).first()).toBeVisible();
  await pane.getByText('Reports', { exact: true }).click();
  await pane
    .getByRole('listitem')
    .filter({ hasText: 'SpO2 83 %' })
    .getByRole('button', { name: /^Mark as entered in error: report/ })
    .click();
  const drawer = page.getByRole('dialog', { name: /^Entered in error/ });
  await expect(drawer.getByText(/Its readings are withdrawn too/)).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await drawer.getByRole('button', { name: 'Mark as entered in error' }).click();
  await expect(drawer.getByText(/is required|is missing|Enter/i).first()).toBeVisible();
  await drawer.getByLabel('What is wrong with it').fill('Of another person');
  await drawer.getByRole('button', { name: 'Mark as entered in error' }).click();
  await expect(drawer).toHaveCount(0);
  await expect(pane.getByText(/Withdrawn: values were corrected/).first()).toBeVisible({ timeout: 10_000 });
  await expect(value).toHaveCount(0, { timeout: 10_000 });
  await expect(pane.getByText(/Entered in error: Of another person/)).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
});
