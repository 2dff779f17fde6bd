import type { Page } from '@playwright/test';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPatient, enter, feed, openSession, startWard } from './ward';

/**
 * Far more than fits on a screen. Each patient has a heart rate of their own, which stays; SpO2 changes each second.
 */
const count = 120;
const rateOf = (index: number): number => 40 + index;
let server: TestServer;
let stopFeed: () => void;

test.beforeAll(async () => {
  server = await startWard();
  const session = await openSession(server);
  const ids: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    ids.push(await addPatient(server, session, `L-${index}`, `Sample${String(index).padStart(3, '0')}`));
  }
  const token = await addDevice(server);
  let beat = 0;
  stopFeed = feed(server, token, (takenAt) => {
    beat += 1;
    return ids.flatMap((patientId, index) => [
      { patientId, kind: 'spo2', value: 90 + ((index + beat) % 9), takenAt, quality: 'good' },
      { patientId, kind: 'heartRate', value: rateOf(index + 1), takenAt, quality: 'good' },
    ]);
  });
});

test.afterAll(async () => {
  stopFeed();
  await server.remove();
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

test('a list longer than the screen stays current outside it, and every row shows its own patient’s values', async ({
  page,
}) => {
  await enter(page, server);
  await page.goto(`${server.url}/patients?pageSize=500`);
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
  await page.getByRole('checkbox', { name: `Select Sample${count}, Sam, MRN L-${count}` }).focus();
  await expect(last).toBeInViewport();
  await expect(page.locator('tbody tr').last()).toContainText(`Sample${count}, Sam`);
  await page.keyboard.press('Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  expect(await rows(page)).toEqual(everybody);
});

test('the browser’s search in the page finds a row outside the screen', async ({ page }) => {
  await enter(page, server);
  await page.goto(`${server.url}/patients?pageSize=500`);
  const found = await page.evaluate(() => {
    const find: unknown = Reflect.get(window, 'find');
    return typeof find === 'function' && Boolean(find.call(window, 'Sample117'));
  });
  expect(found).toBe(true);
  await expect(page.getByRole('link', { name: 'Sample117, Sam' })).toBeInViewport();
});
