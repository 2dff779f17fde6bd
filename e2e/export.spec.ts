import { readFile } from 'node:fs/promises';
import type { Download, Page, Route } from '@playwright/test';
import { parseCsv } from '../test/parseCsv';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { expect, test } from './test';
import { addDevice, addPatient, enter, ingest, openSession, openWard, send, type Site } from './ward';

// What the page logs while the server is away.
test.use({ expectedConsole: /^Failed to (fetch|update)/ });

const password = 'correct horse battery';

let server: Site;
let patientId: number;

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  patientId = await addPatient(server, session, 'A-1', 'Sample');
  const others = await addPatient(server, session, 'A-2', 'Other');
  const token = await addDevice(server);
  const at = Date.now();
  const samples = [patientId, others].flatMap((id) =>
    [97, 91].map((value, place) => ({
      patientId: id,
      kind: 'spo2',
      value: id === patientId ? value : 88,
      takenAt: new Date(at + place).toISOString(),
      quality: 'good',
    })),
  );
  expect(await ingest(server, token, samples)).toBe(200);
  const { id: authorId } = (await send(server, session, 'GET', '/api/user/getCurrentUser')) as { id: number };
  const note = (await send(server, session, 'POST', `/api/v2/patients/${patientId}/notes`, {
    ...{ clientId: crypto.randomUUID(), authorId, type: 'medical', text: '=1+1' },
  })) as { id: number; version: number };
  await send(server, session, 'POST', `/api/v2/notes/${note.id}/sign`, { version: note.version });
});

const drawer = (page: Page) => page.getByRole('dialog', { name: /^Export: Sample, Sam · MRN A-1 · born / });

async function open(page: Page): Promise<void> {
  await enter(page, server, undefined, `/patient_details?ids=${patientId}`);
  await page.getByRole('button', { name: 'Actions for Sample, Sam' }).click();
  await page.getByRole('menuitem', { name: 'Export' }).click();
  await expect(drawer(page).getByRole('checkbox', { name: 'Vital signs' })).toBeFocused();
}

async function rowsOf(downloads: readonly Download[], kind: string): Promise<Record<string, string>[]> {
  const file = downloads.find((one) => one.suggestedFilename().startsWith(`patient-${patientId}-${kind}-`));
  const text = await readFile((await file?.path()) ?? '', 'utf8');
  const [head = [], ...rows] = parseCsv(text.slice(1));
  expect(rows.pop(), 'the end of the last line').toEqual(['']);
  return rows.map((row) => Object.fromEntries(row.map((cell, place) => [head[place] ?? '', cell])));
}

test('a patient’s files are saved, cancelled midway, and ask for the password when it was given too long ago', async ({
  page,
}) => {
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  await open(page);
  await expectNoAxeViolationsDayAndNight(page);
  const press = (name: string) => drawer(page).getByRole('button', { name, exact: true }).click();

  await test.step('nothing is saved of a file that is cancelled', async () => {
    let held: Route | null = null;
    await page.route('**/export?*', (route) => {
      held = route;
    });
    await press('Export');
    await expect(drawer(page).getByText('Vital signs: 0 rows')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await expect.poll(() => held).not.toBeNull();
    await press('Cancel');
    await expect(drawer(page).getByText(/^Cancelled\./)).toBeVisible();
    await expect(drawer(page).getByRole('button', { name: 'Export' })).toBeFocused();
    await page.unroute('**/export?*');
    expect(downloads).toEqual([]);
  });

  await test.step('a file of each kind holds this patient and no other', async () => {
    await press('Export');
    await expect(drawer(page).getByText('4 files were given to the browser to save.')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await expect.poll(() => downloads.length).toBe(4);
    const vitals = await rowsOf(downloads, 'vitals');
    expect(vitals.map(({ mrn, kind, unit, value }) => [mrn, kind, unit, value])).toEqual([
      ['A-1', 'spo2', '%', '97'],
      ['A-1', 'spo2', '%', '91'],
    ]);
    expect((await rowsOf(downloads, 'notes')).map(({ mrn, text }) => [mrn, text])).toEqual([['A-1', "'=1+1"]]);
    await expect(rowsOf(downloads, 'symptoms')).resolves.toEqual([]);
  });

  await test.step('a server that is away is shown, and an old password is asked for again', async () => {
    for (const other of ['Notes', 'Symptoms', 'Alerts']) {
      await drawer(page).getByRole('checkbox', { name: other }).uncheck();
    }
    await page.route('**/export?*', (route) => route.abort());
    await press('Export');
    await expect(drawer(page).getByText(/^Vital signs: no file was saved\./)).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await page.unroute('**/export?*');
    // What the server says more than five minutes after the password: server/export/export.test.ts.
    const error = { code: 'password_needed', message: 'Confirm your password first.' };
    await page.route('**/export?*', (route) => route.fulfill({ status: 403, json: { error } }), { times: 1 });
    await press('Try again from there');
    const field = drawer(page).getByLabel('Your password');
    await expect(field).toBeFocused();
    await field.fill('not the password');
    await press('Confirm and export');
    await expect(drawer(page).getByText('Your password is wrong')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    expect(downloads).toHaveLength(4);
    await field.fill(password);
    await press('Confirm and export');
    await expect(drawer(page).getByText('1 file was given to the browser to save.')).toBeVisible();
    await expect.poll(() => downloads.length).toBe(5);
  });
});
