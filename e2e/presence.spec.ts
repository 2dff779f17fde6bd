import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { countPulses, enableSound, pulsesOf } from './sound';
import { anotherBrowser, expect, test } from './test';
import { addDevice, addPatient, addPerson, enter, feed, openSession, send, signIn, openWard, type Site } from './ward';

const nurse = 'nia@example.org';
/** Samples of sound in 5 ms, at 44.1 kHz. */
const windowLength = 220;

let server: Site;
let stopFeed: () => void;
let steadySpo2: number;

test.beforeEach(async () => {
  server = await openWard();
  steadySpo2 = 97;
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
  ]);
});

test.afterEach(() => {
  stopFeed();
});

test('by polls alone a new alert is on every page, in a hidden tab and on a locked screen without a name', async ({
  page,
  context,
  browser,
}) => {
  const { page: locked, close } = await anotherBrowser(browser);
  for (const one of [context, locked.context()]) {
    await one.route('**/api/v2/events', (route) => route.abort());
  }
  await enter(page, server, undefined, '/profile');
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: '2 alerts need someone' })).toBeVisible();
  await expect(page).toHaveTitle('(2!) Profile - Wardlight');
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/icon-high.svg');
  await expectNoAxeViolationsDayAndNight(page);
  await page.goto(`${server.url}/`);
  await expect(page.getByRole('region', { name: 'Alerts' })).toContainText('2 alerts need someone');

  const hidden = await context.newPage();
  await hidden.goto(`${server.url}/profile`);
  await expect(hidden).toHaveTitle('(2!) Profile - Wardlight');
  await hide(hidden);
  await signIn(locked, server, nurse);
  await locked.getByRole('button', { name: 'Nia Newcomer' }).click();
  await locked.getByRole('button', { name: 'Lock screen' }).click();
  const strip = locked.getByRole('region', { name: 'Open alerts' });
  await expect(strip.getByRole('listitem')).toHaveCount(2);
  await expect(strip.getByRole('listitem').first()).toContainText(/North · Bed A-[12].*High.*\d\d:\d\d.*not taken/);
  await expect(locked).toHaveTitle('(2!) Locked - Wardlight');
  await expectNoAxeViolationsDayAndNight(locked);
  const expectWithinAPoll = async (count: number): Promise<void> => {
    const session = await openSession(server, nurse);
    const awaited = async (): Promise<number> => (await openAlerts(session)).filter((one) => !one.accepted).length;
    await expect.poll(awaited, { intervals: [100] }).toBe(count);
    // A poll comes every 5 s; on a busy machine its answer is some frames late.
    const timeout = 8_000;
    const text = `${count} alerts need someone`;
    await Promise.all([
      expect(header.getByRole('link', { name: text })).toBeVisible({ timeout }),
      expect(hidden).toHaveTitle(`(${count}!) Profile - Wardlight`, { timeout }),
      expect(strip.getByText(text)).toBeVisible({ timeout }),
      expect(locked).toHaveTitle(`(${count}!) Locked - Wardlight`, { timeout }),
    ]);
  };
  steadySpo2 = 74;
  await expectWithinAPoll(3);
  const session = await openSession(server);
  const [first] = await openAlerts(session);
  await send(server, session, 'POST', '/api/v2/alerts/take', { alerts: [{ id: first?.id, version: first?.version }] });
  await expectWithinAPoll(2);
  await expect(hidden.locator('link[rel="icon"]')).toHaveAttribute('href', '/icon-high.svg');
  expect(await locked.content()).not.toMatch(/Sample|Ilves|Quist/);
  await header.getByRole('link', { name: '2 alerts need someone' }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await close();
});

