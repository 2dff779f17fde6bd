import type { Page, Request } from '@playwright/test';
import { openStoreForCommand } from '../server/db/open';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPatient, enter, ingest, openSession, startWard } from './ward';

const hour = 3_600_000;
const count = 10;
/** Half an hour at 1 Hz, by seconds: when the signal becomes uncertain, absent and good again, and one fall between. */
const course = { seconds: 1_800, uncertainFrom: 600, absentFrom: 900, goodFrom: 1_200, fallAt: 1_500 };

let server: TestServer;
let ids: number[];
let foreignId: number;

test.beforeAll(async () => {
  server = await startWard();
  const session = await openSession(server);
  ids = [];
  for (let index = 1; index <= count; index += 1) {
    ids.push(await addPatient(server, session, `A-${index}`, `Sample${index}`));
  }
  foreignId = await addPatientElsewhere(server);
  const token = await addDevice(server);
  const start = Date.now() - course.seconds * 1_000;
  for (const patientId of ids.slice(0, 2)) {
    const samples = Array.from({ length: course.seconds }, (_, second) => {
      const takenAt = new Date(start + second * 1_000).toISOString();
      const isAbsent = second >= course.absentFrom && second < course.goodFrom;
      const isUncertain = second >= course.uncertainFrom && second < course.absentFrom;
      const value = isAbsent ? 0 : second === course.fallAt ? 71 : 97;
      const quality = isAbsent ? 'invalid' : isUncertain ? 'questionable' : 'good';
      return [
        { patientId, kind: 'spo2', value, takenAt, quality },
        { patientId, kind: 'heartRate', value: 70, takenAt, quality: 'good' },
      ];
    });
    expect(await ingest(server, token, samples.flat())).toBe(200);
  }
});

test.afterAll(async () => {
  await server.remove();
});

/** A patient of another site in the same store. */
async function addPatientElsewhere({ dataDir }: TestServer): Promise<number> {
  const db = await openStoreForCommand({ dataDir, databaseUrl: null });
  const at = Date.now();
  const site = await db
    .insertInto('sites')
    .values({ name: 'Another ward', time_zone: 'UTC', created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const patient = await db
    .insertInto('patients')
    .values({
      site_id: site.id,
      mrn: 'B-1',
      given_name: 'Kim',
      family_name: 'Elsewhere',
      date_of_birth: '1950-03-07',
      sex: 'unknown',
      unit_id: null,
      bed: null,
      profile: 'continuous',
      spo2_scale: 1,
      state: 'active',
      version: 1,
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.destroy();
  return patient.id;
}

async function openDetails(page: Page, wanted: readonly (number | string)[]): Promise<void> {
  await enter(page, server);
  await page.goto(`${server.url}/patient_details?ids=${wanted.join(',')}`);
}

/** Returns the window of the page's next request, in milliseconds; `isWanted` selects the one to wait for. */
async function nextSpan(page: Page, isWanted: (spanMs: number) => boolean): Promise<number> {
  const spanOf = (request: Request): number => {
    const { searchParams } = new URL(request.url());
    return Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '');
  };
  return spanOf(await page.waitForRequest((request) => /\/vitals\?/.test(request.url()) && isWanted(spanOf(request))));
}

test('says which part of the address it cannot show, and shows the rest', async ({ page }) => {
  await openDetails(page, [ids[0] ?? 0, 'x', foreignId, 999_999, ...ids.slice(1)]);
  await expect(page.getByRole('main').getByRole('alert').getByRole('listitem')).toHaveText([
    "Not a patient's number: x",
    `You cannot see these patients: ${foreignId}, 999999`,
    `At most 8 patients are shown side by side. Not shown: ${ids.slice(6).join(', ')}`,
  ]);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(
    ids.slice(0, 6).map((_, index) => `Sample${index + 1}, Sam`),
  );
  await expect(page.getByText('Elsewhere')).toHaveCount(0);
});

test('changes the time shown by the arrow keys, for all patients', async ({ page }) => {
  await openDetails(page, ids.slice(0, 2));
  await expect(page.locator('canvas')).toHaveCount(4);
  await page.getByRole('radio', { name: '1 hour' }).focus();
  for (const [name, hours] of [
    ['4 hours', 4],
    ['12 hours', 12],
    ['24 hours', 24],
    ['7 days', 168],
    ['14 days', 336],
  ] as const) {
    const asked = nextSpan(page, (span) => span === hours * hour);
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name, exact: true })).toBeChecked();
    await asked;
    await expect(page.getByRole('img', { name: /SpO2 lowest 71 %/ })).toHaveCount(2);
  }
});

