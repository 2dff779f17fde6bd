import type { Page } from '@playwright/test';
import { expectNoAxeViolations, expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { expect, test } from './test';
import { firstLoadLimits } from '../test/firstLoadLimits';
import { addDevice, addPatient, emailAt, enter, feed, openSession, signIn, openWard, type Site } from './ward';

const count = 24;
let server: Site;
let ids: number[];
let stopFeed: () => void;

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  ids = [];
  for (let index = 1; index <= count; index += 1) {
    ids.push(await addPatient(server, session, `A-${index}`, `Sample${index}`));
  }
  // The last one never reports, the one before has no signal, the others are at 90 and above.
  const [, ...reporting] = ids.toReversed();
  const token = await addDevice(server);
  stopFeed = feed(server, token, (takenAt) =>
    reporting.flatMap((patientId, index) => [
      {
        patientId,
        kind: 'spo2',
        value: index === 0 ? 0 : 90 + (index % 8),
        takenAt,
        quality: index === 0 ? 'invalid' : 'good',
      },
      { patientId, kind: 'heartRate', value: 60 + index, takenAt, quality: 'good' },
    ]),
  );
});

test.afterAll(async () => {
  stopFeed();
});

const chooseTheme = async (page: Page, name: 'Day' | 'Night'): Promise<void> => {
  await page.getByRole('button', { name: 'First Administrator' }).click();
  await page.getByLabel(name, { exact: true }).check();
  await page.keyboard.press('Escape');
  await expect(page.locator('html')).toHaveAttribute('data-theme', name === 'Night' ? 'dark' : 'light');
};

/** Presses Tab until the wanted element has the focus, as users without a mouse do. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < 80; pressed += 1) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
    });
    if (text.trim().startsWith(name)) {
      return;
    }
  }
  throw new Error(`No Tab leads to ${name}`);
}

test('shows the patients that do not report and why, and the others from the lowest value up', async ({ page }) => {
  await enter(page, server);
  await expect(page.getByRole('table', { name: /^No signal/ }).getByRole('link')).toHaveText(['Sample23, Sam']);
  await expect(page.getByRole('table', { name: /^Never reported/ }).getByRole('link')).toHaveText(['Sample24, Sam']);
  const values = page.getByRole('table', { name: /^Lowest first/ }).locator('tbody td:nth-child(4) [data-figure]');
  await expect(values).toHaveCount(count - 2);
  const shown = (await values.allInnerTexts()).map(Number);
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  const widthOf = async (id: string): Promise<number> =>
    (await page.locator(`section[aria-labelledby="${id}"]`).boundingBox())?.width ?? 0;
  expect(await widthOf('not-reporting')).toBe(await widthOf('latest-values'));
  await page.setViewportSize({ width: 1920, height: 900 });
  await expect.poll(() => widthOf('not-reporting')).toBe(360);
  // The rail is beside both other parts: however long it is, the values follow the alerts.
  const boxOf = async (id: string) => await page.locator(`section[aria-labelledby="${id}"]`).boundingBox();
  const [alerts, latest] = [await boxOf('open-alerts'), await boxOf('latest-values')];
  expect((latest?.y ?? 0) - (alerts?.y ?? 0) - (alerts?.height ?? 0)).toBe(24);
  // A line is requested once a minute, and the server has its first minute a moment after the values.
  await expect(async () => {
    await page.reload();
    await expect(page.locator('tbody [data-kind="spo2"] path')).toHaveCount(count - 2, { timeout: 3_000 });
  }).toPass();

  await test.step('no rule made in the browser overrides those of the night: its files alone style it', async () => {
    await expect(page.getByRole('table', { name: /^Lowest first/ })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('style').evaluateAll((sheets) => sheets.map(({ textContent }) => textContent))).toEqual(
      [],
    );
  });
});

/**
 * Opens an address and returns the compressed kilobytes of its first load: scripts that were asked for up to the
 * response `until`, and the style sheets that the document names.
 */
