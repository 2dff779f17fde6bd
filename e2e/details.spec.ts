import type { Page, Request } from '@playwright/test';
import { openStoreForCommand } from '../server/db/open';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { expect, test } from './test';
import {
  addDevice,
  addPatient,
  feed,
  ingest,
  openDetails,
  openSession,
  openWard,
  send,
  signIn,
  type Site,
} from './ward';

const hour = 3_600_000;
const count = 10;
/** Half an hour at 1 Hz, by seconds: when the signal becomes uncertain, absent and good again, and one fall between. */
const course = { seconds: 1_800, uncertainFrom: 600, absentFrom: 900, goodFrom: 1_200, fallAt: 1_500 };

let server: Site;
let ids: number[];

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  ids = [];
  for (let index = 1; index <= count; index += 1) {
    ids.push(await addPatient(server, session, `A-${index}`, `Sample${index}`));
  }
  const token = await addDevice(server);
  // Begins with a bucket of the day's chart (2 min), so that the fall is within one and never its last value.
  const bucketMs = 120_000;
  const start = Math.floor((Date.now() - course.seconds * 1_000) / bucketMs) * bucketMs;
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

/** Returns the window that a request asks for, epoch milliseconds. */
function windowOf(request: Request): { from: number; to: number } {
  const { searchParams } = new URL(request.url());
  return { from: Date.parse(searchParams.get('from') ?? ''), to: Date.parse(searchParams.get('to') ?? '') };
}

/** Returns the length of the window of the page's next request, in milliseconds; `isWanted` selects the request. */
async function nextSpan(page: Page, isWanted: (spanMs: number) => boolean): Promise<number> {
  const spanOf = (request: Request): number => windowOf(request).to - windowOf(request).from;
  return spanOf(await page.waitForRequest((request) => /\/vitals\?/.test(request.url()) && isWanted(spanOf(request))));
}

test('names each of two or three patients in full, and says which part of the address it cannot show', async ({
  page,
}) => {
  const elsewhere = await openWard();
  const foreignId = await addPatient(elsewhere, await openSession(elsewhere), 'B-1', 'Elsewhere');
  await page.emulateMedia({ colorScheme: 'dark' });
  await openDetails(page, server, [ids[0] ?? 0, 'x', foreignId, 999_999, ...ids.slice(1)]);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('main').getByRole('alert').getByRole('listitem')).toHaveText([
    "Not a patient's number: x",
    `You cannot see these patients: ${foreignId}, 999999`,
    `At most 8 patients are shown side by side. Not shown: ${ids.slice(6).join(', ')}`,
  ]);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(
    ids.slice(0, 6).map((_, index) => `Sample${index + 1}, Sam`),
  );
  await expect(page.getByText('Elsewhere')).toHaveCount(0);

  const session = await openSession(server);
  const long = await addPatient(server, session, 'MRN-20260305', 'Grzybowska-Castellanos', 'West');
  for (const shown of [
    [long, ...ids.slice(0, 1)],
    [long, ...ids.slice(0, 2)],
  ]) {
    await page.goto(`${server.url}/patient_details?ids=${shown.join(',')},x`);
    await expect(page.locator('[data-patient] header')).toHaveCount(shown.length);
    for (const width of [1280, 1366, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => cutNames(page), `${shown.length} patients at ${width}`).toEqual([]);
      await expect.poll(() => overlaps(page), `${shown.length} patients at ${width}`).toEqual([]);
    }
  }
  await expect(page.getByRole('main').getByRole('alert').getByRole('listitem')).toHaveText([
    "Not a patient's number: x",
  ]);
  await expectNoAxeViolationsDayAndNight(page);
});

