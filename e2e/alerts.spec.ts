import type { Locator, Page } from '@playwright/test';
import { alertSound } from '../lib/sound/soundSchema';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { countPulses, enableSound, pulsesOf } from './sound';
import { anotherBrowser, expect, test } from './test';
import { addDevice, addPatient, addPerson, enter, feed, openSession, openWard, send, type Site } from './ward';

const nurse = 'nia@example.org';
/** A part of the dashboard, whose rest is looked at once. */
const openAlertsList = 'section[aria-labelledby="open-alerts"]';

let server: Site;
let stopFeed: () => void;
let steadySpo2: number;
/** Patients who are well until a test lets them fall. */
let crowd: number[];

test.beforeEach(async () => {
  server = await openWard();
  steadySpo2 = 97;
  crowd = [];
  const session = await openSession(server);
  await addPerson(server, session, { email: nurse, fname: 'Nia', lname: 'Newcomer', type: 'nurse', unitIds: [] });
  const falling = await addPatient(server, session, 'A-1', 'Sample');
  const racing = await addPatient(server, session, 'A-2', 'Ilves');
  const steady = await addPatient(server, session, 'A-3', 'Quist');
  stopFeed = feed(server, await addDevice(server), (takenAt) => [
    { patientId: falling, kind: 'spo2', value: 74, takenAt, quality: 'good' },
    { patientId: falling, kind: 'heartRate', value: 90, takenAt, quality: 'good' },
    { patientId: racing, kind: 'spo2', value: 97, takenAt, quality: 'good' },
    { patientId: racing, kind: 'heartRate', value: 155, takenAt, quality: 'good' },
    { patientId: steady, kind: 'spo2', value: steadySpo2, takenAt, quality: 'good' },
    { patientId: steady, kind: 'heartRate', value: 70, takenAt, quality: 'good' },
    ...crowd.map((patientId) => ({ patientId, kind: 'spo2', value: 74, takenAt, quality: 'good' })),
  ]);
});

test.afterEach(() => {
  stopFeed();
});

