import type { Page } from '@playwright/test';
import type { AlertItem } from '../lib/alerts/schema';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { anotherBrowser, expect, test } from './test';
import { addDevice, addPatient, enter, feed, ingest, openSession, send, openWard, type Site } from './ward';

/**
 * Far more than fits on a screen. Each patient has a heart rate of their own, which stays; SpO2 changes each second.
 */
const count = 60;
/** Of another unit: what needs the most room. */
const longNames = 'Step-down Medicine 12';
const rateOf = (index: number): number => 100 + index;
let server: Site;
let stopFeed: () => void;

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  const ids: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    ids.push(await addPatient(server, session, `L-${index}`, `Sample${String(index).padStart(3, '0')}`));
  }
  const longest = [
    await addPatient(server, session, 'LONG-MRN-000123', 'Wolfeschlegelsteinhausen', longNames),
    await addPatient(server, session, 'LONG-2', 'Ageing', longNames),
    await addPatient(server, session, 'LONG-3', 'Lost', longNames),
    await addPatient(server, session, 'LONG-4', 'Never', longNames),
    await addPatient(server, session, 'LONG-5', 'Withdrawn', longNames),
  ];
  const [uncertain = 0, ageing = 0, lost = 0, , withdrawn = 0] = longest;
  const token = await addDevice(server);
  const quality = 'good';
  const now = new Date().toISOString();
  await ingest(server, token, [
    { patientId: ageing, kind: 'spo2', value: 100, takenAt: now, quality },
    { patientId: lost, kind: 'spo2', value: 100, takenAt: now, quality },
    { patientId: lost, kind: 'pulseRate', value: 152, takenAt: now, quality },
    // Its alerts stay while no value says how the patient is.
    ...Array.from({ length: 18 }, (_, second) => new Date(Date.now() - second * 1_000).toISOString()).flatMap(
      (takenAt) => [
        { patientId: withdrawn, kind: 'spo2', value: 71, takenAt, quality },
        { patientId: withdrawn, kind: 'pulseRate', value: 155, takenAt, quality },
      ],
    ),
  ]);
  let beat = 0;
  stopFeed = feed(server, token, (takenAt) => {
    beat += 1;
    const doubtful = [
      { patientId: uncertain, kind: 'spo2', value: 70, takenAt, quality: 'questionable' },
      { patientId: uncertain, kind: 'pulseRate', value: 152, takenAt, quality: 'questionable' },
      { patientId: lost, kind: 'spo2', value: 0, takenAt, quality: 'invalid' },
      { patientId: lost, kind: 'pulseRate', value: 0, takenAt, quality: 'invalid' },
    ];
    const good = ids.flatMap((patientId, index) => [
      { patientId, kind: 'spo2', value: 90 + ((index + beat) % 9), takenAt, quality: 'good' },
      { patientId, kind: 'heartRate', value: rateOf(index + 1), takenAt, quality: 'good' },
    ]);
    return [...doubtful, ...good];
  });
});

test.afterAll(async () => {
  stopFeed();
});

/** Name and heart rate of every row, as shown. */
const rows = (page: Page): Promise<string[]> =>
  page
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => `${row.querySelector('a')?.textContent ?? ''} ${/HR\s*(\d+)/.exec(row.textContent)?.[1] ?? ''}`),
    );
const everybody = Array.from(
  { length: count },
  (_, index) => `Sample${String(index + 1).padStart(3, '0')}, Sam ${rateOf(index + 1)}`,
);

/** Resolves with the id of a unit, which addresses have in place of its name. */
async function unitId(name: string): Promise<number> {
  const { items } = (await send(server, await openSession(server), 'GET', '/api/v2/units')) as {
    items: { id: number; name: string }[];
  };
  return items.find((unit) => unit.name === name)?.id ?? 0;
}

