import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import { expectNoAxeViolations, expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { anotherBrowser, expect, test } from './test';
import { addDevice, addPatient, addPerson, enter, feed, openSession, send, openWard, type Site } from './ward';

/** Each with a heart rate, and an allergy, of their own. */
const count = 12;
const firstRate = 60;
const nurse = 'kim.second@example.org';

/** A section by its title: an entry of it, and words of that. */
const filledIn = {
  'Code status': { section: 'codeStatus', value: { status: 'limited', limits: 'No dialysis' }, shown: 'No dialysis' },
  Allergies: {
    section: 'allergies',
    value: { is: 'allergy', substance: 'Penicillin', reaction: 'Rash', severity: 'severe' },
    shown: 'Penicillin',
  },
  'Oxygen ordered': {
    section: 'oxygen',
    value: { device: 'nasalCannula', flow: 2, fiO2: null, note: null },
    shown: '2 L/min',
  },
  'Conditions and cautions': {
    section: 'conditions',
    value: { is: 'condition', name: 'Asthma', since: '2019', note: null },
    shown: 'Asthma',
  },
  Medications: {
    section: 'medications',
    value: { is: 'medication', name: 'Salbutamol', dose: '100 µg', frequency: 'as needed', note: null },
    shown: 'Salbutamol',
  },
  Contacts: {
    section: 'contacts',
    value: { role: 'nextOfKin', name: 'Alex Sample', relation: 'daughter', phone: '020 555 0100', note: null },
    shown: 'Alex Sample',
  },
  'Responsible clinician and team': {
    section: 'team',
    value: { role: 'responsibleClinician', userId: null, name: 'Robin Outside' },
    shown: 'Robin Outside',
  },
  'Other identifiers': {
    section: 'identifiers',
    value: { type: 'nationalId', value: '999 000 0000', assigner: null },
    shown: '999 000 0000',
  },
};

let server: Site;
let ids: number[];
let stopFeed: () => void;

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  const { id: authorId } = (await send(server, session, 'GET', '/api/user/getCurrentUser')) as { id: number };
  await addPerson(server, session, { email: nurse, fname: 'Kim', lname: 'Second', type: 'nurse', unitIds: [] });
  ids = [];
  for (let index = 0; index < count; index += 1) {
    const id = await addPatient(server, session, `M-${10 + index}`, `Mix${10 + index}`);
    ids.push(id);
    const entry = { clientId: randomUUID(), authorId, version: 1, source: null, effectiveAt: null };
    await send(server, session, 'POST', `/api/v2/patients/${id}/chart/allergies`, {
      ...entry,
      value: { is: 'allergy', substance: `Substance${10 + index}`, reaction: null, severity: 'mild' },
    });
  }
  for (let index = 0; index < 25; index += 1) {
    await send(server, session, 'POST', `/api/v2/patients/${ids[1]}/chart/conditions`, {
      ...{ clientId: randomUUID(), authorId, version: 2 + index, source: 'letter of the practice', effectiveAt: null },
      value: { is: 'condition', name: `Condition ${index}`, since: '2019', note: null },
    });
  }
  const token = await addDevice(server);
  stopFeed = feed(server, token, (takenAt) =>
    ids.flatMap((patientId, index) => [
      { patientId, kind: 'spo2', value: 97, takenAt, quality: 'good' },
      { patientId, kind: 'heartRate', value: firstRate + index, takenAt, quality: 'good' },
    ]),
  );
});

test.afterAll(async () => {
  stopFeed();
});