async function firstLoadKb(page: Page, address: string, until: RegExp): Promise<{ scripts: number; styles: number }> {
  const loaded: Promise<{ kind: string; path: string; bytes: number }>[] = [];
  page.on('requestfinished', (request) => {
    loaded.push(
      request.sizes().then(({ responseBodySize: bytes }) => ({
        kind: request.resourceType(),
        path: new URL(request.url()).pathname,
        bytes,
      })),
    );
  });
  const last = page.waitForResponse((response) => until.test(new URL(response.url()).pathname));
  const html = (await (await page.goto(address))?.text()) ?? '';
  await (await last).finished();
  page.removeAllListeners('requestfinished');
  const files = await Promise.all(loaded);
  const sum = (counts: (file: (typeof files)[number]) => boolean): number =>
    files.filter(counts).reduce((bytes, file) => bytes + file.bytes, 0) / 1_000;
  return {
    scripts: sum(({ kind }) => kind === 'script'),
    styles: sum(({ kind, path }) => kind === 'stylesheet' && html.includes(path)),
  };
}

test('sign-in and the pages of a ward load no more than their limits, and notes nothing that parses', async ({
  page,
  browser,
}) => {
  const { signInScripts, scripts, dashboardScripts, styles } = firstLoadLimits;
  const pages = [
    { path: '/sign_in', limit: signInScripts, state: undefined, until: /later\.[^/]*css$/ },
    { path: '/dashboard', limit: dashboardScripts, state: page, until: /^\/api\/v2\/patients$/ },
    { path: '/patients', limit: scripts, state: page, until: /^\/api\/v2\/patients$/ },
  ];
  await enter(page, server);
  for (const { path, limit, state, until } of pages) {
    // Each with an empty cache.
    const fresh = await browser.newContext({ storageState: await state?.context().storageState() });
    const load = await firstLoadKb(await fresh.newPage(), `${server.url}${path}`, until);
    expect(load.scripts, `scripts of ${path}`).toBeGreaterThan(150);
    expect(load.scripts, `scripts of ${path}`).toBeLessThanOrEqual(limit);
    expect(load.styles, `styles of ${path}`).toBeGreaterThan(5);
    expect(load.styles, `styles of ${path}`).toBeLessThanOrEqual(styles);
    await fresh.close();
  }

  await test.step('the notes of a patient come without the code that parses, which the page has loaded', async () => {
    await enter(page, server);
    await page.getByRole('link', { name: 'Sample1, Sam' }).click();
    await expect(page).toHaveURL(/\/patient_details\?ids=\d+$/);
    // Fetched again: the browser forgets the bodies of a page that has gone on.
    const addresses: string[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') {
        addresses.push(request.url());
      }
    });
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'New note' })).toBeVisible();
    page.removeAllListeners('requestfinished');
    const scripts = [...new Set(addresses)].map(async (address) => await (await page.request.get(address)).text());
    const withNotes = (await Promise.all(scripts)).filter((text) => text.includes('New note'));
    expect(withNotes).toHaveLength(1);
    // A name that zod gives every schema.
    expect(withNotes[0]).not.toContain('~standard');
  });
});

