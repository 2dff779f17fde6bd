import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { loadSqlite } from '../server/db/loadSqlite';
import { startReportReceiver, type ReportReceiver } from '../test/reportReceiver';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPatient, addPerson, enter, ingest, openSession, openWard, signIn, startWard } from './ward';

// What the page logs of an error that a test causes.
test.use({
  expectedConsole: /^(A page could not be drawn|Error$|Uncaught |Failed to update last active|Failed to fetch the)/,
});

const message =
  'Something went wrong. We have notified the Wardlight technical team and they have already started investigating.';
let receiver: ReportReceiver;
let server: TestServer;

test.beforeAll(async () => {
  receiver = await startReportReceiver();
  server = await startWard({ SENTRY_DSN: receiver.dsn });
});
test.afterAll(async () => {
  await server.remove();
  await receiver.stop();
});
test.beforeEach(() => {
  receiver.received.length = 0;
});

/** The product's own error handling gets it like any other error; nothing in the product exists to fail. */
async function throwIn(page: Page, text: string): Promise<void> {
  await page.evaluate((words) => {
    window.dispatchEvent(new ErrorEvent('error', { error: new TypeError(words), message: words }));
  }, text);
}

/**
 * Makes the page component that Next gives React throw when it is drawn, as its own fault would: each page in Next's
 * list of loaded pages gets its rendering replaced.
 */
async function breakPages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    interface Loaded {
      default: unknown;
    }
    type Entry = [route: string, load: () => Loaded];
    const broken = ([route, load]: Entry): Entry => [
      route,
      () => {
        const page = load();
        return route.startsWith('/_')
          ? page
          : {
              ...page,
              default: () => {
                throw new Error('A page was asked to throw');
              },
            };
      },
    ];
    let push: (entry: Entry) => unknown = () => undefined;
    const list: Entry[] = [];
    const pages = {
      // What was pushed before Next had loaded waits in the list; from then on Next's own function takes it.
      get push() {
        return (entry: Entry) => {
          const changed = broken(entry);
          list.push(changed);
          return push(changed);
        };
      },
      set push(taken: (entry: Entry) => unknown) {
        push = taken;
      },
      map: (callback: (entry: Entry) => unknown) => list.map(callback),
      forEach: (callback: (entry: Entry) => void) => {
        list.forEach(callback);
      },
    };
    Object.defineProperty(window, '__NEXT_P', { get: () => pages, set: () => undefined });
  });
}

async function itemsOf(type: string): Promise<Record<string, unknown>[]> {
  return await Promise.resolve(
    receiver
      .items()
      .filter((item) => item.type === type)
      .map(({ json }) => json),
  );
}

