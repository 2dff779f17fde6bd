import type { Locator, Page } from '@playwright/test';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { expect, test } from './test';
import { addDevice, addPatient, enter, feed, openSession, openWard, signIn, type Site } from './ward';

const titles = [
  'Welcome to Wardlight',
  'The sections',
  'Alerts and newest values',
  'Your patients',
  'Select patients',
  'Check a patient',
  'Charts',
  'Notes, handoffs, issues',
  'Patient chart',
  'Done',
];

const wide = { width: 1280, height: 800 };
const narrow = { width: 400, height: 800 };
/** A window of 1280 x 800 that is zoomed to 200 %. */
const zoomed = { width: 640, height: 400 };

let server: Site;
let ids: number[];

test.use({ isFirstLogin: true });

test.beforeEach(async () => {
  server = await openWard();
  ids = [];
});

test('is in one tab, put off until the next sign-in, dismissed for ever, and shown again from the menu', async ({
  page,
  context,
}) => {
  await signIn(page, server);
  await test.step('“Show me later” hides it in all tabs until the next sign-in', async () => {
    await expect(card(page)).toHaveAccessibleName('Welcome to Wardlight');
    const other = await context.newPage();
    await other.goto(`${server.url}/dashboard`);
    await expectNoWalkthrough(other);
    await page.getByRole('button', { name: 'Show me later' }).click();
    await expect(card(page)).toHaveCount(0);
    expect(await record(page)).toBeNull();
    const third = await context.newPage();
    await third.goto(`${server.url}/dashboard`);
    await expectNoWalkthrough(third);
    await expectNoWalkthrough(other);
    await third.close();
    await other.close();
    await signOut(page);
    await signIn(page, server);
  });
  await page.getByRole('button', { name: 'Dismiss all Wardlight walkthrough steps' }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goto(`${server.url}/patients`);
  // The menu opens without a script; its entries act once the page is idle.
  await expectNoWalkthrough(page);
  await showAgain(page);
  await page.getByRole('button', { name: 'Dismiss all Wardlight walkthrough steps' }).click();
  await expect(page).toHaveURL(`${server.url}/`);

  await test.step('the record outlives the session', async () => {
    await signOut(page);
    expect(await record(page)).toEqual({ step: 0, status: 'completed' });
    await signIn(page, server);
    await expectNoWalkthrough(page);
  });

  await test.step('a press counts while its card moves, as it does when the page scrolls', async () => {
    await showAgain(page);
    await expect(card(page)).toHaveAccessibleName(titles[0] ?? '');
    await next(page).hover();
    await page.mouse.down();
    await card(page).evaluate((element) => {
      element.style.transform = 'translateY(-120px)';
    });
    await page.mouse.up();
    await expect(card(page)).toHaveAccessibleName(titles[1] ?? '');
  });
  await test.step('it is in one tab, and ends in the others with it', async () => {
    const last = await context.newPage();
    await last.goto(`${server.url}/dashboard`);
    await expectNoWalkthrough(last);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(`${server.url}/`);
    await page.close();
    await expectNoWalkthrough(last);
  });
});

test.describe('with the warnings of a target on another page', () => {
  test.use({ expectedConsole: /^Target not mounted$/ });

  test('shows all ten steps wide and narrow, without a patient and with 24 by the keyboard and with axe', async ({
    page,
  }) => {
    await enter(page, server);
    for (const [index, title] of titles.entries()) {
      await expectStep(page, index, title, [wide, narrow]);
      await next(page).click();
    }
    await expect(page).toHaveURL(`${server.url}/`);
    expect(await record(page)).toEqual({ step: 10, status: 'completed' });

    await addPatients(24);
    await showAgain(page);
    for (const [index, title] of titles.entries()) {
      await expectStep(page, index, title, [narrow, wide]);
      if (index === 4) {
        await page.reload();
        await expectStep(page, index, title, [narrow, wide]);
        await expect(page.locator('[data-tour="patient-row"] input')).toBeChecked();
        await expect(page.locator('tbody input:checked')).toHaveCount(1);
      }
      await expect(next(page)).toBeFocused();
      await expectNoAxeViolationsDayAndNight(page, index === 0 ? undefined : '[data-tour-card]');
      await page.keyboard.press('Enter');
    }
    await expect(page).toHaveURL(`${server.url}/`);
  });

  test('shows all ten steps with one patient, zoomed to 200 %, also after a reload, and ends by Done', async ({
    page,
  }) => {
    await addPatients(1);
    await page.setViewportSize(zoomed);
    await enter(page, server);
    for (const [index, title] of titles.entries()) {
      // A step scrolls to its target when it begins, and all begin in the low window.
      await expectStep(page, index, title, [zoomed]);
      await expectTargetInSight(page, index);
      if (index > 0) {
        await expect(card(page)).toContainText(`${index + 1} of 10`);
      }
      await page.reload();
      await expectStep(page, index, title, [wide, narrow]);
      expect(await record(page)).toEqual(index === 0 ? null : { step: index, status: 'ongoing' });
      if (index === 4) {
        await expect(page.locator('[data-tour="patient-row"] input')).toBeChecked();
      }
      await page.setViewportSize(zoomed);
      if (index < titles.length - 1) {
        await next(page).press('Enter');
      }
    }
    await page.locator('[data-tour="done"]').click();
    await expect(page).toHaveURL(`${server.url}/patients`);
    expect(await record(page)).toEqual({ step: 9, status: 'completed' });
    await expectNoWalkthrough(page);
  });
});

test('makes room for a real alert, which is acknowledged and taken over the card', async ({ page }) => {
  await addPatients(2);
  const [falling = 0] = ids;
  const token = await addDevice(server);
  await enter(page, server);
  await next(page).click();
  await expect(card(page)).toHaveAccessibleName('The sections');
  const bar = page.getByRole('region', { name: 'Alerts during the walkthrough' });
  await expect(bar).toContainText('No alert needs someone');
  const stop = feed(server, token, (takenAt) => [
    { patientId: falling, kind: 'spo2', value: 74, takenAt, quality: 'good' },
  ]);
  try {
    await expect(page.getByText('Walkthrough paused, 2 of 10')).toBeVisible();
    await expect(card(page)).toHaveCount(0);
    await expect(bar).toContainText(/Bed A-1.*SpO2 74 %/);
    expect((await bar.boundingBox())?.height).toBe(48);
    // The bar ignores a press for half a second after an alert has come, and says so.
    const acknowledge = bar.getByRole('button', { name: /^Acknowledge/ });
    await expect(async () => {
      if ((await acknowledge.count()) > 0) {
        await acknowledge.click();
      }
      await expect(acknowledge).toHaveCount(0, { timeout: 5_000 });
    }).toPass();
    await page.getByRole('button', { name: 'Continue the walkthrough' }).click();
    await expect(card(page)).toHaveAccessibleName('The sections');
    // Above the overlay, and not under the card.
    await bar.getByRole('button', { name: /^I’m on it/ }).click();
    await expect(bar).toContainText('Taken by you');
    await expect(card(page)).toHaveAccessibleName('The sections');
    expect(await record(page)).toEqual({ step: 1, status: 'ongoing' });
  } finally {
    stop();
  }
});

test.describe('while the server is out of reach', () => {
  test.use({ expectedConsole: /^Failed to (update last active|fetch the current user)/ });

  test('keeps each target 20 px below NOT LIVE and what else stays at the top, and waits for a page', async ({
    page,
  }) => {
    await addPatients(4);
    // Low, so that the page has to be scrolled to its targets.
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.clock.install();
    // A page that was not signed in through asks who its user is; without an answer it would show nothing.
    const known = page.waitForResponse(/getCurrentUser/);
    await enter(page, server);
    await expect(card(page)).toHaveAccessibleName('Welcome to Wardlight');
    await known;
    await page.route('**/api/**', (route) => route.abort());
    const banner = page.getByText(/^NOT LIVE since/);
    await expect
      .poll(() => page.clock.fastForward(1_000).then(() => banner.isVisible()), { intervals: [100] })
      .toBe(true);
    for (const [index, title] of titles.entries()) {
      await expect(card(page)).toHaveAccessibleName(title);
      await expect(banner).toBeInViewport({ ratio: 1 });
      await expectCardInSight(page, index);
      await expectTargetInSight(page, index);
      if (index === 2) {
        // Neither the page nor the server behind it: the walkthrough waits, also for a user who stays.
        await page.route('**/_next/data/**', (route) => route.abort());
        await next(page).click();
        const chip = page.getByRole('button', { name: 'Continue walkthrough (4 of 10)' });
        await expect(chip).toBeVisible();
        await page.getByRole('button', { name: 'Stay here' }).click();
        await expect(page.getByText(/^Not reachable/)).toHaveCount(0);
        await page.unroute('**/_next/data/**');
        await chip.click();
      } else if (index < titles.length - 1) {
        await next(page).click();
      }
    }

    // At its end the page stays until the server answers.
    await page.route('**/*', (route) => route.abort());
    await next(page).click();
    await expect(card(page)).toHaveCount(0);
    await expect(page.locator('#content')).toBeVisible();
    await expect(page.getByText('Not reachable - opening as soon as the server answers')).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await expect
      .poll(() => page.clock.fastForward(1_000).then(() => page.url()), { intervals: [100] })
      .toBe(`${server.url}/`);
  });
});

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'First Administrator' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/sign_in/);
}

