import fc from 'fast-check';
import { errorReports } from '../../lib/monitoring/schema';
import { apiEngines } from '../../test/database';
import { type ReportReceiver, startReportReceiver } from '../../test/reportReceiver';
import { startTestServer, type TestServer } from '../../test/testServer';
import { HttpError } from '../http/httpError';
import { envelopeUrl, parseDsn } from './dsn';
import { parseEnvelope, writeEnvelope } from './envelope';
import { createFaultBudget } from './faultBudget';

describe('dsn', () => {
  describe('parseDsn', () => {
    it.each([
      '',
      'https://reports.example/7',
      'https://key:secret@reports.example/7',
      'https://key@reports.example',
      'https://key@reports.example/',
      'https://key@reports.example/seven',
      'https://key@reports.example./7',
      'https://key@reports.example\\@evil.example/7',
      'https://key@reports.example@evil.example/7',
      'https://key@reports.example/7?x=1',
      'https://key@reports.example/7#x',
      'https://key@reports.example/../7',
      'https://key@reports.exаmple/7',
      'https://key@reports.example//7',
      ' https://key@reports.example/7',
      'ftp://key@reports.example/7',
      'javascript:alert(1)',
      'https://key@reports.example/7\n',
      'https://key@[::1/7',
    ])('refuses %j', (text) => {
      expect(parseDsn(text)).toBeNull();
    });

    it.each([
      ['https://abc@reports.example/7', 'https://reports.example/api/7/envelope/?sentry_version=7&sentry_key=abc'],
      ['http://abc@127.0.0.1:9000/7', 'http://127.0.0.1:9000/api/7/envelope/?sentry_version=7&sentry_key=abc'],
      [
        'https://abc@reports.example/sentry/eu/7',
        'https://reports.example/sentry/eu/api/7/envelope/?sentry_version=7&sentry_key=abc',
      ],
    ])('reads %s, whose envelopes go to %s', (text, url) => {
      const dsn = parseDsn(text);
      expect(dsn === null ? null : envelopeUrl(dsn)).toBe(url);
    });
  });

  describe('a DSN as a URL', () => {
    const ours = 'https://abc@reports.example/sentry/7';

    it.each([
      'http://abc@reports.example/sentry/7',
      'https://abd@reports.example/sentry/7',
      'https://abc@reports.example.evil.example/sentry/7',
      'https://abc@evil-reports.example/sentry/7',
      'https://abc@reports.example:444/sentry/7',
      'https://abc@reports.example/7',
      'https://abc@reports.example/sentry/77',
    ])('does not take %s for ours', (other) => {
      const href = parseDsn(other)?.href ?? ours;
      expect(href).not.toBe(ours);
    });

    it.each([ours, 'https://abc@reports.example:443/sentry/7', 'https://abc@REPORTS.example/sentry/7'])(
      'takes %s for ours',
      (other) => {
        expect(parseDsn(other)?.href).toBe(ours);
      },
    );
  });
});