test('a desaturation reaches every screen, and so does who has it', async ({ page, browser }) => {
  const { page: other, close } = await anotherBrowser(browser);
  await open(page);
  await open(other, nurse);
  await expect(row(page, 'Sample, Sam')).toContainText('!!!74');
  await expect(row(page, 'Sample, Sam')).toContainText('North · Bed A-1 · MRN A-1');
  await expect(row(page, 'Ilves, Sam')).toContainText('!!!155');
  await expect(row(page, 'Quist, Sam')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /^Not taken yet 2/ })).toBeVisible();

  await test.step('at once, and it is over soon', async () => {
    steadySpo2 = 74;
    await expect.poll(async () => (await openAlerts(page)).length, { intervals: [100] }).toBe(3);
    // The polls alone would take up to 5 s.
    await Promise.all(
      [page, other].map((on) => expect(row(on, 'Quist, Sam')).toContainText('!!!74', { timeout: 4_000 })),
    );
    steadySpo2 = 97;
  });
  await expectNoAxeViolationsDayAndNight(page);
  // Drawn by the server, so that nothing below them moves when they appear.
  expect(await (await page.request.get(`${server.url}/dashboard`)).text()).toContain('data-priority="high"');

  await act(other, 'Sample, Sam', /^Acknowledge/, /Acknowledged by you, \d+ s ago/);
  await expect(row(page, 'Sample, Sam')).toContainText(/Acknowledged by Nia Newcomer, \d+ s ago/);
  await act(page, 'Sample, Sam', /^I’m on it/, /Taken by you, \d+ s ago/);
  await expect(row(other, 'Sample, Sam')).toContainText(/Taken by First Administrator, \d+ s ago/);
  await expect(row(other, 'Sample, Sam').getByRole('button', { name: /^Take over from First Admin/ })).toBeVisible();

  await test.step('it can be taken back at once, and the others see that too', async () => {
    await act(page, 'Sample, Sam', /^Undo/, /Acknowledged by Nia Newcomer/);
    await expect(row(other, 'Sample, Sam')).toContainText('Acknowledged by you');
  });
  await act(page, 'Sample, Sam', /^I’m on it/, /Taken by you, \d+ s ago/);
  await expect(row(other, 'Sample, Sam')).toContainText(/Taken by First Administrator, \d+ s ago/);
  await expectNoAxeViolationsDayAndNight(other, openAlertsList);

  await test.step('of two who act at once the second reads who was first', async () => {
    let release: () => void = () => undefined;
    const isTaken = new Promise<void>((resolve) => (release = resolve));
    await other.route('**/api/v2/alerts/take', async (route) => {
      await isTaken;
      await route.continue();
    });
    await row(other, 'Ilves, Sam').hover();
    const take = row(other, 'Ilves, Sam').getByRole('button', { name: /^I’m on it/ });
    const sending = row(other, 'Ilves, Sam').getByRole('button', { name: /^Sending …/ });
    await expect(async () => {
      await take.click({ timeout: 1_000 });
      await expect(sending).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await act(page, 'Ilves, Sam', /^I’m on it/, /Taken by you/);
    release();
    await expect(row(other, 'Ilves, Sam').getByRole('alert')).toContainText(
      'Not done. This alert has changed. First Administrator took it.',
    );
    await expect(row(other, 'Ilves, Sam')).toContainText(/Taken by First Administrator/);
  });

  await test.step('what is over stays until someone has acknowledged it', async () => {
    // Their lists hold still as long as the keyboard is in them.
    await leaveLists(page);
    await leaveLists(other);
    for (const on of [page, other]) {
      await expect(on.getByRole('heading', { name: /^Ended, not acknowledged 1/ })).toBeVisible();
      await expect(row(on, 'Quist, Sam')).toContainText(/Ended \d+ .*Not acknowledged\./);
    }
    await act(other, 'Quist, Sam', /^Acknowledge/, /Closed: acknowledged by Nia Newcomer/);
    await expect(row(page, 'Quist, Sam')).toHaveCount(0);
  });

  await test.step('the history says who answered and when, and where the alerts came from', async () => {
    const history = page.getByRole('menuitem', { name: 'History' });
    await expect(async () => {
      if (!(await history.isVisible())) {
        await row(page, 'Sample, Sam')
          .getByRole('button', { name: /^More about the alert/ })
          .click();
      }
      await history.click({ timeout: 1_000 });
    }).toPass();
    await expect(page).toHaveURL(/\/alerts\?patient=\d+$/);
    const found = page.getByRole('row', { name: /Sample, Sam/ });
    await expect(found).toHaveCount(1);
    await expect(found).toContainText(/Acknowledged after \d+.* s/);
    await expectNoAxeViolationsDayAndNight(page);
    await found.getByRole('button', { name: /^Log/ }).click();
    const log = page.getByRole('dialog', { name: 'Log of the alert' });
    await expect(log).toContainText('Raised with high priority: SpO2 very low');
    await expect(log).toContainText('Nia Newcomer acknowledged it');
    await page.goto(`${server.url}/alerts`);
    await page
      .getByRole('row', { name: /Quist, Sam/ })
      .getByRole('button', { name: /^Log/ })
      .click();
    await expect(log).toContainText(/Raised with high priority.*Condition ended.*Nia Newcomer acknowledged it/s);
    await page.keyboard.press('Escape');
    await page.getByText('Alarm budget').click();
    await expect(page.getByRole('region', { name: 'Noisiest patients' })).toContainText('Ilves, Sam');
    await expectNoAxeViolationsDayAndNight(page);
  });
  await close();
});