async function showAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'First Administrator' }).click();
  await page.getByRole('button', { name: 'Show the walkthrough' }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await expect(card(page)).toHaveAccessibleName('Welcome to Wardlight');
}

/** The card of a step is in sight in windows of these sizes; the last of them stays. */
async function expectStep(
  page: Page,
  index: number,
  title: string,
  sizes: readonly { width: number; height: number }[],
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expect(card(page)).toHaveAccessibleName(title);
    await expectCardInSight(page, index);
  }
}

function card(page: Page): Locator {
  return page.locator('[data-tour-card]');
}

function next(page: Page): Locator {
  return card(page).locator('[data-tour-primary] button');
}

async function record(page: Page): Promise<unknown> {
  return page.evaluate(
    (key) => JSON.parse(localStorage.getItem(key) ?? 'null') as unknown,
    `wardlight-onboarding-tour-${server.userId}`,
  );
}

async function addPatients(count: number): Promise<void> {
  const session = await openSession(server);
  for (let at = 1; at <= count; at += 1) {
    ids.push(await addPatient(server, session, `A-${at}`, `Sample${at}`));
  }
}

/** All of the card is in the window, as wide as the specification says, and it covers neither bar nor header. */
async function expectCardInSight(page: Page, index: number): Promise<void> {
  const isWelcome = index === 0;
  const width = isWelcome ? 360 : 400;
  // A low window has not the room between what stays at its top and its end.
  const isCentred = isWelcome && (page.viewportSize()?.height ?? 0) >= 700;
  await expect(next(page)).toBeInViewport({ ratio: 1 });
  await expect(async () => {
    const places = await page.evaluate(() => {
      const box = document.querySelector('[data-tour-card]')?.getBoundingClientRect();
      const bar = document.querySelector('#tour-bar')?.getBoundingClientRect();
      const header = document.querySelector('header')?.getBoundingClientRect();
      return box === undefined || bar === undefined || header === undefined
        ? null
        : {
            isWithin:
              box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight && box.width > 0,
            width: box.width,
            isCentred:
              Math.abs(box.left + box.right - innerWidth) <= 2 && Math.abs(box.top + box.bottom - innerHeight) <= 2,
            isBelow: box.top >= Math.max(bar.bottom, header.bottom),
          };
    });
    const room = (page.viewportSize()?.width ?? 0) - 32;
    expect(places).toMatchObject({ isWithin: true, width: Math.min(width, room), isBelow: true });
    expect(places?.isCentred || !isCentred).toBe(true);
  }).toPass();
}