describe('an envelope', () => {
  const text = 'https://abc@reports.example/7';
  const ours = parseDsn(text);
  const id = 'a'.repeat(32);
  const event = { event_id: id, exception: { values: [{ type: 'TypeError', value: 'Moreau' }] } };

  /** Returns an envelope as a page writes it. */
  function envelope(header: unknown, ...items: [header: unknown, payload: unknown][]): Buffer {
    return Buffer.from(
      [header, ...items.flat()].map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n'),
    );
  }

  function refusalOf(bytes: Buffer): [number, string] | null {
    try {
      parseEnvelope(bytes, ours);
      return null;
    } catch (error) {
      if (error instanceof HttpError) {
        return [error.status, error.code];
      }
      throw error;
    }
  }

  it.each([
    'https://abc@evil.example/7',
    'https://abc@reports.example.evil.example/7',
    'https://abc@reports.example@evil.example/7',
    'https://abc@evil.example/https://abc@reports.example/7',
    'https://abc@reports.example\\.evil.example/7',
    'https://abc@reports.example./7',
    'https://abc@reports.example:8443/7',
    'https://abc@reports.example/8',
    'https://abd@reports.example/7',
    'http://abc@reports.example/7',
    'https://abc:x@reports.example/7',
    'https://abc@reports.example/7/../8',
    'https://abc@reports.example/7?to=evil.example',
    'https://abc@reports.example/7#@evil.example',
    '//abc@reports.example/7',
    'https://abc@rеports.example/7',
    'https://abc@169.254.169.254/7',
    'https://abc@localhost/7',
    'file:///etc/passwd',
    '',
  ])('that names the receiver %j is refused', (dsn) => {
    expect(refusalOf(envelope({ dsn }, [{ type: 'event' }, event]))).toEqual([403, 'other_receiver']);
  });

  it('that names none, or shows another key, is refused', () => {
    expect(refusalOf(envelope({}, [{ type: 'event' }, event]))).toEqual([403, 'other_receiver']);
    expect(refusalOf(envelope({ trace: { public_key: 'abd' } }, [{ type: 'event' }, event]))).toEqual([
      403,
      'other_receiver',
    ]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no JSON', Buffer.from('hello')],
    ['a list', envelope([text])],
    ['a number for a receiver', envelope({ dsn: 7 })],
    ['an item without a type', envelope({ dsn: text }, [{}, event])],
    ['an item longer than the rest', envelope({ dsn: text }, [{ type: 'event', length: 99_999 }, event])],
    ['an event that is a list', envelope({ dsn: text }, [{ type: 'event' }, [event]])],
    ['an event that is no JSON', envelope({ dsn: text }, [{ type: 'event' }, '{'])],
    ['a negative length', envelope({ dsn: text }, [{ type: 'event', length: -1 }, event])],
  ])('of %s is refused', (_, bytes) => {
    expect(refusalOf(bytes)).toEqual([400, 'malformed_envelope']);
  });

  it.each([
    ['a header of more than 8 KiB', envelope({ dsn: text, more: 'x'.repeat(8_192) })],
    [
      'more than 20 items',
      envelope({ dsn: text }, ...Array.from({ length: 21 }, (): [unknown, unknown] => [{ type: 'session' }, {}])),
    ],
    ['an event of more than 1 MiB', envelope({ dsn: text }, [{ type: 'event' }, { more: 'x'.repeat(1_048_576) }])],
  ])('with %s is too large', (_, bytes) => {
    expect(refusalOf(bytes)).toEqual([413, 'body_too_large']);
  });

  it('keeps only items of known kinds, scrubbed, and writes them again', () => {
    const read = parseEnvelope(
      envelope(
        { dsn: text, event_id: id, sent_at: '2026-05-01T10:00:00.000Z', sdk: { name: 'Moreau' } },
        [{ type: 'session' }, { name: 'Moreau' }],
        [{ type: 'attachment', filename: 'Moreau' }, 'Moreau'],
        [{ type: 'user_report' }, { comments: 'Moreau' }],
        [{ type: 'event', content_type: 'Moreau' }, event],
        [{ type: 'transaction' }, { type: 'transaction', transaction: '/404' }],
        [{ type: 'transaction' }, { type: 'transaction', transaction: '/patients?Moreau' }],
      ),
      ours,
    );
    const written = writeEnvelope(read).toString();
    expect(written).not.toContain('Moreau');
    expect(
      written
        .split('\n')
        .filter((line) => line !== '')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      { event_id: id, sent_at: '2026-05-01T10:00:00.000Z' },
      { type: 'event', length: expect.any(Number) as number },
      { event_id: id, exception: { values: [{ type: 'TypeError', value: 'Message withheld' }] } },
      { type: 'transaction', length: expect.any(Number) as number },
      { type: 'transaction', transaction: '/patients' },
    ]);
  });

  it.each(['[{"type":4}]', '{"segment_id":0}\n[{"type":4}]', '{"segment_id":0,"name":"Moreau"}\nx', ''])(
    'drops a recording that did not come through our worker: %j',
    (recording) => {
      const given = envelope({ dsn: text }, [{ type: 'replay_recording', length: recording.length }, recording]);
      expect(parseEnvelope(given, ours).items).toEqual([]);
    },
  );

  it('carries a recording through byte by byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const recording = Buffer.concat([Buffer.from('{"segment_id":7}\nx'), bytes]);
        const given = Buffer.concat([
          envelope({ dsn: text }, [{ type: 'replay_recording', length: recording.length }, '']),
          recording,
        ]);
        expect(parseEnvelope(given, ours).items).toEqual([
          { type: 'replay_recording', payload: recording, event: null },
        ]);
      }),
    );
  });

  it('of any bytes is read or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.boolean(), (bytes, headed) => {
        const given = headed ? Buffer.concat([envelope({ dsn: text }), Buffer.from('\n'), bytes]) : Buffer.from(bytes);
        const refusal = refusalOf(given);
        expect(refusal === null || [400, 403, 413].includes(refusal[0])).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('faultBudget', () => {
  const hour = 3_600_000;
  let now: number;
  let mayReport: (key: string) => boolean;

  beforeEach(() => {
    now = 0;
    mayReport = createFaultBudget(() => now);
  });

  const reported = (times: number, key: (time: number) => string): number =>
    Array.from({ length: times }, (_, time) => mayReport(key(time))).filter(Boolean).length;

  describe('the budget for reports of faults', () => {
    it('lets ten that are alike through in an hour, and then another fault', () => {
      expect([reported(1_000, () => 'TypeError /a'), mayReport('TypeError /b')]).toEqual([10, true]);
    });

    it('lets a hundred of all kinds through in an hour', () => {
      expect(reported(1_000, (time) => `TypeError /${time}`)).toBe(100);
    });

    it('begins again with the next hour', () => {
      reported(1_000, () => 'TypeError /a');
      now = hour - 1;
      expect(mayReport('TypeError /a')).toBe(false);
      now = hour;
      expect(mayReport('TypeError /a')).toBe(true);
    });
  });
});

describe('monitoring', () => {
  const id = 'a'.repeat(32);
  /** A name that no report may contain anywhere. */
  const marker = 'Moreau';

  const event = (more: object = {}): object => ({
    event_id: id,
    release: 'wardlight@0.1.0',
    transaction: '/patients',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: `${marker} is not here`,
          stacktrace: {
            frames: [
              {
                filename: 'https://ward.example/_next/static/chunks/x.js',
                function: 'PatientRow',
                lineno: 7,
                colno: 512,
                in_app: true,
              },
            ],
          },
        },
      ],
    },
    extra: { name: marker },
    ...more,
  });

  const envelope = (header: object, ...items: object[]): string =>
    [header, ...items.flatMap((item) => [{ type: 'event' }, item])].map((part) => JSON.stringify(part)).join('\n');

  describe.each(apiEngines)('error reports without a receiver on %s', (engine) => {
    // A server of its own: what strangers report is listed at all sites.
    let test: TestServer;
    beforeAll(async () => {
      test = await startTestServer(engine);
    });
    beforeEach(async () => {
      await test.store.db.deleteFrom('error_events').execute();
      // The budgets are of a minute.
      test.advance(60_000);
    });
    afterAll(() => test.stop());

    const post = (payload: string, headers: Record<string, string> = {}) =>
      test.app.inject({
        method: 'POST',
        url: '/monitoring',
        headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
        payload,
      });

    async function listed() {
      const site = await test.addSite();
      const user = await test.addUser(site, 'administrator');
      await test.store.db.updateTable('users').set({ is_admin: 1 }).where('id', '=', user.id).execute();
      const signedIn = await test.app.inject({
        method: 'POST',
        url: '/api/v2/auth/sign-in',
        payload: { email: user.email, password: user.password },
      });
      const cookies = Object.fromEntries(signedIn.cookies.map(({ name, value }) => [name, value]));
      return errorReports.parse((await test.app.inject({ url: '/api/v2/admin/errors', cookies })).json());
    }

    it.each([
      ['what is no envelope', 'hello', {}, 400],
      ['nothing', '', {}, 400],
      ['a page of another site', envelope({}, event()), { 'sec-fetch-site': 'cross-site' }, 403],
      ['an encoded body', envelope({}, event()), { 'content-encoding': 'gzip' }, 415],
      ['more than 2 MiB', envelope({}, event({ more: 'x'.repeat(2_100_000) })), {}, 413],
    ])('refuses %s', async (_, payload, headers, status) => {
      expect((await post(payload, headers)).statusCode).toBe(status);
      expect((await listed()).total).toBe(0);
    });

    it('are kept here, alike ones together, with release and page and without personal data', async () => {
      expect((await post(envelope({ dsn: 'https://whoever@elsewhere.example/1' }, event()))).statusCode).toBe(200);
      test.advance(60_000);
      await post(envelope({}, event(), event({ transaction: '/patient_details' })));
      const reports = await listed();
      expect(reports).toEqual({
        isPassedOn: false,
        total: 2,
        items: expect.arrayContaining([
          {
            source: 'page',
            release: 'wardlight@0.1.0',
            page: '/patients',
            name: 'TypeError',
            message: 'Message withheld',
            place: '/_next/static/chunks/x.js:7:512',
            reports: [id, id],
            count: 2,
            first: new Date(test.now() - 60_000).toISOString(),
            last: new Date(test.now()).toISOString(),
          },
          expect.objectContaining({ page: '/patient_details', count: 1 }),
        ]) as unknown[],
      });
      expect(JSON.stringify(await test.store.db.selectFrom('error_events').selectAll().execute())).not.toContain(
        marker,
      );
    });

    it('of the server’s own faults are kept by the route’s pattern', async () => {
      const { db } = test.store;
      await db.schema.alterTable('user_units').renameTo('user_units_are_away').execute();
      const { statusCode } = await test.app.inject({
        method: 'POST',
        url: '/api/v2/auth/sign-in',
        payload: {
          email: (await test.addUser(await test.addSite(), 'nurse')).email,
          password: 'correct horse battery',
        },
      });
      await db.schema.alterTable('user_units_are_away').renameTo('user_units').execute();
      expect(statusCode).toBe(500);
      const kept = await db.selectFrom('error_events').selectAll().execute();
      expect(kept).toEqual([
        expect.objectContaining({ source: 'server', page: '/api/v2/auth/sign-in', message: 'Message withheld' }),
      ]);
      expect(kept[0]?.report).toMatch(/^[0-9a-f]{32}$/);
    });

    it('name no more than the twenty newest ids of errors that are alike', async () => {
      for (let count = 10; count < 40; count += 1) {
        await post(envelope({}, event({ event_id: `${count}`.padStart(32, '0') })));
      }
      const [report] = (await listed()).items;
      expect([report?.count, report?.reports.length, report?.reports[0]]).toEqual([30, 20, '39'.padStart(32, '0')]);
    });

    it('are listed at the site whose page sent them, and at no other', async () => {
      const [here, elsewhere] = [await test.addSite(), await test.addSite()];
      const nurse = await test.signIn(here, 'nurse');
      const seenBy = async (siteId: number): Promise<string[]> => {
        const admin = await test.signIn(siteId, 'administrator', true);
        return errorReports
          .parse((await admin.call('GET', '/api/v2/admin/errors')).json())
          .items.map(({ page }) => page);
      };
      const cookie = Object.entries(nurse.cookies)
        .map((pair) => pair.join('='))
        .join('; ');
      await post(envelope({}, event({ transaction: '/dashboard' })), { cookie });
      await post(envelope({}, event({ transaction: '/sign_in' })));
      await expect(seenBy(here)).resolves.toEqual(['/sign_in', '/dashboard']);
      await expect(seenBy(elsewhere)).resolves.toEqual(['/sign_in']);
    });

    it('are at most the last two hundred of strangers, who push out nothing of a ward', async () => {
      const siteId = await test.addSite();
      const stored = (count: number, site_id: number | null) =>
        test.store.db
          .insertInto('error_events')
          .values(
            Array.from({ length: count }, (_, at) => ({
              at,
              report: id,
              source: 'page' as const,
              release: 'r',
              page: '/',
              name: 'Error',
              message: String(at),
              place: '',
              site_id,
            })),
          )
          .execute();
      await stored(1_000, siteId);
      await stored(200, null);
      await post(envelope({}, event()));
      const kept = async (site: number | null): Promise<string[]> => {
        const rows = test.store.db.selectFrom('error_events').select('message').orderBy('id');
        return (await rows.where('site_id', 'is not distinct from', site).execute()).map(({ message }) => message);
      };
      const strangers = await kept(null);
      expect([strangers.length, strangers[0], strangers.at(-1)]).toEqual([200, '1', 'Message withheld']);
      const nurse = await test.signIn(siteId, 'nurse');
      const cookie = Object.entries(nurse.cookies)
        .map((pair) => pair.join('='))
        .join('; ');
      await post(envelope({}, event()), { cookie });
      const ours = await kept(siteId);
      expect([ours.length, ours[0], ours.at(-1)]).toEqual([1_000, '1', 'Message withheld']);
    });

    it('are within a budget of a minute for each session and each address', async () => {
      const statuses = async (times: number, headers: Record<string, string> = {}): Promise<Set<number>> =>
        new Set(
          (await Promise.all(Array.from({ length: times }, () => post('x', headers)))).map(
            ({ statusCode }) => statusCode,
          ),
        );
      await expect(statuses(120, { cookie: 'token=one' })).resolves.toEqual(new Set([400]));
      await expect(statuses(1, { cookie: 'token=one' })).resolves.toEqual(new Set([429]));
      await expect(statuses(1, { cookie: 'token=two' })).resolves.toEqual(new Set([400]));
      await statuses(480);
      await expect(statuses(1)).resolves.toEqual(new Set([429]));
      test.advance(60_000);
      await expect(statuses(1)).resolves.toEqual(new Set([400]));
    });
  });

  describe('error reports with a receiver', () => {
    let receiver: ReportReceiver;
    let test: TestServer;
    let dsn: string;
    const start = async (): Promise<void> => {
      receiver = await startReportReceiver();
      dsn = receiver.dsn;
      test = await startTestServer('sqlite', { SENTRY_DSN: dsn });
    };
    const stop = async (): Promise<void> => {
      await test.stop();
      await receiver.stop();
    };

    const post = (payload: string) =>
      test.app.inject({
        method: 'POST',
        url: '/monitoring',
        headers: {
          'content-type': 'text/plain',
          cookie: 'token=secret; XSRF-TOKEN=secret',
          authorization: 'Bearer secret',
          'x-forwarded-for': '10.0.0.7',
        },
        payload,
      });

    describe('that answers', () => {
      beforeAll(start);
      afterAll(stop);
      beforeEach(async () => {
        receiver.answer = { status: 200, headers: {} };
        // Whatever failed before is over.
        test.advance(60_000);
        await post(envelope({ dsn }, event()));
        receiver.received.length = 0;
      });

      it('are passed on to it alone, scrubbed of cookies, keys and addresses, and its body goes nowhere', async () => {
        receiver.answer = {
          status: 200,
          headers: { 'x-sentry-rate-limits': '60:error:organization', 'set-cookie': 'x=1' },
        };
        const answer = await post(envelope({ dsn }, event()));
        expect([answer.statusCode, answer.body, answer.headers['x-sentry-rate-limits'], answer.cookies]).toEqual([
          200,
          '',
          '60:error:organization',
          [],
        ]);
        expect(receiver.received.map(({ url }) => url)).toEqual(['/api/7/envelope/?sentry_version=7&sentry_key=abc']);
        expect(JSON.stringify(receiver.received)).not.toMatch(new RegExp(`${marker}|secret|10\\.0\\.0\\.7`));
        expect(receiver.received[0]?.body).toContain('wardlight@0.1.0');
        await expect(test.store.db.selectFrom('error_events').selectAll().execute()).resolves.toEqual([]);
      });

      it.each([`http://abc@127.0.0.1:1/7`, 'http://abc@localhost:9/7', 'http://abd@127.0.0.1/7', 'nonsense'])(
        'that name %s are refused',
        async (other) => {
          expect((await post(envelope({ dsn: other }, event()))).statusCode).toBe(403);
          expect(receiver.received).toEqual([]);
        },
      );

      it.each([
        [413, 413],
        [429, 429],
        [404, 200],
        [500, 503],
        [302, 503],
      ])('answer the receiver’s %i with %i', async (theirs, ours) => {
        receiver.answer = { status: theirs, headers: { location: 'http://127.0.0.1:1/', 'retry-after': '17' } };
        const answer = await post(envelope({ dsn }, event()));
        expect([answer.statusCode, answer.body]).toEqual([ours, '']);
        expect(receiver.received).toHaveLength(1);
      });

      it('pause for half a minute after a receiver has failed repeatedly, then try it again', async () => {
        receiver.answer = { status: 500, headers: {} };
        for (let times = 0; times < 5; times += 1) {
          await post(envelope({ dsn }, event()));
        }
        expect((await post(envelope({ dsn }, event()))).statusCode).toBe(503);
        expect(receiver.received).toHaveLength(5);
        receiver.answer = { status: 200, headers: {} };
        test.advance(30_000);
        expect((await post(envelope({ dsn }, event()))).statusCode).toBe(200);
      });
    });

    it('hold up no other call while the receiver hangs, and are dropped when too many wait', async () => {
      await start();
      receiver.hang = true;
      const answers = Array.from({ length: 60 }, () => post(envelope({ dsn }, event())));
      expect((await Promise.race(answers)).statusCode).toBe(503);
      expect((await test.app.inject('/healthz')).statusCode).toBe(200);
      await receiver.stop();
      expect(new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
      await test.stop();
    });
  });

  describe('hostile envelopes', () => {
    let ours: ReportReceiver;
    let evil: ReportReceiver;
    let test: TestServer;
    beforeEach(async () => {
      [ours, evil] = await Promise.all([startReportReceiver(), startReportReceiver()]);
      test = await startTestServer('sqlite', { SENTRY_DSN: ours.dsn });
    });
    afterEach(async () => {
      await test.stop();
      await Promise.all([ours.stop(), evil.stop()]);
    });

    /** Returns addresses that some parser takes for the other host. */
    function namesOf(other: number, own: number): string[] {
      const host = `127.0.0.1:${other}`;
      const home = `127.0.0.1:${own}`;
      return [
        `http://abc@${host}/7`,
        `https://abc@${host}/7`,
        `HTTP://abc@${host}/7`,
        ` http://abc@${host}/7`,
        `//abc@${host}/7`,
        `http:/\\abc@${host}/7`,
        `http://abc@${home}@${host}/7`,
        `http://abc@${host}#@${home}/7`,
        `http://abc@${host}?@${home}/7`,
        `http://abc@${home}\\@${host}/7`,
        `http://abc:x@${host}/7`,
        `http://abc@${home}.${host}/7`,
        `http://abc@${host}/${home}/7`,
        `http://abc@${home}/../${host}/7`,
        `http://abc@localhost:${other}/7`,
        `http://abc@[::ffff:127.0.0.1]:${other}/7`,
        `http://abc@127.1:${other}/7`,
        `http://abc@2130706433:${other}/7`,
        `http://abc@0x7f000001:${other}/7`,
        `http://abc@0:${other}/7`,
        `http://abc@127.0.0.1.:${other}/7`,
        `http://abc@${host}/7\r\nHost: ${host}`,
        `http://abc@１２７.0.0.1:${other}/7`,
        `gopher://abc@${host}/7`,
        `http://abc@${home}/7?to=http://${host}`,
        `http://abc@${home}/7#http://${host}`,
      ];
    }

    it('forty of them reach no other host, whatever they name and wherever the receiver sends', async () => {
      const other = `127.0.0.1:${evil.port}`;
      const send = async (
        payload: string,
        headers: Record<string, string> = {},
        url = '/monitoring',
      ): Promise<number> =>
        (await test.app.inject({ method: 'POST', url, headers: { 'content-type': 'text/plain', ...headers }, payload }))
          .statusCode;
      const good = envelope({ dsn: ours.dsn }, event());

      const named = namesOf(evil.port, ours.port).map((dsn) => envelope({ dsn }, event()));
      const mangled = [
        `{"dsn":"${ours.dsn}","dsn":"${evil.dsn}"}\n${JSON.stringify({ type: 'event' })}\n{}`,
        envelope({ dsn: [evil.dsn] }, event()),
        envelope({ dsn: { host: other } }, event()),
        envelope({ trace: { public_key: 'evil' } }, event()),
        `{"__proto__":{"dsn":"${evil.dsn}"}}\n{"type":"event"}\n{}`,
      ];
      for (const payload of [...named, ...mangled]) {
        await expect(send(payload)).resolves.toBeGreaterThanOrEqual(400);
      }
      expect(ours.received).toEqual([]);

      // These name our receiver, so they may reach it, and it alone.
      await send(
        envelope({ dsn: ours.dsn, tunnel: evil.dsn, url: evil.dsn }, event({ request: { url: `http://${other}/` } })),
      );
      await send(`${JSON.stringify({ dsn: ours.dsn })}\n${JSON.stringify({ type: 'attachment', url: evil.dsn })}\nx`);
      const headers = {
        host: other,
        'x-forwarded-host': other,
        forwarded: `host=${other}`,
        referer: `http://${other}/`,
        'x-sentry-auth': `Sentry sentry_key=evil, dsn=${evil.dsn}`,
      };
      for (const [name, value] of Object.entries(headers)) {
        await send(good, { [name]: value });
      }
      for (const url of [
        `/monitoring?dsn=${evil.dsn}`,
        `/monitoring?o=1&p=7&r=${other}`,
        `/monitoring/${other}`,
        `//${other}/monitoring`,
      ]) {
        await send(good, {}, url);
      }
      for (const status of [301, 302, 307, 308]) {
        ours.answer = { status, headers: { location: `http://${other}/api/7/envelope/` } };
        await send(good);
      }
      expect(evil.received).toEqual([]);
      expect(new Set(ours.received.map(({ url }) => url))).toEqual(
        new Set(['/api/7/envelope/?sentry_version=7&sentry_key=abc']),
      );
    });
  });
});
