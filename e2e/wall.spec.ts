import type { Locator, Page } from '@playwright/test';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPatient, addPerson, enter, feed, openSession, send, startWard } from './ward';

const display = { email: 'north-wall@example.org', fname: 'North', lname: 'Wall', type: 'display' };
const beds = 24;

// An administrator ends the session of the display.
test.use({ expectedConsole: /^Failed to fetch the current user/ });

let server: TestServer;
let session: Record<string, string>;
let displayId: number;
let stopFeed: () => void;
let isFalling: boolean;

test.beforeEach(async () => {
  server = await startWard();
  isFalling = false;
  session = await openSession(server);
  const ids: number[] = [];
  for (const unit of ['North', 'South']) {
    for (let bed = 1; bed <= beds; bed += 1) {
      ids.push(await addPatient(server, session, `${unit[0] ?? ''}${bed}`, `Secretname${bed}`, unit));
    }
  }
  const { items } = (await send(server, session, 'GET', '/api/v2/units')) as { items: { id: number; name: string }[] };
  const unitIds = items.filter(({ name }) => name === 'North').map(({ id }) => id);
  displayId = await addPerson(server, session, { ...display, unitIds });
  stopFeed = feed(server, await addDevice(server), (takenAt) =>
    ids.flatMap((patientId, place) =>
      // The fourth bed has no values, the eighth a high rate from the start.
      place === 3
        ? []
        : [
            { patientId, kind: 'spo2', value: place === 12 && isFalling ? 74 : 95 + (place % 5), takenAt },
            { patientId, kind: 'heartRate', value: place === 7 ? 155 : 60 + (place % 30), takenAt },
          ],
    ),
  );
});

test.afterEach(async ({ page }) => {
  // First, because a page that is still open prints that its server is gone.
  await page.close();
  stopFeed();
  await server.remove();
});

test('a display shows its unit by bed, points at an alert in its place, names no one and opens nothing else', async ({
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
  isFalling = true;
  await expect(tiles.nth(12)).toHaveAttribute('data-priority', 'high', { timeout: 15_000 });
  await expect(tiles.nth(12)).toContainText('high-priority alert');
  expect(await boxesOf(tiles)).toEqual(before);
  expect(await page.content()).not.toMatch(/Secretname|1950/);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_080);
  await expectNoAxeViolationsDayAndNight(page);

  await expect(page.getByRole('link')).toHaveCount(0);
  for (const path of ['/patients', '/patient_details?ids=1', '/profile', '/admin/users']) {
    expect((await page.request.get(`${server.url}${path}`)).status()).toBe(403);
  }
  await send(server, session, 'POST', `/api/v2/admin/users/${displayId}/end-sessions`, {});
  await expect(page).toHaveURL(/sign_in\?next=%2Fwall/);
});

test('a physician sees 48 beds of both units on one screen', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await enter(page, server);
  isFalling = true;
  await page.goto(`${server.url}/wall`);
  const tiles = page.getByRole('main').getByRole('listitem');
  await expect(tiles).toHaveCount(2 * beds);
  expect((await sizesOf(tiles.first())).slice(0, 4)).toEqual(['56px', '36px', '20px', '14px']);
  await expect(tiles.nth(12)).toHaveAttribute('data-priority', 'high', { timeout: 15_000 });
});

async function signInDisplay(page: Page): Promise<void> {
  await page.goto(`${server.url}/sign_in`);
  await page.getByLabel('E-mail').fill(display.email);
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