test('20 alerts that come and go move nothing under a resting pointer, and are shown above the list', async ({
  page,
}) => {
  await open(page);
  await expect(row(page, 'Sample, Sam')).toContainText('!!!');
  await expect(row(page, 'Ilves, Sam')).toContainText('!!!');
  const list = page.getByRole('region', { name: 'Open alerts' });
  const places = () =>
    list.getByRole('listitem').evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().top));
  const quiet: number[] = [];
  const session = await openSession(server, nurse);
  for (let bed = 1; bed <= 20; bed += 1) {
    quiet.push(await addPatient(server, session, `B-${bed}`, `Crowd${bed}`));
  }
  const button = row(page, 'Ilves, Sam').getByRole('button', { name: /^I’m on it/ });
  await button.hover();
  const middle = await middleOf(button);
  const under = () =>
    page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('li')?.textContent ?? '', middle);
  const before = await places();
  steadySpo2 = 74;
  await expect(page.locator('[data-news]')).toContainText(/!!!74.*Quist, Sam.*North · Bed A-3 · MRN A-3/);
  expect([await places(), await under()]).toEqual([before, expect.stringContaining('Ilves, Sam')]);
  await expect(row(page, 'Quist, Sam')).toHaveCount(0);
  await expectNoAxeViolationsDayAndNight(page, '[data-news]');

  await test.step('the pointer is over the same button in every frame', async () => {
    await watchUnder(page, middle);
    for (let from = 0; from < quiet.length; from += 5) {
      crowd.push(...quiet.slice(from, from + 5));
      await expect.poll(async () => (await openAlerts(page)).length).toBe(3 + crowd.length);
    }
    await expect(page.locator('[data-news]')).toContainText('+20 more');
    crowd = [];
    // A discharge closes the alerts of a patient that someone has seen.
    for (const { id, version, patientId } of await openAlerts(page)) {
      if (quiet.indexOf(patientId ?? 0) >= 10) {
        await send(server, session, 'POST', `/api/v2/alerts/${id}/acknowledge`, { version });
      }
    }
    for (const id of quiet.slice(10)) {
      const { version } = (await send(server, session, 'GET', `/api/v2/patients/${id}`)) as { version: number };
      await send(server, session, 'PATCH', `/api/v2/patients/${id}`, { version, state: 'discharged' });
    }
    await expect(page.locator('[data-news]')).toContainText('+10 more');
    expect(await seenUnder(page)).toEqual([expect.stringMatching(/^I’m on it.*Ilves, Sam/)]);
    expect(await places()).toEqual(before);
  });

  for (const { id, version } of await openAlerts(page)) {
    const body = { alerts: [{ id, version }] };
    await page.request.post(`${server.url}/api/v2/alerts/take`, {
      data: body,
      headers: session,
      failOnStatusCode: false,
    });
  }
  await expect(row(page, 'Ilves, Sam')).toContainText('Taken by Nia Newcomer');
  expect([(await places()).slice(0, 2), await under()]).toEqual([before, expect.stringContaining('Ilves, Sam')]);

  await page.mouse.move(0, 0);
  await expect(page.locator('[data-news]')).toHaveCount(0);
  await expect(row(page, 'Quist, Sam')).toContainText('Taken by Nia Newcomer');
});