test('the browsers of all whom an alert asks sound it, each in one tab, and another tab takes over at once', async ({
  page,
  browser,
  context,
}) => {
  // No one is assigned, so the whole unit is asked.
  const { page: other, close } = await anotherBrowser(browser);
  for (const screen of [page, other]) {
    await countPulses(screen);
  }
  const second = await context.newPage();
  await countPulses(second);
  await enter(page, server);
  await expect(page.getByRole('button', { name: 'NO SOUND' })).toBeVisible();
  expect(await pulsesOf(page)).toBe(0);
  await enableSound(page);
  // The test itself, and the ten pulses of a HIGH alert.
  await expect.poll(() => pulsesOf(page)).toBeGreaterThanOrEqual(13);
  await recordNotifications(other);
  await signIn(other, server, nurse);
  await enableSound(other, { notify: true });
  // Bed and priority, and no name; the user looks at another window.
  await expect
    .poll(async () => (await notificationsOf(other)).sort())
    .toEqual(['High priority alert: North · Bed A-1', 'High priority alert: North · Bed A-2']);
  await expect.poll(() => pulsesOf(other)).toBeGreaterThanOrEqual(13);

  // A second tab of the first browser is silent until the first one closes.
  await second.goto(`${server.url}/patients`);
  const chip = second.getByRole('banner').getByRole('link', { name: '2 alerts need someone' });
  const place = await chip.boundingBox();
  await enableSound(second);
  expect(await chip.boundingBox()).toEqual(place);
  await expect.poll(() => pulsesOf(second)).toBe(3);
  // As a user closes it: the page hears of it and says nothing of the calls that end with it.
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => pulsesOf(second), { timeout: 2_000 }).toBeGreaterThanOrEqual(13);

  // On a locked screen as well; a pause is on every screen.
  await other.getByRole('button', { name: 'Nia Newcomer' }).click();
  await other.getByRole('button', { name: 'Lock screen' }).click();
  await expect(other.getByRole('button', { name: 'Sound on' })).toBeVisible();
  const session = await openSession(server);
  for (const { id, version } of await openAlerts(session)) {
    const paused = await fetch(`${server.url}/api/v2/alerts/${id}/pause-audio`, {
      method: 'POST',
      headers: session,
      body: JSON.stringify({ version, seconds: 120 }),
    });
    expect(paused.status).toBe(200);
  }
  for (const screen of [second, other]) {
    const paused = screen.getByRole('button', { name: /^Sound paused [12]:\d\d$/ });
    await expect(paused).toHaveAttribute('title', 'Sound paused by F. Administrator');
  }
  expect(await chip.boundingBox()).toEqual(place);
  await close();
});

test('the sounds keep the bounds of alarm signals, rendered as a browser plays them', async ({ page }) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { bursts } from './lib/sound/bursts';
        import { scheduleBurst } from './lib/browser/scheduleBurst';
        window.render = async (signal) => {
          const context = new OfflineAudioContext(1, 44100 * 5, 44100);
          scheduleBurst(context, bursts[signal], 0.6, 0);
          const samples = (await context.startRendering()).getChannelData(0);
          // The loudest sample of each window.
          return Array.from({ length: Math.floor(samples.length / ${windowLength}) }, (_, at) =>
            Math.max(...samples.subarray(at * ${windowLength}, (at + 1) * ${windowLength}).map(Math.abs)));
        };`,
      resolveDir: join(__dirname, '..'),
      loader: 'ts',
    },
    bundle: true,
    write: false,
  });
  await page.goto('about:blank');
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const expected = { high: [10, 150], medium: [3, 180], low: [1, 180] } as const;
  for (const [signal, [count, lengthMs]] of Object.entries(expected)) {
    const loudest = await page.evaluate(
      (name) => (window as unknown as { render: (name: string) => Promise<number[]> }).render(name),
      signal,
    );
    const pulses = pulsesIn(loudest);
    expect(pulses.length, signal).toBe(count);
    for (const { startMs, endMs } of pulses) {
      expect(Math.abs(endMs - startMs - lengthMs), `${signal} at ${startMs}`).toBeLessThanOrEqual(15);
    }
    expect(loudest.every((sample) => sample <= 1)).toBe(true);
  }
});

/** Returns the open alerts, as the server knows them. */
async function openAlerts(session: Record<string, string>) {
  const response = await send(server, session, 'GET', '/api/v2/alerts');
  return (response as { items: { id: number; version: number; accepted: object | null }[] }).items;
}

/**
 * Makes a page that of a hidden tab, whose timers a browser calls once a minute. A headless browser never hides a tab:
 * the test does it.
 */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    const late = window.setTimeout;
    window.setTimeout = ((then: () => void, ms = 0) => late(then, Math.max(ms, 60_000))) as typeof window.setTimeout;
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    Object.defineProperty(document, 'hidden', { get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

/** Notes what the page shows as notifications, as a browser that asks and is allowed to, behind another window. */
async function recordNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: string[] = [];
    class Recorded {
      static permission = 'default';
      static requestPermission(): Promise<string> {
        Recorded.permission = 'granted';
        return Promise.resolve('granted');
      }
      constructor(title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`);
      }
      close(): void {
        // Nothing is on the screen.
      }
    }
    document.hasFocus = () => false;
    Object.assign(window, { Notification: Recorded, shown });
  });
}

const notificationsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { shown: string[] }).shown);

/** The stretches of sound: windows with a sample above a twentieth of the loudest. */
function pulsesIn(loudest: readonly number[]): { startMs: number; endMs: number }[] {
  const peak = Math.max(...loudest);
  const pulses: { startMs: number; endMs: number }[] = [];
  let isSound = false;
  for (const [at, loud] of loudest.entries()) {
    const ms = ((at * windowLength) / 44_100) * 1_000;
    const last = pulses.at(-1);
    const isOn = loud > peak / 20;
    if (isOn && isSound && last !== undefined) {
      last.endMs = ms + 5;
    } else if (isOn) {
      pulses.push({ startMs: ms, endMs: ms + 5 });
    }
    isSound = isOn;
  }
  return pulses;
}
