import type { Locator, Page } from '@playwright/test';
import { blurred } from './blurred';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { settled } from './settled';
import { expect, test } from './test';
import { addDevice, addPatient, addPerson, emailAt, enter, feed, openSession, send, openWard, type Site } from './ward';

const display = { email: 'north-wall@example.org', fname: 'North', lname: 'Wall', type: 'display' };
/** Reaches the 48 beds of two units, and not the one bed of the third. */
const nurse = { email: 'noor@example.org', fname: 'Noor', lname: 'Both', type: 'nurse' };
const beds = 24;

// An administrator ends the session of the display, and a server is away.
test.use({ expectedConsole: /^Failed to (fetch the current user|update last active)/ });

let server: Site;
let session: Record<string, string>;
let displayId: number;
let firstId: number;
let unitIds: Record<string, number>;
let stopFeed: () => void;
/** By unit and bed. Each test lets a bed of its own fall. */
const falling = new Set<string>();

test.beforeAll(async () => {
  server = await openWard();
  session = await openSession(server);
  const places = ['North', 'South'].flatMap((unit) => Array.from({ length: beds }, (_, at) => ({ unit, bed: at + 1 })));
  const patients: { id: number; place: string }[] = [];
  for (const { unit, bed } of [...places, { unit: 'West', bed: 1 }]) {
    const place = `${unit[0] ?? ''}${bed}`;
    patients.push({ id: await addPatient(server, session, place, `Secretname${place}`, unit), place });
  }
  firstId = patients[0]?.id ?? 0;
  const { items } = (await send(server, session, 'GET', '/api/v2/units')) as { items: { id: number; name: string }[] };
  unitIds = Object.fromEntries(items.map(({ id, name }) => [name, id]));
  const { North: north = 0, South: south = 0 } = unitIds;
  displayId = await addPerson(server, session, { ...display, unitIds: [north] });
  await addPerson(server, session, { ...nurse, unitIds: [north, south] });
  stopFeed = feed(server, await addDevice(server), (takenAt) =>
    patients.flatMap(({ id: patientId, place }, at) =>
      // The fourth bed has no values, the eighth a high rate from the start.
      place === 'N4'
        ? []
        : [
            { patientId, kind: 'spo2', value: falling.has(place) ? 74 : 95 + (at % 5), takenAt },
            { patientId, kind: 'heartRate', value: place === 'N8' ? 155 : 60 + (at % 30), takenAt },
          ],
    ),
  );
});

test.afterAll(async () => {
  stopFeed();
});

test('a display shows its unit by bed, points at an alert, opens nothing else, and says when it is ended', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await signInDisplay(page);
  const tiles = page.getByRole('main').getByRole('listitem');
  await expect(tiles).toHaveCount(beds);
  await expect(tiles.first()).toContainText('N1');
  await expect(tiles.first()).toContainText('SS');
  await expect(tiles.nth(3)).toContainText('--');
  await expect(tiles.nth(7)).toHaveAttribute('data-tile', 'filled');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await sizesOf(tiles.nth(12))).toEqual(['88px', '56px', '28px', '20px', '8px']);

  const before = await boxesOf(tiles);
  falling.add('N13');
  await expect(tiles.nth(12)).toHaveAttribute('data-priority', 'high');
  await expect(tiles.nth(12)).toContainText('high-priority alert');
  expect(await boxesOf(tiles)).toEqual(before);
  expect(await page.content()).not.toMatch(/Secretname|1950-03/);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_080);
  await expectNoAxeViolationsDayAndNight(page);

  await expect(page.getByRole('link')).toHaveCount(0);
  for (const path of ['/patients', '/patient_details?ids=1', '/profile', '/admin/users']) {
    expect((await page.request.get(`${server.url}${path}`)).status()).toBe(403);
  }
  expect((await page.request.get(`${server.url}/wall?unit=${unitIds.South}`)).status()).toBe(404);
  await send(server, session, 'POST', `/api/v2/admin/users/${displayId}/end-sessions`, {});
  await expect(page).toHaveURL(/sign_in\?next=%2Fwall/);

  await test.step('it says so for the whole corridor when its session is ended or its account disabled', async () => {
    const corridor = { ...display, email: 'corridor-wall@example.org', unitIds: [unitIds.North ?? 0] };
    const id = await addPerson(server, session, corridor);
    await signInDisplay(page, corridor.email);
    const off = page.getByRole('alert').filter({ hasText: /^NOT SHOWING PATIENTS since \d\d:\d\d/ });
    const ends = [
      () => send(server, session, 'POST', `/api/v2/admin/users/${id}/end-sessions`, {}),
      () => send(server, session, 'PATCH', `/api/v2/admin/users/${id}`, { version: 1, isDisabled: true }),
    ];
    for (const end of ends) {
      await expect(tiles).toHaveCount(beds);
      await end();
      await expect(page).toHaveURL(/sign_in\?next=%2Fwall/);
      await expect(off).toBeVisible();
      expect(await off.locator('strong').evaluate((element) => getComputedStyle(element).fontSize)).toBe('88px');
      expect(await page.content()).not.toMatch(/data-tile|data-vital/);
      await expect(page.getByLabel('Password')).toBeInViewport();
      await page.getByLabel('E-mail').fill(emailAt(server, corridor.email));
      await page.getByLabel('Password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
    }
    await expect(page.getByText(/^Sign-in failed/)).toBeVisible();
    await expect(off).toBeVisible();
  });
});