async function openChart(page: Page, id: number): Promise<Locator> {
  await page.goto(`${server.url}/patient_details?ids=${id}`);
  const chart = page.getByRole('dialog', { name: /^Patient chart: / });
  // On a busy machine a press may come before the page acts on it.
  await expect(async () => {
    if (!(await chart.isVisible())) {
      await page.locator('[data-tour="patient-chart"]').click();
    }
    await expect(chart).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(chart.getByRole('region', { name: 'Allergies' })).toBeVisible();
  return chart;
}

test('an allergy is added and corrected, and two people who correct it at once see both versions', async ({
  page,
  browser,
}) => {
  const id = ids[0] ?? 0;
  await enter(page, server);
  const chart = await openChart(page, id);
  const allergies = chart.getByRole('region', { name: 'Allergies' });
  await allergies.getByRole('button', { name: /^Add/ }).click();
  await chart.getByLabel('Substance').fill('Latexx');
  await chart.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(allergies.getByText(/^Latexx/).first()).toBeVisible();
  await expect(page.locator('[data-patient] header')).toContainText('2 allergies: Latexx, Substance10');

  const other = await anotherBrowser(browser);
  await enter(other.page, server, nurse);
  const theirChart = await openChart(other.page, id);
  const correct = async (where: Locator, substance: string): Promise<void> => {
    await where.getByRole('button', { name: /^Correct Latexx/ }).click();
    await where.getByLabel('Substance').fill(substance);
    await where.getByLabel('Reason for change').fill('Typing error');
  };
  await correct(chart, 'Latex');
  await correct(theirChart, 'Natural latex');
  await theirChart.getByRole('button', { name: 'Save correction' }).click();
  await expect(theirChart.getByText('Saved')).toBeVisible();
  await chart.getByRole('button', { name: 'Save correction' }).click();
  await expect(chart.getByRole('region', { name: 'Theirs' })).toContainText(/Natural latex.*Kim Second/);
  await expect(chart.getByRole('region', { name: 'Mine' })).toContainText('Latex');
  await expectNoAxeViolationsDayAndNight(page);
  await chart.getByRole('button', { name: 'Correct theirs with mine' }).click();
  await chart.getByRole('button', { name: 'Save correction' }).click();
  await expect(chart.getByText('Saved')).toBeVisible();
  await allergies.getByText('History (2)').click();
  await expect(allergies.locator('[data-status="superseded"]')).toContainText([/Natural latex/, /Latexx/]);
  await expectNoAxeViolationsDayAndNight(page);
  await other.close();
});

test('every section of the chart is filled in and corrected without breaking a rule of WCAG', async ({ page }) => {
  const session = await openSession(server);
  const { id: authorId } = (await send(server, session, 'GET', '/api/user/getCurrentUser')) as { id: number };
  const id = ids[2] ?? 0;
  await enter(page, server);
  // Each form is seen in both themes: empty at night, and filled in by day.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const chart = await openChart(page, id);
  for (const [title, { section }] of Object.entries(filledIn)) {
    await chart.getByRole('button', { name: new RegExp(`^(Add|Record) ${title}$`) }).click();
    await expect(chart.locator(`[data-section="${section}"] form`)).toBeVisible();
    await expectNoAxeViolations(page, `[data-section="${section}"]`);
    await chart.getByRole('button', { name: 'Cancel' }).click();
  }
  for (const [index, { section, value }] of Object.values(filledIn).entries()) {
    await send(server, session, 'POST', `/api/v2/patients/${id}/chart/${section}`, {
      ...{ clientId: randomUUID(), authorId, version: 2 + index, source: 'the patient', value },
      effectiveAt: '2026-01-05T10:00:00.000Z',
    });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await openChart(page, id);
  await expect(chart.getByText('Penicillin').first()).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  for (const { section, shown } of Object.values(filledIn)) {
    await chart.getByRole('button', { name: new RegExp(`^(Correct|Change) .*${shown}`) }).click();
    await expect(chart.locator(`[data-section="${section}"]`).getByLabel('Reason for change')).toBeVisible();
    await expectNoAxeViolations(page, `[data-section="${section}"]`);
    await chart.getByRole('button', { name: 'Cancel' }).click();
  }
  for (const [name, question] of [
    [/^End Penicillin/, 'Why it ended'],
    [/^Entered in error Penicillin/, 'What is wrong with it'],
  ] as const) {
    await chart.getByRole('button', { name }).click();
    await chart.getByLabel(question).press('Enter');
    await expect(chart.getByText(/ is empty$/)).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await chart.getByRole('button', { name: 'Cancel' }).click();
  }
});

test('a corrected entry of a long chart stays in view, and every printed page has the identifiers', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await enter(page, server);
  const chart = await openChart(page, ids[1] ?? 0);
  for (const name of ['Condition 12', 'Condition 3']) {
    await chart.getByRole('button', { name: `Correct ${name}, since 2019`, exact: true }).click();
    await chart.getByLabel('Reason for change').fill('Typing error');
    await chart.getByLabel('Condition', { exact: true }).fill(`${name} b`);
    // Saved right after it is typed, with the field still open.
    await chart.getByLabel('In effect since').fill('05 Jan 2026, 10:00');
    await chart.getByRole('button', { name: 'Save correction' }).click();
    const entry = chart.locator('[data-entry]').filter({ hasText: `${name} b` });
    await expect(entry).toBeFocused();
    await expect(entry).toContainText('05 Jan');
    await expect(entry).toBeInViewport({ ratio: 1 });
  }

  await test.step('and printed, it has its patient’s identifiers at the head of every page', async () => {
    await page.goto(`${server.url}/patient_chart?id=${ids[1]}`);
    await expect(page.getByText('Condition 24, since 2019')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await page.emulateMedia({ media: 'print' });
    const head = page.locator('thead');
    await expect(head).toContainText(/Mix11, Sam · MRN M-11 · born .* Printed at .* by /);
    // The browser repeats a table's head on each page that the table reaches.
    await expect(head).toHaveCSS('display', 'table-header-group');
    await expect(head).toContainText(/not a certified medical device/);
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    const printed = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(printed.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThanOrEqual(2);
  });
});

test('switching between 12 patients never shows one’s numbers under another’s name', async ({ page }) => {
  await enter(page, server);
  await page.addInitScript(watchPairs, { ids, firstRate });
  // What is asked for first is often answered last.
  const delays = [700, 20, 450, 5, 250, 900, 60];
  let request = 0;
  await page.route(/\/api\/v2\/patients|\/_next\/data\//, async (route) => {
    request += 1;
    await wait(delays[request % delays.length]);
    // The page that asked may be gone.
    await route.continue().catch(() => undefined);
  });
  await page.goto(`${server.url}/patients`);
  await expect(page.getByRole('row', { name: /Mix10/ })).toBeVisible();
  await page.goto(`${server.url}/patient_details?ids=${ids[0]}`);
  for (let step = 1; step < count; step += 1) {
    if (step % 3 === 0) {
      await page.locator('[data-tour="patient-chart"]').click();
      const chart = page.getByRole('dialog', { name: new RegExp(`Mix${9 + step}, Sam`) });
      await expect(chart).toBeVisible();
      if (step === 3) {
        // One chart is awaited, so that the watcher has seen one; the others are left before or after their answer.
        await expect(chart).toContainText(`Substance${9 + step}`);
      }
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Next patient' }).click();
    await expect(page.locator(`[data-patient="${ids[step]}"]`)).toBeVisible();
  }
  await expect(page.locator('[data-patient] header')).toContainText(`Substance${9 + count}`);
  const watched = await page.evaluate(() => window.pairs);
  expect(watched.wrong).toEqual([]);
  // It has seen names, rates and allergies together, so it could have seen a wrong pair.
  expect(watched.panes.length).toBe(count);
  expect(watched.rates).toBeGreaterThan(count / 2);
  expect(watched.allergies).toBeGreaterThan(count / 2);
  expect(watched.charts).toBeGreaterThan(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

interface Pairs {
  wrong: string[];
  panes: string[];
  rates: number;
  allergies: number;
  charts: number;
}
declare global {
  interface Window {
    pairs: Pairs;
  }
}

/** Looks at every change of the page before it is painted: each name has its own rate and its own allergy, or none. */
function watchPairs({ ids: known, firstRate: first }: { ids: number[]; firstRate: number }): void {
  const pairs: Pairs = { wrong: [], panes: [], rates: 0, allergies: 0, charts: 0 };
  window.pairs = pairs;
  const check = (): void => {
    for (const part of document.querySelectorAll<HTMLElement>('[data-patient], [data-chart]')) {
      const index = known.indexOf(Number(part.dataset.patient ?? part.dataset.chart));
      const named = part.closest('[role="dialog"]') ?? part;
      const text = named.textContent;
      const names = [...text.matchAll(/Mix(\d\d)/g)].map(([, number]) => Number(number) - 10);
      const substances = [...text.matchAll(/Substance(\d\d)/g)].map(([, number]) => Number(number) - 10);
      const rates = [...part.querySelectorAll('dl > div')].flatMap((tile) =>
        tile.querySelector('dt')?.textContent.startsWith('HR') === true
          ? [...(tile.querySelector('dd')?.textContent ?? '').matchAll(/^\d+/g)].map(([rate]) => Number(rate) - first)
          : [],
      );
      const summaries = [...text.matchAll(/HR lowest (\d+), highest (\d+)/g)].flatMap(([, low, high]) => [
        Number(low) - first,
        Number(high) - first,
      ]);
      if ([...names, ...substances, ...rates, ...summaries].some((one) => one !== index)) {
        pairs.wrong.push(`${index}: ${JSON.stringify({ names, substances, rates, summaries })}`);
      }
      const pane = part.dataset.patient;
      if (pane !== undefined && !pairs.panes.includes(pane)) {
        pairs.panes.push(pane);
      }
      pairs.rates += rates.length;
      pairs.allergies += part.dataset.patient === undefined ? 0 : substances.length;
      pairs.charts += part.dataset.chart === undefined ? 0 : substances.length;
    }
  };
  new MutationObserver(check).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
}