/** The address of every page, except those of the frame, and of setup, which is done. */
async function pageAddresses(): Promise<string[]> {
  const files = await readdir(join(__dirname, '..', 'pages'), { recursive: true });
  return files
    .filter((file) => /^(?!_|404|setup)[\w/]+\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\.tsx$/, '').replace(/^index$/, '')}`);
}

/**
 * The pages of a run: those with a shell or a form of their own and three others, in each run other ones; all of them
 * with `FUZZ_ROUNDS`. One boundary shows the message, and one setting masks every text.
 */
async function pagesOfRun(always: readonly string[]): Promise<string[]> {
  const all = await pageAddresses();
  expect(all).toEqual(expect.arrayContaining([...always]));
  const others = all.filter((address) => !always.includes(address));
  const from = randomInt(others.length);
  const chosen = [...others.slice(from), ...others.slice(0, from)].slice(0, 3);
  return process.env.FUZZ_ROUNDS === undefined ? [...always, ...chosen] : all;
}

/** Waits until the SDK has loaded and records. */
async function untilRecorded(page: Page): Promise<void> {
  // The session outlives a page; the recorder's worker belongs to this page.
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('sentryReplaySession') !== null)).toBe(true);
}

test('every page that throws shows a message and a report id, reports it, prints no text, and keeps the shell', async ({
  page,
  context,
}) => {
  const session = await openSession(server);
  const id = await addPatient(server, session, 'A-1', 'Sample');
  await enter(page, server);
  await breakPages(context);
  const printed: string[] = [];
  context.on('console', (line) => printed.push(line.text()));
  context.on('weberror', (problem) => printed.push(problem.error().message));
  await test.step('the console has the kinds of errors, and nothing of their text', async () => {
    await page.goto(`${server.url}/dashboard`);
    await expect(page.getByText(message)).toBeVisible();
    await throwIn(page, 'MRN 4711 is missing');
    await page.evaluate(() => {
      setTimeout(() => {
        throw new RangeError('MRN 4712 is missing');
      });
      void Promise.reject(new SyntaxError('MRN 4713 is missing'));
    });
    const said = (): string => printed.join('\n');
    await expect.poll(said).toContain('Uncaught TypeError');
    await expect.poll(said).toContain('Uncaught RangeError');
    await expect.poll(said).toContain('Uncaught (in promise) SyntaxError');
    expect(said()).toContain('A page could not be drawn');
    expect(said()).not.toMatch(/MRN|asked to throw/);
  });
  receiver.received.length = 0;
  for (const address of [...(await pagesOfRun(['/patient_details', '/admin/errors', '/wall'])), '/no_such_page']) {
    await test.step(address, async () => {
      await page.goto(server.url + address + (address === '/patient_details' ? `?ids=${id}` : ''));
      // If a page redirects, the other page throws.
      const { pathname } = new URL(page.url());
      await expect(page.getByText(message)).toBeVisible();
      await expect(page.getByRole('img', { name: 'Wardlight' }).first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible();
      const report = await page.locator('code').textContent();
      await expect
        .poll(async () => (await itemsOf('event')).find(({ event_id }) => event_id === report))
        .toMatchObject({ release: 'wardlight@0.1.0', transaction: pathname === '/no_such_page' ? '/:text' : pathname });
      expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight + 1)).toBe(true);
    });
  }
  // The shell around the page survives: the clock goes on, and the outage of the server is shown.
  await page.goto(`${server.url}/patients`);
  await expect(page.getByText(message)).toBeVisible();
  const clock = page.getByRole('banner');
  const before = await clock.textContent();
  await expect.poll(() => clock.textContent()).not.toBe(before);
  await expectNoAxeViolationsDayAndNight(page);
  await page.route('**/api/**', (route) => route.abort());
  await expect(page.getByText(/NOT LIVE since/)).toBeVisible();
  await expect(page.getByText(message)).toBeVisible();
});

test('25 words about people and patients, typed on the screens, are in no report, recording, log or address', async ({
  page,
}) => {
  const words = Array.from({ length: 25 }, (_, count) => `Zq${String.fromCharCode(97 + count)}vexmark`);
  const next = (
    (turn) => () =>
      words[turn++ % words.length] ?? ''
  )(0);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));

  // Names, numbers and values of a patient, and the content of a form when it failed.
  const session = await openSession(server);
  const created = await fetch(`${server.url}/api/v2/patients`, {
    method: 'POST',
    headers: session,
    body: JSON.stringify({
      mrn: next(),
      givenName: next(),
      familyName: next(),
      dateOfBirth: '1931-02-17',
      location: { unit: next(), bed: next() },
    }),
  });
  const { id } = (await created.json()) as { id: number };
  const token = await addDevice(server);
  const takenAt = new Date().toISOString();
  await ingest(server, token, [{ patientId: id, kind: 'spo2', value: 91, takenAt, quality: 'good' }]);
  await page.goto(`${server.url}/sign_in`);
  await page.getByLabel('E-mail').fill(`${next()}@example.org`);
  await page.getByLabel('Password').fill(next());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signIn(page, server);
  await untilRecorded(page);

  for (const address of await pagesOfRun(['/patient_details', '/patients', '/profile', '/check_in', '/admin/site'])) {
    await test.step(address, async () => {
      await page.goto(server.url + address + (address === '/patient_details' ? `?ids=${id}` : ''));
      const fields = page.locator(
        'input:not([type]):visible, input:is([type=text],[type=search],[type=email],[type=password]):visible, ' +
          'textarea:visible',
      );
      for (const field of await fields.all()) {
        if (await field.isEditable()) {
          await field.fill(next());
        }
      }
      const [thrown, refused, noted, title] = [next(), next(), next(), next()];
      const before = (await itemsOf('event')).length;
      // Reports are not guaranteed: a receiver that takes long gets the next one, and the words go through again.
      await expect(async () => {
        await page.evaluate(
          ([inError, inRejection, inConsole, inTitle]) => {
            // oxlint-disable-next-line no-console -- what a page prints is what must not be reported
            console.info(inConsole);
            document.title = inTitle ?? '';
            document.body.title = inTitle ?? '';
            document.body.click();
            Promise.reject(new Error(inRejection)).catch((reason: unknown) => {
              window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
            });
            window.dispatchEvent(new ErrorEvent('error', { error: new Error(inError), message: inError ?? '' }));
          },
          [thrown, refused, noted, title],
        );
        await expect.poll(async () => (await itemsOf('event')).length, { timeout: 15_000 }).toBeGreaterThan(before);
      }).toPass();
    });
  }
  // The last words are recorded, too, before the test searches for them, and so are links to patients.
  await untilRecorded(page);
  await page.goto(`${server.url}/patients`);
  await expect(page.locator('a[href*="ids="]').first()).toBeVisible();
  await untilRecorded(page);
  const recordings = receiver.items().filter(({ type }) => type === 'replay_recording').length;
  // As above: a busy machine may have dropped one, and of two alike the SDK drops the second.
  let thrown = 0;
  await expect(async () => {
    await throwIn(page, `the last one, ${(thrown += 1)}`);
    await expect
      .poll(() => receiver.items().filter(({ type }) => type === 'replay_recording').length, { timeout: 15_000 })
      .toBeGreaterThan(recordings);
  }).toPass({ timeout: 90_000 });

  const kinds = new Set(receiver.items().map(({ type }) => type));
  expect([...kinds]).toEqual(expect.arrayContaining(['event', 'transaction', 'replay_event', 'replay_recording']));
  const cookies = (await page.context().cookies()).filter(({ name }) => /token/i.test(name)).map(({ value }) => value);
  const secrets = [...words, '1931-02-17', 'correct horse battery', 'robin@example.org', token, ...cookies];
  const places = {
    receiver: JSON.stringify(
      receiver.received.map(({ url, headers, items }) => [url, headers, items.map(({ text }) => text)]),
    ),
    log: server.output(),
    addresses: requested.join('\n'),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(0);
    expect(
      secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase())),
      place,
    ).toEqual([]);
  }
  // No value either: every recorded text is asterisks. The last page is always recorded; another one if it was open for
  // the five seconds that the recorder collects before it sends.
  const texts = receiver
    .items()
    .flatMap(({ type, text }) => (type === 'replay_recording' ? recordedTexts(JSON.parse(text)) : []));
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => !/^[\s*]*$/.test(text))).toEqual([]);
  expect(places.receiver).not.toContain('ids=');
});

/** Returns the text nodes of a recording, except its style sheets. */
function recordedTexts(node: unknown): string[] {
  if (Array.isArray(node)) {
    return node.flatMap(recordedTexts);
  }
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  const { type, textContent, isStyle, ...rest } = node as Record<string, unknown>;
  const own = type === 3 && typeof textContent === 'string' && isStyle !== true ? [textContent] : [];
  return [...own, ...Object.values(rest).flatMap(recordedTexts)];
}

test('errors of pages, their replay and the server’s reach a receiver, and one that hangs slows no one', async ({
  page,
}) => {
  await signIn(page, server);
  await untilRecorded(page);
  await page.getByRole('link', { name: 'Patients', exact: true }).first().click();
  await expect(page).toHaveURL(/\/patients/);
  await throwIn(page, 'Moreau is not here');
  await expect.poll(async () => (await itemsOf('event')).length).toBe(1);
  const [event] = await itemsOf('event');
  expect(event).toMatchObject({
    environment: 'production',
    release: 'wardlight@0.1.0',
    transaction: '/patients',
    user: { id: '1' },
    sdk: { name: 'sentry.javascript.nextjs' },
  });
  await expect.poll(async () => (await itemsOf('replay_recording')).length).toBeGreaterThan(0);
  const [replay] = await itemsOf('replay_event');
  expect(replay).toMatchObject({ type: 'replay_event', urls: expect.arrayContaining(['/patients']) });
  expect(event?.tags).toEqual({ replayId: replay?.replay_id });
  await expect
    .poll(async () => (await itemsOf('transaction')).map(({ transaction }) => transaction))
    .toEqual(expect.arrayContaining(['/sign_in', '/patients']));

  // An unforeseen fault: a table is missing when a session reads patients for the first time.
  const session = await openSession(server);
  const reader = { email: 'kim@example.org', fname: 'Kim', lname: 'Reader', type: 'physician', unitIds: [] };
  await addPerson(server, session, reader);
  const headers = await openSession(server, reader.email);
  const Database = loadSqlite();
  const database = new Database(join(server.dataDir, 'wardlight.db'));
  database.exec('ALTER TABLE audit_head RENAME TO hidden');
  const response = await fetch(`${server.url}/patients`, { headers });
  database.exec('ALTER TABLE hidden RENAME TO audit_head');
  database.close();
  expect(response.status).toBe(500);
  const html = await response.text();
  expect(html).toContain(message);
  const id = /<code>([0-9a-f]{32})<\/code>/.exec(html)?.[1];
  await expect
    .poll(async () => (await itemsOf('event')).find(({ event_id }) => event_id === id))
    .toMatchObject({
      transaction: '/patients',
      platform: 'node',
      release: 'wardlight@0.1.0',
    });
  const direct = receiver.received.filter(({ items }) => items.some(({ json }) => json.event_id === id));
  expect(direct.map(({ url }) => url)).toEqual([expect.stringContaining('/api/7/envelope/')]);
  await expect.poll(() => server.output()).toContain(`"report":"${id}","page":"/patients"`);
  expect(server.output()).not.toContain('audit_head');

  await test.step('a receiver that is down or hangs slows no one', async () => {
    receiver.hang = true;
    await addPatient(server, session, 'B-1', 'Known');
    await page.goto(`${server.url}/patients`);
    for (let count = 0; count < 20; count += 1) {
      await throwIn(page, `error ${count}`);
    }
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    await addPatient(server, session, 'B-2', 'Newcomer');
    await expect(page.getByText('Newcomer')).toBeVisible();
    await receiver.stop();
    await throwIn(page, 'one more');
    await addPatient(server, session, 'B-3', 'Latecomer');
    await expect(page.getByText('Latecomer')).toBeVisible();
    await expect(page.getByText(/NOT LIVE since/)).toBeHidden();
    expect(await server.stop()).toBe(0);
  });
});

test('without a receiver nothing leaves, and the errors are at /admin/errors', async ({ page }) => {
  const own = await openWard();
  const addresses = new Set<string>();
  page.on('request', (request) => addresses.add(new URL(request.url()).origin));
  await enter(page, own, undefined, '/patients');
  const kept = page.waitForResponse(`${own.url}/monitoring`);
  await throwIn(page, 'Cannot read properties of undefined');
  expect((await kept).status()).toBe(200);
  const withheld = page.waitForResponse(`${own.url}/monitoring`);
  await throwIn(page, 'Moreau is not here');
  expect((await withheld).status()).toBe(200);
  await page.goto(`${own.url}/admin/errors`);
  const row = page.getByRole('row', { name: /TypeError: Cannot read properties of undefined/ });
  await expect(row).toBeVisible();
  await expect(row).toContainText('/patients');
  await expect(row).toContainText('wardlight@0.1.0');
  const id = (await row.locator('code').textContent()) ?? '';
  await page.getByLabel('Report ID').fill(id.slice(0, 8).toUpperCase());
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectNoAxeViolationsDayAndNight(page);
  expect(await page.locator('body').textContent()).not.toContain('Moreau');
  expect([...addresses]).toEqual([new URL(own.url).origin]);
});
