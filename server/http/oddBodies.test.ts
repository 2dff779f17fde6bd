import { everyCall, type Call } from '../../test/everyCall';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

/** Objects that answer the questions which a validator asks of a text, a list or a number with something else. */
const oddValues: object[] = [
  { length: { toString: 1 } },
  { length: { valueOf: 1, toString: 1 } },
  { length: {} },
  { size: { toString: 1 } },
  { toString: 1, valueOf: 1 },
  { then: 1, toJSON: 1 },
  [{ length: { toString: 1 } }],
];

describe('a body with an odd object in it', () => {
  let test: TestServer;
  let person: Caller;
  let token: string;
  let calls: Call[];

  // A server of its own: it makes every call, and those of strangers use up what their address may ask for.
  beforeAll(async () => {
    test = await startTestServer('sqlite');
    const site = await test.addSite();
    person = await test.signIn(site, 'physician', true);
    ({ token } = await test.addDevice(site));
    calls = everyCall(test).filter(({ method }) => method !== 'GET');
  });
  afterAll(() => test.stop());

  /** A valid body, once with each of its fields replaced, once with one field more, and the odd value by itself. */
  function spoiled(body: object, odd: object): object[] {
    return [odd, { ...body, odd }, ...Object.keys(body).map((field) => ({ ...body, [field]: odd }))];
  }

  it('is refused or taken by every call, and no call fails over it', async () => {
    const failed = new Set<string>();
    let sent = 0;
    for (const call of calls) {
      const id = call.about === 'caller' ? person.userId : call.hasId ? await call.about(person.siteId) : 1;
      const body = await call.body(id);
      if (body === undefined || Buffer.isBuffer(body)) {
        continue;
      }
      for (const payload of oddValues.flatMap((odd) => spoiled(body, odd))) {
        const answer = await test.app.inject({
          method: call.method,
          url: call.url(id),
          cookies: person.cookies,
          headers: { 'x-xsrf-token': person.cookies['XSRF-TOKEN'] ?? '', authorization: `Bearer ${token}` },
          payload,
        });
        sent += 1;
        if (answer.statusCode >= 500) {
          failed.add(`${call.row} ${answer.statusCode} ${JSON.stringify(payload)}`);
        }
      }
    }
    expect([...failed]).toEqual([]);
    expect(sent).toBeGreaterThan(500);
  });

  it('is refused by a call that knows the field with 422', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      payload: { email: { length: { toString: 1 } }, password: 'x' },
    });
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([422, 'invalid']);
    expect(test.logLines.filter(({ msg }) => msg === 'request failed')).toEqual([]);
  });

  it('is refused where its bytes are not UTF-8, so that no name is stored other than it was written', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v2/auth/sign-in',
      headers: { 'content-type': 'application/json' },
      payload: Buffer.from('{"email":"j\u00fcrgen@example.org","password":"x"}', 'latin1'),
    });
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([400, 'malformed_json']);
  });

  it.each(oddValues.map((odd) => [JSON.stringify(odd), odd]))(
    'is no sample, %s, and costs no other',
    async (_, odd) => {
      const patientId = await test.addPatient(person.siteId);
      const good = { patientId, kind: 'spo2', value: 96, takenAt: new Date(test.now()).toISOString() };
      const answer = await test.ingest(token, [odd, { ...good, mrn: odd }, good, { ...good, kind: odd }]);
      expect(answer.statusCode).toBe(200);
      const { accepted, rejected } = answer.json<{ accepted: number; rejected: { index: number; code: string }[] }>();
      expect(accepted).toBe(1);
      expect(rejected.map(({ index, code }) => [index, code])).toEqual([0, 1, 3].map((at) => [at, 'malformed_sample']));
    },
  );

  it.each(oddValues.map((odd) => [JSON.stringify(odd), odd]))(
    'is no battery, %s, and costs no sample',
    async (_, odd) => {
      const patientId = await test.addPatient(person.siteId);
      const good = { patientId, kind: 'spo2', value: 96, takenAt: new Date(test.now()).toISOString() };
      for (const battery of [odd, { percent: odd }, { percent: 50, minutesLeft: odd }]) {
        const answer = await test.ingest(token, [{ ...good, value: 95 }], { battery });
        expect(answer.statusCode).toBe(200);
      }
    },
  );

  it.each(oddValues.map((odd) => [JSON.stringify(odd), odd]))('is no error report, %s', async (_, odd) => {
    const id = 'a'.repeat(32);
    const frames = [{ filename: odd, function: odd, lineno: odd }];
    const reports: [header: object, item: object, event: object][] = [
      [odd, { type: 'event' }, {}],
      [{ dsn: odd, event_id: odd }, { type: 'event' }, {}],
      [{ event_id: id }, odd, {}],
      [{ event_id: id }, { type: 'event', length: odd }, {}],
      ...['event', 'transaction', 'client_report', 'replay_event'].flatMap((type): [object, object, object][] => [
        [{ event_id: id }, { type }, odd],
        [{ event_id: id }, { type }, { event_id: odd, message: odd, transaction: odd, breadcrumbs: odd, user: odd }],
        [{ event_id: id }, { type }, { exception: { values: [{ type: odd, value: odd, stacktrace: { frames } }] } }],
        [
          { event_id: id },
          { type },
          { exception: odd, spans: [odd], contexts: odd, discarded_events: [odd], urls: odd },
        ],
      ]),
    ];
    for (const report of reports) {
      const payload = report.map((part) => JSON.stringify(part)).join('\n');
      const answer = await test.app.inject({ method: 'POST', url: '/monitoring', payload });
      expect([payload, answer.statusCode < 500]).toEqual([payload, true]);
    }
  });
});