test('by the keyboard alone: the worst patient, taken, and the focus never lost', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('heading', { name: /^Not taken yet 2/ })).toBeVisible();
  const first = page.locator('li [data-alert]').first();
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(first).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('a');
  await expect(first).toContainText('Acknowledged by you');
  await expect(first.getByRole('button', { name: /^I’m on it/ })).toBeFocused();
  await page.keyboard.press('t');
  await expect(first).toContainText('Taken by you');
  await expect(first.getByRole('button', { name: /^More/ })).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.locator('li [data-alert]').nth(1)).toBeFocused();
  await expect(page.locator('li [data-alert]').nth(1)).not.toContainText(/Acknowledged by|Taken by/);
  await page.keyboard.press('k');
  await expect(first).toBeFocused();

  await test.step('what came of it is recorded from the menu, and everyone reads it', async () => {
    const taken = row(page, 'Sample, Sam');
    const more = taken.getByRole('button', { name: /^More/ });
    const resolve = page.getByRole('menuitem', { name: 'Resolve …' });
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(more).toBeFocused({ timeout: 300 });
    }).toPass();
    await expect(async () => {
      await page.keyboard.press((await resolve.isVisible()) ? 'ArrowDown' : 'Enter');
      await expect(resolve).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Resolve the alert' });
    const outcome = drawer.getByRole('combobox', { name: 'What came of it' });
    await expect(outcome).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(outcome).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('Enter');
    await expect(outcome).toHaveAttribute('aria-expanded', 'false');
    await expect(drawer.getByTitle('Something was done')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(drawer.getByRole('textbox', { name: /^Note/ })).toBeFocused();
    await page.keyboard.type('Mask moved');
    await page.keyboard.press('Tab');
    await expect(drawer.getByRole('button', { name: 'Resolve' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(drawer).toBeHidden();
    await expect(taken).toContainText('First Administrator recorded: Something was done');
    // The list has moved on while the keyboard was in the drawer.
    await expect.poll(() => taken.evaluate((line) => line.contains(document.activeElement))).toBe(true);
  });

  await page.keyboard.press('k');
  await expect(page.getByRole('region', { name: 'Open alerts' }).getByRole('group', { name: /Ilves/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/patient_details\?ids=\d+$/);
});

test('with a call that is not answered the lamp is not green, and no one can take an alert', async ({ page }) => {
  // The stream would bring what a poll that hangs does not.
  await page.route('**/api/v2/events', (route) => route.abort());
  await open(page);
  const lamp = page.getByRole('banner').getByText(/^(Live|Alerts \d+ s old|No new value|Server not answering)/);
  const take = row(page, 'Sample, Sam').getByRole('button', { name: /^I’m on it/ });
  await expect(lamp).toHaveText(/^Live/);
  await expect(take).toBeEnabled();
  for (const [calls, said] of [
    ['**/api/v2/alerts*', /^Alerts \d+ s old/],
    ['**/api/v2/patients*', /^(No new value for|Server not answering)/],
  ] as const) {
    await page.route(calls, () => undefined);
    await expect(lamp).toHaveText(said);
    await expect(page.getByRole('button', { name: /Sound|SOUND/ })).toBeEnabled();
    if (calls.includes('alerts')) {
      await expect(take).toBeDisabled();
    }
    await page.unroute(calls);
    if (calls.includes('alerts')) {
      await page.reload();
      await expect(lamp).toHaveText(/^Live/);
      await expect(take).toBeEnabled();
    }
  }
});

test('an alert follows its patient to another unit, a shift to who has come, and stays without its monitor', async ({
  page,
  browser,
}) => {
  const { page: other, close } = await anotherBrowser(browser);
  const session = await openSession(server);
  // Units of their own: the alerts of the other patients sound for no one in them.
  const [west, south] = await Promise.all(
    ['West', 'South'].map(async (name) => {
      const { id } = (await send(server, session, 'POST', '/api/v2/units', { name })) as { id: number };
      return id;
    }),
  );
  const newcomer = (email: string, unitIds: number[]) =>
    addPerson(server, session, { email, fname: email.slice(0, 4), lname: 'Newcomer', type: 'nurse', unitIds });
  await newcomer('olga@example.org', [west ?? 0]);
  await newcomer('nora@example.org', [south ?? 0]);
  const patientId = await addPatient(server, session, 'A-9', 'Moved', 'West');
  for (const [on, email] of [
    [page, 'olga@example.org'],
    [other, 'nora@example.org'],
  ] as const) {
    await countPulses(on);
    await open(on, email);
    await enableSound(on);
    await on.mouse.move(0, 0);
  }
  /** Waits until a page has played the ten pulses of a HIGH alert after an act. */
  const expectHeard = async (on: Page, act: () => Promise<unknown>): Promise<void> => {
    const before = await pulsesOf(on);
    await act();
    await expect.poll(() => pulsesOf(on), { intervals: [100] }).toBeGreaterThanOrEqual(before + 10);
  };
  await expectHeard(page, async () => {
    crowd = [patientId];
    await expect(row(page, 'Moved, Sam')).toContainText('!!!74');
  });

  await test.step('a move asks those of the new unit, and leaves the screens of the former one', async () => {
    const { version } = (await send(server, session, 'GET', `/api/v2/patients/${patientId}`)) as { version: number };
    const moved = { version, location: { unit: 'South', bed: 'A-9' } };
    await expectHeard(other, () => send(server, session, 'PATCH', `/api/v2/patients/${patientId}`, moved));
    await expect(row(page, 'Moved, Sam')).toHaveCount(0);
  });
  await test.step('at the start of a shift it asks who has come, and no longer who has left', async () => {
    const east = (await send(server, session, 'POST', '/api/v2/units', { name: 'East' })) as { id: number };
    const leaving = await newcomer('tove@example.org', [east.id]);
    const coming = await newcomer('sven@example.org', [east.id]);
    const nursed = await addPatient(server, session, 'A-8', 'Shifted', 'East');
    for (const [on, email] of [
      [page, 'tove@example.org'],
      [other, 'sven@example.org'],
    ] as const) {
      await open(on, email);
      await enableSound(on);
    }
    const minute = 60_000;
    // The nurse alone is asked of the alert when the shift ends, within the first step's time.
    const start = Math.ceil((Date.now() + 25_000) / minute) * minute;
    const shiftStarts = [start - 720 * minute, start].map((at) => clockOf(at));
    const site = (await send(server, session, 'GET', '/api/v2/admin/site')) as { version: number };
    await send(server, session, 'PATCH', '/api/v2/admin/site', { version: site.version, shiftStarts });
    for (const [version, [shift, userId]] of [
      ['current', leaving],
      ['next', coming],
    ].entries()) {
      const place = { unitId: east.id, role: 'nurse', patientId: nursed };
      await send(server, session, 'PUT', '/api/v2/assignments', { ...place, shift, userId, version });
    }
    const soundOf = async (email: string): Promise<string | null> => {
      const own = await openSession(server, email);
      return alertSound.parse(await send(server, own, 'GET', '/api/v2/alerts/sound')).priority;
    };
    // The clock of a ward has whole minutes: the next one is up to 85 s away.
    await expect.poll(() => start - Date.now(), { intervals: [500], timeout: 90_000 }).toBeLessThan(30_000);
    await expectHeard(page, () => Promise.resolve(crowd.push(nursed)));
    expect(await soundOf('sven@example.org')).toBeNull();
    const before = await pulsesOf(other);
    await expect.poll(() => pulsesOf(other), { intervals: [100] }).toBeGreaterThanOrEqual(before + 10);
    expect(Date.now() - start).toBeGreaterThanOrEqual(0);
    await expect.poll(() => soundOf('tove@example.org')).toBeNull();
    await expect(row(page, 'Shifted, Sam')).toBeVisible();
    await open(other, 'nora@example.org');
  });
  await test.step('without its monitor it stays, and its value is marked as old', async () => {
    const { items } = (await send(server, session, 'GET', '/api/v2/devices')) as { items: { id: number }[] };
    const path = `/api/v2/devices/${items[0]?.id ?? 0}/assignment`;
    await send(server, session, 'POST', path, { mrn: 'A-9', dateOfBirth: '1950-03-07' });
    stopFeed();
    await send(server, session, 'DELETE', path, {});
    await expect(row(other, 'Moved, Sam')).toContainText('stale');
  });
  await close();
});

/** Opens the dashboard with the pointer beside the lists: they hold still under it. */
async function open(on: Page, email?: string): Promise<void> {
  await enter(on, server, email);
  await on.mouse.move(0, 0);
}

/** A time of the day at the ward, as the settings of the site take it. */
const clockOf = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' });

const row = (on: Page, name: string) =>
  on.getByRole('region', { name: 'Open alerts' }).getByRole('listitem').filter({ hasText: name });

/** Presses a button of a row and waits for what the row says then. After a move it ignores clicks for half a second. */
async function act(on: Page, name: string, button: RegExp, said: RegExp): Promise<void> {
  await row(on, name).hover();
  await expect(async () => {
    if (!said.test(await row(on, name).innerText())) {
      await row(on, name).getByRole('button', { name: button }).click({ timeout: 1_000 });
    }
    await expect(row(on, name)).toContainText(said, { timeout: 3_000 });
  }).toPass();
  await on.mouse.move(0, 0);
}

/** Takes the pointer and the keyboard out of the lists, as a click beside them does. */
async function leaveLists(on: Page): Promise<void> {
  await on.mouse.move(0, 0);
  await on.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  });
}

/** Notes the buttons that are at a place of the page, in every frame from now on. */
async function watchUnder(page: Page, place: { x: number; y: number }): Promise<void> {
  await page.evaluate(({ x, y }) => {
    const seen = new Set<Element | null>();
    const look = (): void => {
      seen.add(document.elementFromPoint(x, y)?.closest('button') ?? null);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { seen });
  }, place);
}

const seenUnder = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() =>
    [...(window as unknown as { seen: Set<Element | null> }).seen].map((button) => button?.textContent ?? null),
  );

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

/** Returns the open alerts with their versions. */
async function openAlerts(page: Page): Promise<{ id: number; version: number; patientId: number | null }[]> {
  const { items } = (await (await page.request.get(`${server.url}/api/v2/alerts`)).json()) as {
    items: { id: number; version: number; patientId: number | null }[];
  };
  return items;
}
