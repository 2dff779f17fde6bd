import type { Page } from '@playwright/test';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPatient, enter, feed, openSession, startWard } from './ward';

/** Far more than a screen holds. Everybody's heart rate is their own and stays; SpO2 changes each second. */
const count = 120;
const rateOf = (index: number): number => 40 + index;
const nameOf = (index: number): string => `Sample${String(index).padStart(3, '0')}`;
let server: TestServer;
let stopFeed: () => void;

test.beforeAll(async () => {
  server = await startWard();
  const session = await openSession(server);
  const ids: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    ids.push(await addPatient(server, session, `L-${index}`, nameOf(index)));
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

/** Name and heart rate of every row, as they stand there. */
const rows = (page: Page): Promise<string[]> =>
  page
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => `${row.querySelector('a')?.textContent ?? ''} ${/HR\s*(\d+)/.exec(row.textContent)?.[1] ?? ''}`),
    );
const everybody = Array.from({ length: count }, (_, index) => `${nameOf(index + 1)}, Sam ${rateOf(index + 1)}`);

// React draws the one as a whole, our time slicing the other.
for (const pageSize of [100, 500]) {
  const shown = everybody.slice(0, pageSize);
  const lastOne = Math.min(count, pageSize);

  test(`a page of up to ${pageSize} stays new off the screen, and everybody’s values are their own`, async ({
    page,
  }) => {
    await enter(page, server);
    await page.goto(`${server.url}/patients?pageSize=${pageSize}`);
    const last = page.locator('tbody tr').last().locator('[data-vital]').first();
    await expect(page.locator('tbody tr')).toHaveCount(lastOne);
    await expect(last).not.toBeInViewport();
    for (let change = 0; change < 3; change += 1) {
      const before = await last.textContent();
      await expect(last).not.toHaveText(before ?? '');
      expect(await rows(page)).toEqual(shown);
    }
    await expect(last).not.toBeInViewport();

    // To the end by the keyboard: the last row is drawn, in the same place and as new.
    await page.getByRole('checkbox', { name: `Select ${nameOf(lastOne)}, Sam, MRN L-${lastOne}` }).focus();
    await expect(last).toBeInViewport();
    await expect(page.locator('tbody tr').last()).toContainText(`${nameOf(lastOne)}, Sam`);
    await page.keyboard.press('Space');
    await expect(page.getByText('1 selected')).toBeVisible();
    expect(await rows(page)).toEqual(shown);
  });

  test(`the browser’s search finds a row off the screen of a page of up to ${pageSize}`, async ({ page }) => {
    await enter(page, server);
    await page.goto(`${server.url}/patients?pageSize=${pageSize}`);
    const found = await page.evaluate(
      (name) => {
        const find: unknown = Reflect.get(window, 'find');
        return typeof find === 'function' && Boolean(find.call(window, name));
      },
      nameOf(lastOne - 3),
    );
    expect(found).toBe(true);
    await expect(page.getByRole('link', { name: `${nameOf(lastOne - 3)}, Sam` })).toBeInViewport();
  });
}