const targets = [
  'sidebar',
  'alerts',
  'patients-table',
  'patient-row',
  'check-patient',
  'charts',
  'notes',
  'patient-chart',
  'done',
];

/**
 * The top of the target is at least 20 px below everything that stays at the top of the window over it. Above what the
 * page begins with there is nothing to scroll to, and the sections and the notes beside a patient stay there
 * themselves: these are not covered. Nor does the card cover the target from its top to its end.
 */
async function expectTargetInSight(page: Page, index: number): Promise<void> {
  if (index === 0) {
    return;
  }
  const target = page.locator(`[data-tour="${targets[index - 1]}"]`).first();
  await expect(async () => {
    const { distance, isAtRest, isCovered } = await target.evaluate((element) => {
      const at = element.getBoundingClientRect();
      const edges = [...document.querySelectorAll<HTMLElement>('body *')].flatMap((other) => {
        const { position, top } = getComputedStyle(other);
        const box = other.getBoundingClientRect();
        const isStuck = position === 'fixed' || (position === 'sticky' && Math.abs(box.top - parseFloat(top)) <= 1);
        const isOver = box.left < at.right && box.right > at.left && box.height > 0 && box.top < at.top;
        const isOther = !other.contains(element) && !element.contains(other);
        // The overlay and the card are the walkthrough itself.
        return isStuck && isOver && isOther && other.closest('#react-joyride-portal') === null ? [box.bottom] : [];
      });
      let stays = false;
      for (let each: Element | null = element; each !== null; each = each.parentElement) {
        stays ||= ['fixed', 'sticky'].includes(getComputedStyle(each).position);
      }
      const card = document.querySelector('[data-tour-card]')?.getBoundingClientRect();
      return {
        distance: at.top - Math.max(0, ...edges),
        isAtRest: stays || scrollY === 0,
        isCovered:
          card === undefined ||
          at.top > innerHeight ||
          (card.top <= at.top && card.bottom >= at.bottom && card.left <= at.left && card.right >= at.right),
      };
    });
    expect(isCovered).toBe(false);
    expect(distance, `px from what stays at the top to the target of step ${index + 1}`).toBeGreaterThanOrEqual(
      // Half a pixel for a scale of 200 %.
      isAtRest ? 0 : 19.5,
    );
  }).toPass();
}

/** Its code has had time to be loaded: what the page asks for when it is idle has come. */
async function expectNoWalkthrough(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'First Administrator' })).toBeVisible();
  await page.evaluate(async () => {
    await new Promise((settle) => requestIdleCallback(settle, { timeout: 10_000 }));
  });
  await expect(card(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Continue walkthrough/ })).toHaveCount(0);
}