test('shows a fall, an uncertain and an absent signal in the table of values, as buckets and as samples', async ({
  page,
}) => {
  await openDetails(page, ids.slice(0, 1));
  await page.getByRole('radio', { name: '24 hours' }).check();
  const spo2 = page.getByRole('figure', { name: /Oxygen saturation/ });
  await spo2.getByText('Table of values').click();
  const table = spo2.getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveText([
    'Time',
    'Last, %',
    'Lowest',
    'Highest',
    'Samples',
    'Quality',
  ]);
  await expect(table.getByRole('row', { name: / 97 71 97 \d+ good$/ })).toHaveCount(1);
  await expect(table.getByRole('row', { name: / 97 97 97 120 questionable$/ }).first()).toBeVisible();
  await expect(table.getByRole('row', { name: / -- -- -- 0 no signal$/ }).first()).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Signal uncertain');
  await expect(page.getByRole('main')).toContainText('No signal, nothing drawn');

  // Half an hour of samples does not fit; a quarter of an hour, which contains both stretches, does.
  await page.getByRole('radio', { name: '1 hour' }).check();
  for (const name of ['Zoom in', 'Zoom in', 'Later', 'Later']) {
    await page.getByRole('button', { name }).press('Enter');
  }
  await expect(table.getByRole('columnheader')).toHaveText(['Time', 'Value, %', 'Quality']);
  const older = spo2.getByRole('button', { name: /Show older values/ });
  while (await older.isVisible()) {
    await older.click();
  }
  await expect(table.getByRole('row', { name: / 97 questionable$/ }).first()).toBeAttached();
  await expect(table.getByRole('row', { name: / -- no signal$/ }).first()).toBeAttached();
  await expect(table.getByRole('row', { name: / 0 / })).toHaveCount(0);
});

test('zooms into a dragged range, goes on polling, and shows all again', async ({ page }) => {
  await openDetails(page, ids.slice(0, 2));
  const pane = page.getByRole('region', { name: 'Sample1, Sam' });
  const shown = pane.getByText(/^Only /);
  const drag = async (): Promise<void> => {
    const plot = pane.locator('.u-over').last();
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * 0.6, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + height / 2, { steps: 5 });
    await page.mouse.move(x + width * 0.8, y + height / 2, { steps: 5 });
    await page.mouse.up();
  };
  await expect(pane.locator('.u-over')).toHaveCount(2);
  const isCloser = (span: number): boolean => span > 0.15 * hour && span < 0.25 * hour;

  const first = nextSpan(page, isCloser);
  await drag();
  const span = await first;
  await expect(shown).toHaveText(/^Only \d\d \w{3} \d{4}, \d\d:\d\d:\d\d to \d\d:\d\d:\d\d (GMT|BST)$/);
  await expect(page.getByRole('region', { name: 'Sample2, Sam' }).getByText(/^Only /)).toHaveCount(0);
  expect(await nextSpan(page, isCloser)).toBe(span);

  await pane.locator('.u-over').first().dblclick();
  await expect(shown).toHaveCount(0);
  await nextSpan(page, (asked) => asked === hour);

  await drag();
  await expect(shown).toBeVisible();
  await pane.getByRole('button', { name: 'Reset zoom' }).press('Enter');
  await expect(shown).toHaveCount(0);
});

test('reads out the value and the time under the pointer, in all charts at once', async ({ page }) => {
  await openDetails(page, ids.slice(0, 1));
  const plots = page.locator('.u-over');
  await expect(plots).toHaveCount(2);
  const box = await plots.first().boundingBox();
  await plots.first().hover({ position: { x: (box?.width ?? 0) * 0.95, y: 20 } });
  const readout = /^SpO2 97 %\s*\d\d:\d\d:\d\d (GMT|BST)/;
  await expect(page.getByRole('figure').first().locator('p').first()).toHaveText(readout);
  await expect(page.getByRole('figure').last().locator('p').first()).toHaveText(
    /^HR 70 \/min\s*\d\d:\d\d:\d\d (GMT|BST)/,
  );
});

test('has no accessibility violation by day and by night', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openDetails(page, [...ids.slice(0, 2), 'x']);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('canvas')).toHaveCount(4);
  await page.getByText('Table of values').first().click();
  await page.getByRole('button', { name: 'Zoom in' }).first().click();
  await expect(page.getByRole('table')).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
});

test.describe('while the server is away', () => {
  test.use({ expectedConsole: /^Failed to update last active/ });

  test('says so once for each patient', async ({ page }) => {
    await openDetails(page, ids.slice(0, 2));
    await expect(page.locator('canvas')).toHaveCount(4);
    await server.kill();
    for (const pane of await page
      .getByRole('main')
      .getByRole('region', { name: /^Sample\d, Sam$/ })
      .all()) {
      await expect(pane.getByText(/^Old data/)).toHaveCount(1);
      await expect(pane.locator('[data-old]')).toHaveCount(2);
      await expect(pane.getByText(/^Old data/)).toHaveCount(1);
      await expect(pane.getByRole('button', { name: 'Try again' })).toHaveCount(1);
    }
    await server.start();
    await expect(page.getByText(/^Old data/)).toHaveCount(0);
  });
});