test('a nurse sees the 48 beds of two units on one screen, and a user of more chooses a unit by the keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await enter(page, server, nurse.email);
  falling.add('S3');
  await page.goto(`${server.url}/wall`);
  const tiles = page.getByRole('main').getByRole('listitem');
  await expect(tiles).toHaveCount(2 * beds);
  expect((await sizesOf(tiles.first())).slice(0, 4)).toEqual(['56px', '36px', '20px', '14px']);
  await expect(tiles.nth(beds + 2)).toHaveAttribute('data-priority', 'high');

  await test.step('a user of more than 48 beds chooses a unit by the keyboard', async () => {
    await enter(page, server, undefined, '/wall');
    await expect(page.getByRole('heading', { name: 'Choose a unit' })).toBeVisible();
    await expect(page.getByText('49 patients: a wall shows at most 48.')).toBeVisible();
    const choice = page.getByRole('main').getByRole('listitem');
    await expect(choice).toHaveText(['North', 'South', 'West']);
    await expectNoAxeViolationsDayAndNight(page);
    await choice.getByRole('link', { name: 'South' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'South' })).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/wall?unit=${unitIds.South}`);
    await expect(tiles).toHaveCount(beds);
    await expect(tiles.getByText(/^S\d+$/)).toHaveCount(beds);
  });

  await test.step('blurred, the alerting places alone are in alarm colours, and nothing is stronger', async () => {
    for (const { path, places } of [
      { path: '/patients?pageSize=50', places: 'tbody tr' },
      { path: `/wall?unit=${unitIds.North}`, places: 'main li' },
    ]) {
      await page.goto(server.url + path);
      await expect(page.locator(places).locator('[data-mark="filled"]')).not.toHaveCount(0);
      for (const [width, height, theme] of [
        [1280, 800, 'light'],
        [1920, 1080, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.locator('html').evaluate((html, name) => {
          html.dataset.theme = name;
        }, theme);
        await settled(page);
        const { alerting, inColour, strongest } = await blurred(page, places);
        expect(alerting, path).not.toEqual([]);
        expect(inColour, `${path}, ${width}, ${theme}`).toEqual(alerting);
        expect(alerting, `${path}, ${width}, ${theme}`).toContain(strongest);
      }
    }
  });
});

test('says over its full width that it is not live, moves nothing, and is live again at once after', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.clock.install();
  await signInDisplay(page);
  const tiles = page.getByRole('main').getByRole('listitem');
  await expect(tiles.nth(7)).toHaveAttribute('data-tile', 'filled');
  const before = await boxesOf(tiles);

  await page.route('**/api/**', (route) => route.abort());
  const began = await page.evaluate(() => Date.now());
  const bar = page
    .getByRole('alert')
    .locator('div')
    .filter({ hasText: /^NOT LIVE since \d\d:\d\d:\d\d - last data shown/ });
  await expect.poll(() => page.clock.fastForward(1_000).then(() => bar.isVisible()), { intervals: [100] }).toBe(true);
  // It has had no answer for 10 s.
  expect((await page.evaluate(() => Date.now())) - began).toBeLessThan(13_000);
  expect(await bar.boundingBox()).toMatchObject({ x: 0, width: 1920 });
  await expect(bar).toContainText('Look at the patients and the bedside monitors.');
  await expect(tiles.nth(7)).toHaveCSS('filter', 'grayscale(1)');

  await page.unroute('**/api/**');
  await expect(bar).toBeHidden();
  await expect(tiles.first().locator('[data-state]').first()).toHaveAttribute('data-state', 'live');
  await expect(tiles.nth(7)).toHaveCSS('filter', 'none');
  expect(await boxesOf(tiles)).toEqual(before);
});

test('nothing shifts while values change, nor on the wall, the list and under a pointer while alerts arrive', async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    const shifts: Shifts = { sum: 0, moved: [] };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        shifts.sum += value;
        shifts.moved.push(...sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? ''));
      }
    }).observe({ type: 'layout-shift' });
  });
  await enter(page, server);
  await page.waitForLoadState('networkidle');
  const open = async (path: string): Promise<Page> => {
    const screen = await context.newPage();
    await screen.goto(server.url + path);
    await screen.waitForLoadState('networkidle');
    return screen;
  };
  const list = await open('/patients');
  const wall = await open(`/wall?unit=${unitIds.South}`);
  const pointed = [page, await open('/patients')];
  const details = await open(`/patient_details?ids=${firstId}`);
  // On a busy machine the network may be idle before the page has drawn its charts.
  await expect(details.locator('canvas')).toHaveCount(2);
  const screens = [list, wall, ...pointed, details];
  await list.mouse.move(0, 0);
  for (const screen of pointed) {
    await screen.locator('tbody tr').nth(2).hover();
  }

  await Promise.all(screens.map(async (screen) => await shiftsOf(screen)));
  await Promise.all(screens.map((screen) => screen.waitForResponse(/\/api\/v2\/(patients|wall|vitals)/)));
  for (const screen of screens) {
    await expectNoShift(screen);
  }

  for (const bed of ['S20', 'S21', 'S22']) {
    falling.add(bed);
  }
  await expect(list.locator('tr[data-priority="high"]', { hasText: 'S20' })).toBeVisible();
  await expect(wall.getByRole('listitem').filter({ hasText: 'S20' })).toHaveAttribute('data-priority', 'high');
  for (const screen of pointed) {
    await expect(screen.locator('[data-news]')).toContainText('Secretname');
  }
  for (const screen of [list, wall, ...pointed]) {
    await expectNoShift(screen);
  }
});

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: readonly { node: Node | null }[];
}

/** How much has shifted, as browsers add it up (CLS), and the texts of what has. */
interface Shifts {
  sum: number;
  moved: string[];
}

/** Returns what has shifted since this was called last. */
const shiftsOf = (screen: Page): Promise<Shifts> =>
  screen.evaluate(() => {
    const { shifts } = window as unknown as { shifts: Shifts };
    const found = { ...shifts };
    Object.assign(shifts, { sum: 0, moved: [] });
    return found;
  });

async function expectNoShift(screen: Page): Promise<void> {
  const { sum, moved } = await shiftsOf(screen);
  expect(sum, `${screen.url()}: ${moved.join(' | ')}`).toBeLessThanOrEqual(0.01);
}

async function signInDisplay(page: Page, email = display.email): Promise<void> {
  await page.goto(`${server.url}/sign_in`);
  await page.getByLabel('E-mail').fill(emailAt(server, email));
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${server.url}/wall`);
}

/** SpO2, rate, bed, initials and the width of the frame. */
async function sizesOf(tile: Locator): Promise<string[]> {
  return await tile.evaluate((element) => {
    const sizeOf = (part: Element | null | undefined): string => (part ? getComputedStyle(part).fontSize : '');
    const [spo2, rate] = element.querySelectorAll('[data-number]');
    return [
      sizeOf(spo2),
      sizeOf(rate),
      sizeOf(element.querySelector('strong')),
      sizeOf(element.querySelector('strong + span')),
      getComputedStyle(element).borderTopWidth,
    ];
  });
}

async function boxesOf(tiles: Locator): Promise<string[]> {
  return await tiles.evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].join();
    }),
  );
}