test('leads by the keyboard alone from sign-in to a patient and back, finds one, and keeps a view', async ({
  page,
}) => {
  await page.goto(`${server.url}/`);
  await expect(page).toHaveURL(`${server.url}/sign_in`);
  await page.keyboard.type(emailAt(server));
  await page.keyboard.press('Tab');
  await page.keyboard.type('correct horse battery');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${server.url}/dashboard`);

  await test.step('past the header into the content', async () => {
    await page.reload();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Sample23');
    // The first alerts of the ward may come just now: a press right after the rows have moved is ignored, and said.
    await expect(async () => {
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/patient_details\?ids=\d+$/, { timeout: 5_000 });
    }).toPass();
  });

  await test.step('the sidebar', async () => {
    await tabTo(page, 'Open the sidebar');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Collapse' })).toBeFocused();
    await tabTo(page, 'Patients');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${server.url}/patients`);
  });

  await test.step('the views and the columns', async () => {
    await tabTo(page, 'Not reporting');
    await page.keyboard.press('Enter');
    await expect(page.getByText('2 of 24 patients do not report SpO2.')).toBeVisible();
    await tabTo(page, 'Columns');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Born' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'MRN' })).toBeVisible();
  });

  await test.step('both are kept after a reload of the bare address', async () => {
    await page.goto(`${server.url}/patients`);
    await expect(page).toHaveURL(`${server.url}/patients?view=not_reporting`);
    await expect(page.getByRole('button', { name: 'Born' })).toBeHidden();
  });

  await test.step('a patient is found from any page, and no address ever contains what was typed', async () => {
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`${server.url}/dashboard`);
    // Only a page that runs knows how old its values are; before that no one hears a key.
    await expect(page.getByText(/^Live \d/)).toBeVisible();
    for (const keys of ['/', 'Control+k']) {
      await page.keyboard.press(keys);
      await expect(page.getByRole('combobox', { name: 'Name or MRN' })).toBeFocused();
      await page.keyboard.type('sample1');
      await expect(page.getByRole('dialog').getByRole('option')).toHaveCount(8);
      await expectNoAxeViolations(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/patient_details\?ids=\d+$/);
      await expect(page.getByRole('heading', { name: /Sample1\d/ }).first()).toBeVisible();
    }
    await page.keyboard.press('/');
    await page.keyboard.type('sample1');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    expect(addresses.filter((address) => address.includes('sample1'))).toEqual([]);
  });

  await test.step('a view of the list is kept under a name, without any patient data', async () => {
    await page.goto(`${server.url}/patients?sort=-spo2`);
    // As above: what is chosen before the page runs is lost.
    await expect(page.getByText(/^Live \d/)).toBeVisible();
    await page.getByRole('combobox', { name: 'Unit', exact: true }).selectOption('North');
    const address = /\/patients\?unit=\d+&sort=-spo2$/;
    await expect(page).toHaveURL(address);
    await page.getByRole('searchbox').fill('Sample1');
    await expect(page.getByRole('row')).toHaveCount(12);
    await page.getByRole('button', { name: 'Saved views' }).focus();
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Name for the current list');
    await expect(field).toBeVisible();
    await expectNoAxeViolations(page);
    await page.keyboard.press('Tab');
    await expect(field).toBeFocused();
    await page.keyboard.type('Night round');
    await page.keyboard.press('Enter');
    await expect(page.getByText('“Night round” is saved.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(field).toBeHidden();
    const view = page
      .getByRole('group', { name: 'Saved views', exact: true })
      .getByRole('button', { name: 'Night round' });
    await expect(view).toHaveAttribute('aria-pressed', 'true');
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    expect(kept).toMatch(/^(?!.*Sample).*Night\+round/s);

    await page.getByRole('button', { name: 'All patients' }).click();
    await expect(view).toHaveAttribute('aria-pressed', 'false');
    await page.getByRole('button', { name: 'First Administrator' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(`${server.url}/sign_in`);
    await signIn(page, server);
    await page.goto(`${server.url}/patients`);
    await view.click();
    await expect(page).toHaveURL(address);
  });
});

test('the columns are chosen without a violation, and a ward is printed on one sheet in day colours', async ({
  page,
}) => {
  await enter(page, server, undefined, '/patients');
  await chooseTheme(page, 'Day');
  await chooseTheme(page, 'Night');
  await page.getByRole('button', { name: 'Columns' }).click();
  await expectNoAxeViolationsDayAndNight(page);
  await page.keyboard.press('Escape');
  await page.locator('html').evaluate((html) => {
    html.dataset.theme = 'dark';
  });

  await test.step('a ward is printed on one sheet in day colours, with the time and that it is not live', async () => {
    await expect(page.locator('[data-state="live"]').first()).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText(/^NOT LIVE\. Printed \d\d \w+ \d{4}, \d\d:\d\d:\d\d /)).toBeVisible();
    await expect(page.getByText('All 24 patients of the list.')).toBeVisible();
    for (const name of ['Print', 'Columns', 'Add patient', 'Find patient']) {
      await expect(page.getByRole('button', { name })).toBeHidden();
    }
    await expect(page.getByRole('navigation', { name: 'Sections' })).toBeHidden();
    const [text, paper] = await page.evaluate(() => {
      const style = getComputedStyle(document.body);
      return [style.color, style.backgroundColor];
    });
    expect({ text, paper }).toEqual({ text: 'rgba(16, 24, 40, 0.88)', paper: 'rgba(0, 0, 0, 0)' });
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g);
    expect(sheets).toHaveLength(1);
  });
});