test('shows all charts in one time, which arrows, a drag and buttons change, and their values in a table', async ({
  page,
}) => {
  await openDetails(page, server, ids.slice(0, 2));
  await expect(page.locator('canvas')).toHaveCount(4);
  const pane = page.getByRole('region', { name: 'Sample1, Sam', exact: true });

  await test.step('the value and the time under the pointer, in all charts at once', async () => {
    const plots = page.locator('.u-over');
    await expect(plots).toHaveCount(4);
    const box = await plots.first().boundingBox();
    await plots.first().hover({ position: { x: (box?.width ?? 0) * 0.95, y: 20 } });
    const readouts = page.getByRole('figure').locator('p:first-of-type');
    for (const place of [0, 2]) {
      await expect(readouts.nth(place)).toHaveText(/^SpO2 97 %\s*\d\d:\d\d:\d\d (GMT|BST)/);
      await expect(readouts.nth(place + 1)).toHaveText(/^HR 70 \/min\s*\d\d:\d\d:\d\d (GMT|BST)/);
    }
    await page.mouse.move(0, 0);
  });

  await test.step('a range dragged on one, which goes on being asked for until all is shown again', async () => {
    const shown = page.getByText(/^Only /);
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
    const isCloser = (span: number): boolean => span > 0.15 * hour && span < 0.25 * hour;
    const ofPatient = (id: number | undefined): Promise<Request> =>
      page.waitForRequest(
        (request) =>
          request.url().includes(`/patients/${id}/vitals?`) && isCloser(windowOf(request).to - windowOf(request).from),
      );

    const both = Promise.all([ofPatient(ids[0]), ofPatient(ids[1])]);
    const place = await pane.locator('.u-over').first().boundingBox();
    await drag();
    const [one, other] = (await both).map(windowOf);
    expect(other).toEqual(one);
    await expect(shown).toHaveText(/^Only .*\d\d:\d\d(:\d\d)? (GMT|BST)$/);
    expect(await nextSpan(page, isCloser)).toBe((one?.to ?? 0) - (one?.from ?? 0));
    await page.mouse.wheel(0, -2_000);
    await expect.poll(async () => (await pane.locator('.u-over').first().boundingBox())?.y).toBe(place?.y);

    await pane.locator('.u-over').first().dblclick();
    await expect(shown).toHaveCount(0);
    await nextSpan(page, (asked) => asked === hour);

    await drag();
    await expect(shown).toBeVisible();
    await page.getByRole('button', { name: 'Reset zoom' }).press('Enter');
    await expect(shown).toHaveCount(0);
  });

  await test.step('the arrow keys', async () => {
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

  await test.step('a fall, an uncertain and an absent signal in the table, as buckets and as samples', async () => {
    await page.goto(`${server.url}/patient_details?ids=${ids[0]}`);
    await page.getByRole('radio', { name: '24 hours' }).check();
    const spo2 = pane.getByRole('figure', { name: /Oxygen saturation/ });
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
    await expect(pane).toContainText('Signal uncertain');
    await expect(pane).toContainText('No signal, nothing drawn');

    // Half an hour of samples does not fit; a quarter of an hour, which contains both stretches, does.
    await page.getByRole('radio', { name: '1 hour' }).check();
    for (const name of ['Zoom in', 'Zoom in', 'Later', 'Later']) {
      await page.getByRole('button', { name }).press('Enter');
    }
    await expect(table.getByRole('columnheader')).toHaveText(['Time', 'Value, %', 'Quality']);
    await expectNoAxeViolationsDayAndNight(page);
    const older = spo2.getByRole('button', { name: /Show older values/ });
    while (await older.isVisible()) {
      await older.click();
    }
    await expect(table.getByRole('row', { name: / 97 questionable, arrived \d\d:\d\d$/ }).first()).toBeAttached();
    await expect(table.getByRole('row', { name: / -- no signal$/ }).first()).toBeAttached();
    await expect(table.getByRole('row', { name: / 0 / })).toHaveCount(0);
  });
});

test('two patients with an alert each have charts high up, limits as they were, and readings', async ({ page }) => {
  const session = await openSession(server);
  const alerting = [
    await addPatient(server, session, 'C-1', 'Lowsample', 'South'),
    await addPatient(server, session, 'C-2', 'Fastsample', 'South'),
  ];
  const [low, fast] = alerting;
  const token = await addDevice(server);
  const stopFeed = feed(server, token, (takenAt) => [
    { patientId: low, kind: 'spo2', value: 74, takenAt, quality: 'good' },
    { patientId: low, kind: 'heartRate', value: 90, takenAt, quality: 'good' },
    { patientId: fast, kind: 'spo2', value: 97, takenAt, quality: 'good' },
    { patientId: fast, kind: 'heartRate', value: 155, takenAt, quality: 'good' },
  ]);
  await send(server, session, 'PUT', `/api/v2/patients/${low}/limits`, {
    rule: 'spo2.low',
    values: { low: 86 },
    reason: 'As agreed on the round',
    basedOn: null,
  });
  const typed = { respiratoryRate: 18, systolic: 140, diastolic: 87, temperature: 36.8, oxygenFlow: 0 };
  await send(server, session, 'POST', `/api/v2/patients/${low}/readings`, { readings: typed });
  await setDemo(1);
  try {
    await test.step('begins its charts in the upper 320 pixels, each under its patient’s name', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      // A session of its own: the others began before this was a demo ward.
      await signIn(page, server);
      await page.goto(`${server.url}/patient_details?ids=${alerting.join(',')}`);
      await expect(page.getByText(/simulated/i).first()).toBeVisible();
      await expect(page.locator('canvas')).toHaveCount(4);
      const marks = page.getByRole('figure').getByRole('button', { name: /^High alert/ });
      // They are raised once the values have lasted; a line of the chart comes once a minute.
      await expect(marks).toHaveCount(2, { timeout: 90_000 });
      const tops = await page
        .getByRole('figure')
        .evaluateAll((charts) => charts.map((one) => one.getBoundingClientRect().top));
      expect(tops[0]).toBeLessThanOrEqual(320);
      expect(tops[2]).toBe(tops[0]);
      expect(tops[3]).toBe(tops[1]);
      // Blood pressure has its place in the line, also in half a page.
      const [spo2, pressure] = await page
        .locator('[data-patient]')
        .first()
        .locator('dt')
        .filter({ hasText: /^(SpO2|BP)/ })
        .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().top));
      expect(pressure).toBe(spo2);
      // Nothing in the lines above the charts lies over its neighbour, and none is wider than its pane.
      expect(await overlaps(page)).toEqual([]);
      expect(await cutNames(page)).toEqual([]);
      for (const by of [200, 200, 200]) {
        await page.mouse.wheel(0, by);
        expect(await chartsWithoutName(page)).toEqual([]);
      }
      // The name lies over what is scrolled below it, and over nothing else.
      await page.evaluate(() => {
        window.scrollTo(0, 0);
      });
      await page.getByRole('button', { name: 'Open the sidebar' }).click();
      for (const [width, height] of [
        [1280, 800],
        [1366, 768],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect.poll(() => overlaps(page)).toEqual([]);
      }
    });
  } finally {
    await setDemo(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await test.step('draws the limits as they were and says what an alert said', async () => {
    await page.goto(`${server.url}/patient_details?ids=${alerting.join(',')}`);
    const pane = page.getByRole('region', { name: 'Lowsample, Sam', exact: true });
    const spo2 = pane.getByRole('figure', { name: /Oxygen saturation/ });
    const bar = spo2.getByRole('button', { name: /^High alert/ });
    await bar.click();
    await expect(pane.getByRole('dialog')).toContainText(/High SpO2 .*Began .* not ended\. Not acknowledged\./);
    await page.keyboard.press('Escape');
    await expect(bar).toBeFocused();
    await spo2.getByText('Table of values').click();
    await expect(spo2.getByRole('listitem').filter({ hasText: /^High limit < 88 %/ })).toHaveCount(1);
    await expect(spo2.getByRole('listitem').filter({ hasText: /^High limit < 86 %/ })).toHaveCount(1);
    await expect(pane).toContainText('94-98 %');
    await expectNoAxeViolationsDayAndNight(page);
  });
  await test.step('takes readings from the score and shows them', async () => {
    await page.goto(`${server.url}/patient_details?ids=${fast}`);
    await page.getByRole('button', { name: /^NEWS2 at least/ }).click();
    await page.getByLabel('Respiratory rate').fill('22');
    await page.getByLabel('Temperature').fill('37,9');
    await page.getByRole('button', { name: 'Save readings' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('main')).toContainText('37.9');
    await expect(page.getByTitle('Respiratory rate: 22 /min: 2 points')).toBeVisible();
    // Patients with an alert come first in the list; without one this patient is its last, by bed.
    await expect(page.getByRole('figure').getByRole('button', { name: /^High alert/ })).toHaveCount(1);
    await page.getByRole('button', { name: 'Next patient' }).click();
    await expect(page).not.toHaveURL(new RegExp(`ids=${fast}$`));
  });
  stopFeed();
});

/** With the banner of a demo ward, which is one line above everything. */
async function setDemo(is_demo: 0 | 1): Promise<void> {
  const db = await openStoreForCommand({ dataDir: server.dataDir, databaseUrl: null });
  await db.updateTable('sites').set({ is_demo }).where('id', '=', server.siteId).execute();
  await db.destroy();
}

/** Returns the names, MRNs and beds in the strips that have less room than they need. */
function cutNames(page: Page): Promise<string[]> {
  return page
    .locator('[data-patient] header')
    .locator('h2, dl > div:nth-child(-n + 3)')
    .evaluateAll((parts) =>
      parts.flatMap((part) => {
        const box = part.getBoundingClientRect();
        const { right, bottom } = (part.closest('dl') ?? part).getBoundingClientRect();
        // What has no room in its line is folded into one below it.
        const isCut = part.scrollWidth > part.clientWidth || box.right > right + 0.5 || box.top >= bottom;
        return isCut ? [part.textContent] : [];
      }),
    );
}

/** Returns the parts of the lines above the charts that lie over each other, by their text. */
function overlaps(page: Page): Promise<string[]> {
  return page.locator('[data-patient]').evaluateAll((panes) =>
    panes.flatMap((pane) => {
      const parts = [...pane.querySelectorAll('header > *, dl > div, button[data-current]')]
        .filter((part) => part.closest('dl') === null || part.matches('dl > div'))
        // What has no room in the line of its list is folded: no one sees it.
        .filter((part) => {
          const list = part.closest('header dl')?.getBoundingClientRect();
          return list === undefined || part.getBoundingClientRect().top < list.bottom;
        })
        .map((part) => ({ text: part.textContent, box: part.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0);
      const { right } = pane.getBoundingClientRect();
      return parts.flatMap(({ text, box }, index) => {
        const covered = parts
          .slice(index + 1)
          .filter(
            (other) =>
              !text.includes(other.text) &&
              other.box.left < box.right - 0.5 &&
              other.box.right > box.left + 0.5 &&
              other.box.top < box.bottom - 0.5 &&
              other.box.bottom > box.top + 0.5,
          );
        return [
          ...covered.map((other) => `${text} over ${other.text}`),
          ...(box.right > right ? [`${text} beyond`] : []),
        ];
      });
    }),
  );
}

/** Returns the charts that are in view while the name of their patient is not. */
function chartsWithoutName(page: Page): Promise<string[]> {
  return page.locator('[data-patient]').evaluateAll((panes) =>
    panes.flatMap((pane) => {
      const name = pane.querySelector('h2')?.getBoundingClientRect();
      const isNamed = name !== undefined && name.top >= 0 && name.bottom <= window.innerHeight;
      const seen = [...pane.querySelectorAll('canvas')].filter((chart) => {
        const { top, bottom } = chart.getBoundingClientRect();
        return bottom > 0 && top < window.innerHeight;
      });
      return isNamed ? [] : seen.map(() => pane.getAttribute('aria-label') ?? '');
    }),
  );
}

test.describe('with a server that is away', () => {
  test.use({ expectedConsole: /^Failed to (update last active|fetch the current user)/ });

  test('says so once, in the header, and marks what each patient shows as old', async ({ page }) => {
    await page.clock.install();
    await openDetails(page, server, ids.slice(0, 2));
    await expect(page.locator('canvas')).toHaveCount(4);
    // The symptoms come after the charts; what has never come cannot be old.
    await expect(page.getByText(/^No symptom report in this time/)).toHaveCount(2);
    await page.route('**/api/**', (route) => route.abort());
    const notLive = page.getByText(/^NOT LIVE since/).filter({ visible: true });
    await expect.poll(() => page.clock.fastForward(1_000).then(() => notLive.count()), { intervals: [100] }).toBe(1);
    const panes = page.getByRole('main').getByRole('region', { name: /^Sample\d, Sam$/ });
    await expect(panes).toHaveCount(2);
    for (const pane of await panes.all()) {
      // Values, charts, symptoms.
      await expect(pane.locator('[data-old]')).toHaveCount(3);
      await expect(pane.getByText(/^Old data/).filter({ visible: true })).toHaveCount(0);
      await expect(pane.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    }
    await expect(notLive).toHaveCount(1);
    await page.unroute('**/api/**');
    await expect(page.getByText(/^NOT LIVE since/)).toHaveCount(0);
    await expect(page.locator('[data-old]')).toHaveCount(0);
  });
});