test('a list longer than the screen stays current outside it, can be searched, and is found again', async ({
  page,
}) => {
  await enter(page, server, undefined, `/patients?pageSize=500&sort=familyName&unit=${await unitId('North')}`);
  const last = page.locator('tbody tr').last().locator('[data-vital]').first();
  await expect(page.locator('tbody tr')).toHaveCount(count);
  await expect(last).not.toBeInViewport();
  for (let change = 0; change < 3; change += 1) {
    const before = await last.textContent();
    await expect(last).not.toHaveText(before ?? '');
    expect(await rows(page)).toEqual(everybody);
  }
  await expect(last).not.toBeInViewport();

  // To the end by the keyboard: the rows there are drawn, in the same place and current.
  await page.getByRole('checkbox', { name: `Select Sample0${count}, Sam, MRN L-${count}` }).focus();
  await expect(last).toBeInViewport();
  await expect(page.locator('tbody tr').last()).toContainText(`Sample0${count}, Sam`);
  await page.keyboard.press('Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  expect(await rows(page)).toEqual(everybody);

  await test.step('the browser’s search in the page finds a row outside the screen', async () => {
    // In an order that no alert changes.
    await page.goto(`${server.url}/patients?pageSize=500&sort=familyName`);
    const found = await page.evaluate(() => {
      const find: unknown = Reflect.get(window, 'find');
      return typeof find === 'function' && Boolean(find.call(window, 'Sample057'));
    });
    expect(found).toBe(true);
    await expect(page.getByRole('link', { name: 'Sample057, Sam' })).toBeInViewport();
  });

  await test.step('Done and Back lead to the same page, order, selection and place of the list', async () => {
    const address = `${server.url}/patients?unit=${await unitId('North')}&sort=familyName&page=2&pageSize=30`;
    await page.goto(address);
    await expect(page.locator('tbody tr')).toHaveCount(30);
    await page.getByRole('checkbox', { name: /^Select Sample035,/ }).check();
    await page.getByRole('checkbox', { name: /^Select Sample045,/ }).check();
    await page.evaluate(() => window.scrollTo(0, 700));
    for (const way of ['Done', 'Back'] as const) {
      await page.getByRole('button', { name: 'Check 2 patients' }).evaluate((button: HTMLElement) => button.click());
      await expect(page).toHaveURL(/\/patient_details/);
      if (way === 'Done') {
        await page.getByRole('button', { name: 'Done' }).click();
      } else {
        await page.goBack();
      }
      await expect(page).toHaveURL(address);
      await expect(page.getByText('2 selected')).toBeVisible();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(700);
    }
  });
});

/** Returns the open alerts about patients, as the server knows them. */
async function openAlerts(session: Record<string, string>) {
  const response = await send(server, session, 'GET', '/api/v2/alerts?pageSize=500');
  return (response as { items: AlertItem[] }).items.filter(({ patientId }) => patientId !== null);
}

test('every filled number is an alert that no one has, and every mark a patient with open alerts', async ({ page }) => {
  const session = await openSession(server);
  await enter(page, server, undefined, '/patients?pageSize=500');
  const hasColumn = (parameter: string): boolean => ['spo2', 'rate', 'news2'].includes(parameter);
  const agrees = async (): Promise<void> => {
    const alerts = await openAlerts(session);
    const untaken = alerts.filter(
      ({ condition, acknowledged, accepted, parameter }) =>
        condition === 'active' && acknowledged === null && accepted === null && hasColumn(parameter),
    );
    expect(alerts.length).toBeGreaterThan(10);
    const marks = page.locator('tbody [data-mark="filled"]');
    await expect(marks).toHaveCount(untaken.length, { timeout: 3_000 });
    const alerting = new Set(alerts.map(({ patientId }) => patientId));
    await expect(page.locator('tbody [data-alert]')).toHaveCount(alerting.size, { timeout: 3_000 });
  };
  // Rates from 150 on raise an alert after 15 s.
  await expect(agrees).toPass();
  const [first, second] = (await openAlerts(session)).filter(({ parameter }) => parameter === 'rate');
  await send(server, session, 'POST', `/api/v2/alerts/${first?.id ?? 0}/acknowledge`, { version: first?.version });
  await send(server, session, 'POST', `/api/v2/alerts/${second?.id ?? 0}/accept`, { version: second?.version });
  await expect(agrees).toPass();
  await expect(page.locator('tbody [data-mark="outlined"]')).not.toHaveCount(0);
  await expect(page.locator('tbody tr').first()).toHaveAttribute('data-priority', 'high');
});

test('no row moves under a resting pointer, while its values go on and another patient raises an alert', async ({
  page,
  browser,
}) => {
  const session = await openSession(server);
  await enter(page, server, undefined, '/patients?pageSize=500');
  await expect(page.locator('tbody tr')).toHaveCount(count + 5);
  // Another screen, left alone five minutes ago, with the new patient on its last page. Its calls ran out meanwhile.
  const { page: parked, close } = await anotherBrowser(browser, /^Failed to (fetch|update)/);
  await parked.clock.install();
  await enter(parked, server, undefined, '/patients?pageSize=10&sort=-familyName');
  await parked.locator('tbody tr').nth(4).locator('td').nth(2).hover();
  await parked.clock.fastForward(300_000);
  const names = (): Promise<string[]> => page.locator('tbody tr a').allTextContents();
  await page.locator('tbody tr').nth(2).locator('td').nth(2).hover();
  const asked = page.waitForRequest(/\/api\/v2\/patients\?ids=/);
  const before = await names();
  const top = (): Promise<number | undefined> =>
    page
      .locator('tbody tr')
      .first()
      .boundingBox()
      .then((box) => box?.y);
  const place = await top();
  await asked;
  const known = (await openAlerts(session)).length;
  const quiet = await addPatient(server, session, 'L-0', 'Aaa');
  const token = await addDevice(server);
  const stop = feed(server, token, (takenAt) => [
    { patientId: quiet, kind: 'spo2', value: 70, takenAt, quality: 'good' },
  ]);
  await expect.poll(async () => (await openAlerts(session)).length).toBeGreaterThan(known);
  const value = page.locator('tbody tr').nth(2).locator('[data-vital]').first();
  const shown = await value.textContent();
  await expect(value).not.toHaveText(shown ?? '');
  expect(await names()).toEqual(before);
  const slot = page.locator('[data-news]');
  await expect(slot).toContainText(/!!!70.*Aaa, Sam.*North · Bed L-0 · MRN L-0/);
  expect(await top()).toBe(place);
  await expect(parked.getByRole('row', { name: /Aaa, Sam/ })).toHaveCount(0);
  await expect(parked.locator('[data-news]')).toContainText(/!!!70.*Aaa, Sam.*North · Bed L-0 · MRN L-0/);
  await expectNoAxeViolationsDayAndNight(page);
  const note = 'The list just moved. Click again.';
  const isNoteInSight = clickAsRowsMove(page, note);
  await page.mouse.move(2, 2);
  expect(await isNoteInSight).toBe(true);
  await expect(slot).toHaveCount(0);
  await expect(page).toHaveURL(/\/patients\?/);
  await expect(page.getByText(note)).toHaveCount(0);
  // Alerts that were escalated meanwhile rank before it, so its row has a place among those of its priority.
  const [above, own] = [page.locator('tbody tr[data-priority="high"] a'), page.getByRole('link', { name: 'Aaa, Sam' })];
  await expect(above.filter({ hasText: 'Aaa, Sam' })).toHaveCount(1);
  await expect(own).toBeInViewport();
  stop();
  await close();
});

/**
 * Clicks at the first patient in the moment in which the rows of the list have moved, and returns whether the note that
 * comes then is in the window: the page looks itself, because the note goes after three seconds.
 */
async function clickAsRowsMove(page: Page, note: string): Promise<boolean> {
  return await page.evaluate(
    (text) =>
      new Promise<boolean>((resolve) => {
        const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('tbody tr a')];
        const order = (): string =>
          links()
            .map(({ textContent }) => textContent)
            .join();
        const before = order();
        let hasClicked = false;
        const watch = new MutationObserver(() => {
          const [first] = links();
          if (!hasClicked && first !== undefined && order() !== before) {
            hasClicked = true;
            const { x, y } = first.getBoundingClientRect();
            first.dispatchEvent(
              new MouseEvent('click', { clientX: x, clientY: y, detail: 1, bubbles: true, cancelable: true }),
            );
          }
          const box = [...document.querySelectorAll('[role="status"]')]
            .find(({ textContent }) => textContent === text)
            ?.getBoundingClientRect();
          if (box !== undefined) {
            watch.disconnect();
            resolve(
              box.width > 1 && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
            );
          }
        });
        watch.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    note,
  );
}

test('the longest words of a value and of an alert neither wrap, cut nor cover, beside an open sidebar', async ({
  page,
}) => {
  await enter(page, server, undefined, `/patients?sort=location&unit=${await unitId(longNames)}`);
  await page.getByRole('button', { name: 'Open the sidebar' }).click();
  await expect(page.locator('tbody [data-uncertain]')).toHaveCount(2);
  for (const width of [1280, 1366]) {
    await page.setViewportSize({ width, height: 800 });
    const faults = await page.evaluate(() => {
      const found: string[] = [];
      for (const { scrollWidth, clientWidth } of document.querySelectorAll('.ant-table-wrapper')) {
        if (scrollWidth > clientWidth) {
          found.push(`the table is ${scrollWidth} wide in ${clientWidth}`);
        }
      }
      for (const row of document.querySelectorAll('tbody tr')) {
        const { height } = row.getBoundingClientRect();
        if (Math.round(height) !== 44) {
          found.push(`a row is ${height} high`);
        }
      }
      const visible = '[data-figure], [data-note], [data-name], [data-unit], [data-kind]';
      for (const vital of document.querySelectorAll('tbody [data-vital]')) {
        const cell = vital.closest('td')?.getBoundingClientRect() ?? new DOMRect();
        const parts = [...vital.querySelectorAll(visible)].filter((part) => part.checkVisibility());
        const boxes = parts.map((part) => part.getBoundingClientRect());
        boxes.forEach(({ left, right, top, bottom }, index) => {
          if (left < cell.left || right > cell.right || top < cell.top || bottom > cell.bottom) {
            found.push(`"${parts[index]?.textContent}" leaves its cell`);
          }
          for (const other of boxes.slice(index + 1)) {
            if (left < other.right - 1 && other.left < right - 1 && top < other.bottom - 1 && other.top < bottom - 1) {
              found.push(`"${parts[index]?.textContent}" covers its neighbour`);
            }
          }
        });
        const note = vital.querySelector('[data-note]');
        if (vital.hasAttribute('data-uncertain') && (note?.getBoundingClientRect().height ?? 0) > 20) {
          found.push(`"${note?.textContent}" wraps`);
        }
      }
      return found;
    });
    expect(faults, `at ${width}`).toEqual([]);
  }

  await test.step('the longest words of an alert cut neither a value nor a limit, beside an open sidebar', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    // As if the last step of the plan were next, which takes minutes to come.
    const next = { roles: ['charge_nurse'], wholeUnit: true, contact: 'rapid_response' };
    await page.route('**/api/v2/alerts?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { items?: AlertItem[] };
      const nextAt = new Date(Date.now() + 300_000).toISOString();
      for (const { escalation } of (body.items ?? []).filter(({ priority }) => priority === 'high')) {
        Object.assign(escalation, { next, nextAt });
      }
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${server.url}/dashboard`);
    const of = (name: string) => page.getByRole('listitem').filter({ hasText: name }).locator('[data-alert]');
    // An uncertain signal alerts as well once it has lasted.
    for (const name of ['Wolfeschlegelsteinhausen', 'Withdrawn']) {
      await expect.poll(() => of(name).count()).toBeGreaterThanOrEqual(2);
    }
    // Who has it and what can be taken back need the most room.
    const taken = of('Wolfeschlegelsteinhausen').filter({ hasText: 'Taken by you' });
    const take = of('Wolfeschlegelsteinhausen')
      .last()
      .getByRole('button', { name: /^I’m on it/ });
    // After a move the list ignores a click for half a second.
    await expect(async () => {
      if ((await taken.count()) === 0) {
        await take.click({ timeout: 1_000 });
      }
      await expect(taken).toHaveCount(1, { timeout: 5_000 });
    }).toPass();
    await expect(of('Withdrawn').filter({ hasText: /lowest 71, limit < 78/ })).toHaveCount(1, {
      // Its value has to be so old that it is withdrawn.
      timeout: 90_000,
    });
    await expect(of('Withdrawn').filter({ hasText: 'Asks whole unit to call rapid response in' })).not.toHaveCount(0);
    for (const width of [1280, 1366]) {
      await page.setViewportSize({ width, height: 800 });
      await page.mouse.move(0, 0);
      await expect.poll(() => page.evaluate(cutInAlerts), { message: `at ${width}` }).toEqual([]);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

/** Returns what of the rows of alerts is cut, or lies over its neighbour. */
function cutInAlerts(): string[] {
  const found: string[] = [];
  for (const line of document.querySelectorAll<HTMLElement>('li [data-alert]')) {
    const box = line.getBoundingClientRect();
    if (box.height !== (line.dataset.look === 'row' ? 72 : 48)) {
      found.push(`a row is ${box.height} high`);
    }
    const cells = [...line.children].filter((cell) => cell.checkVisibility());
    cells.forEach((cell, index) => {
      const next = cells[index + 1]?.getBoundingClientRect().left ?? box.right;
      for (const part of [cell, ...cell.querySelectorAll(':not(.visually-hidden)')]) {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        if (part.matches('.visually-hidden *') || part.closest('svg') !== null) {
          continue;
        }
        if (right > next || left < box.left || top < box.top - 0.5 || bottom > box.bottom + 0.5) {
          found.push(`"${part.textContent}" leaves its place`);
        }
      }
    });
    // A value with its limit: in bold, or as the worst value of an alert whose value is withdrawn.
    const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let text = words.nextNode(); text !== null; text = words.nextNode()) {
      const number = /[<≤≥] \d+|uncertain|last \d+/.exec(text.textContent ?? '');
      const holder = text.parentElement?.closest('[title]')?.getBoundingClientRect();
      if (number !== null && holder !== undefined) {
        const range = document.createRange();
        range.setStart(text, 0);
        range.setEnd(text, number.index + number[0].length);
        const rects = [...range.getClientRects()];
        if (rects.some(({ right, bottom }) => right > holder.right + 0.5 || bottom > holder.bottom + 2)) {
          found.push(`"${text.textContent}" is cut before its number`);
        }
      }
    }
  }
  return found;
}
