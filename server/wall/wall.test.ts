import fc from 'fast-check';
import type { AlertsPage } from '../../lib/alerts/schema';
import type { AlertSound } from '../../lib/sound/soundSchema';
import { toInstant } from '../../lib/time/schema';
import { mostBeds, type Wall } from '../../lib/wall/schema';
import { apiEngines } from '../../test/database';
import { newReport } from '../../test/newReport';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;

describe.each(apiEngines)('the wall on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let west: number;
  let device: { token: string };
  let display: Caller;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site, { name: 'gateway of Ms Secret' });
    display = await test.signIn(site, 'display');
    west = await test.addUnit(site, 'West', [display.userId]);
  });

  const addIn = (unit: string, bed: string, more = {}) => test.addPatient(site, { location: { unit, bed }, ...more });
  const look = async (query = '', who = display): Promise<Wall> =>
    (await who.call('GET', `/api/v2/wall${query}`)).json<Wall>();
  const beds = async (query = '', who = display): Promise<(string | null)[]> =>
    (await look(query, who)).tiles.map(({ bed }) => bed);
  const statusFor = async (who: Caller, query = ''): Promise<number> =>
    (await who.call('GET', `/api/v2/wall${query}`)).statusCode;
  async function send(patientId: number, kind: string, value: number, count = 1, quality = 'good'): Promise<void> {
    const samples = Array.from({ length: count }, (_, place) => ({
      patientId,
      kind,
      value,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality,
    }));
    test.advance(count * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
  }

  it('is closed to people without a session, to technicians and to administrators', async () => {
    expect((await test.app.inject('/api/v2/wall')).statusCode).toBe(401);
    await expect(statusFor(await test.signIn(site, 'technician'))).resolves.toBe(403);
    await expect(statusFor(await test.signIn(site, 'administrator', true))).resolves.toBe(403);
  });

  it('of another unit or another site is not there for a display, as one that does not exist', async () => {
    const east = await test.addUnit(site, 'East');
    const elsewhere = await test.addUnit(await test.addSite());
    for (const unit of [east, elsewhere, 999_999]) {
      await expect(statusFor(display, `?unit=${unit}`)).resolves.toBe(404);
    }
    await expect(statusFor(display, '?unit=West')).resolves.toBe(400);
    await expect(statusFor(display, `?unit=${west}`)).resolves.toBe(200);
    expect((await look('', await test.signIn(site, 'nurse'))).units.map(({ name }) => name)).toEqual(['East', 'West']);
  });

  it('has no name, MRN or date of birth anywhere in the answer, whatever they are', async () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{4,12}$/).map((text) => `Qx${text}`);
    await fc.assert(
      fc.asyncProperty(
        word,
        word,
        word,
        fc.date({ min: new Date('1920-01-01'), max: new Date('2005-12-31'), noInvalidDate: true }),
        fc.constantFrom(80, 97),
        async (givenName, familyName, mrn, born, spo2) => {
          const dateOfBirth = born.toISOString().slice(0, 10);
          const id = await addIn('West', '7', { givenName, familyName, mrn, dateOfBirth });
          await send(id, 'spo2', spo2, 40);
          const { body } = await display.call('GET', '/api/v2/wall');
          for (const secret of [givenName, familyName, mrn, dateOfBirth, 'Secret']) {
            expect(body.toLowerCase()).not.toContain(secret.toLowerCase());
          }
          expect(body).toContain('"initials":"QQ"');
          test.server.liveState.patients.delete(id);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('answers these keys of a tile alone', async () => {
    const id = await addIn('West', '1');
    await send(id, 'spo2', 80, 40);
    const [tile] = (await look()).tiles;
    expect(Object.keys(tile ?? {}).sort()).toEqual(
      [
        'alerts',
        'bed',
        'comfortCare',
        'initials',
        'isShared',
        'isTrial',
        'latest',
        'profile',
        'standby',
        'unit',
      ].sort(),
    );
    expect(Object.keys(tile?.latest.spo2 ?? {}).sort()).toEqual(
      ['asOf', 'expectedEveryMs', 'lastValid', 'quality', 'threePoints', 'value'].sort(),
    );
    expect(tile?.alerts).toMatchObject([{ parameter: 'spo2', priority: 'high', condition: 'active' }]);
    expect(Object.keys(tile?.alerts[0] ?? {})).not.toContain('id');
  });

  it('says that a gateway is silent, since when and of how many of its patients, and not its name', async () => {
    const here = [await addIn('West', '1'), await addIn('West', '2')];
    const elsewhere = await addIn('East', '1');
    const samples = [...here, elsewhere].map((patientId) => ({
      patientId,
      kind: 'spo2',
      value: 97,
      takenAt: toInstant(test.now()),
      quality: 'good',
    }));
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    const lastCall = toInstant(test.now());
    const { silentGateways, version } = await look();
    expect(silentGateways).toBeNull();
    for (let passed = 0; passed < 60; passed += 1) {
      test.advance(second);
      await test.server.alerts.evaluateClock();
    }
    // No value has changed, and a poll learns of it.
    const wall = await look(`?after=${encodeURIComponent(version)}`);
    expect(wall.silentGateways).toEqual({ priority: 'medium', since: lastCall, patients: 2 });
    expect(JSON.stringify(wall)).not.toContain('Secret');
    expect(wall.tiles.map(({ alerts }) => alerts)).toEqual([[], []]);
    await send(here[0] ?? 0, 'spo2', 97);
    await test.server.alerts.evaluateClock();
    expect((await look()).silentGateways).toBeNull();
  });

  it('says that an S1 report alarms its unit, since when, and not a word of the report, on no other wall', async () => {
    await addIn('West', '1');
    const east = await test.addUnit(site, 'East');
    const lead = await test.signIn(site, 'ward_lead');
    const { version } = await look();
    const since = toInstant(test.now());
    const more = { severity: 'S1', alarmsUnit: true, kind: 'data', unitId: west, title: 'Bed of Ms Secret' } as const;
    const body = { ...newReport(more), authorId: lead.userId };
    expect((await lead.call('POST', '/api/v2/reports', body)).statusCode).toBe(201);
    // No value has changed, and a poll learns of it.
    const wall = await look(`?after=${encodeURIComponent(version)}`);
    expect(wall.issueReport).toEqual({ priority: 'high', since, isSeen: false });
    expect(JSON.stringify(wall)).not.toContain('Secret');
    expect((await look(`?unit=${east}`, lead)).issueReport).toBeNull();
    await expect(look('', lead)).resolves.toMatchObject({ unit: null, issueReport: { priority: 'high' } });
    const { items } = (await lead.call('GET', '/api/v2/alerts')).json<AlertsPage>();
    const [alert] = items;
    await lead.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/accept`, { version: alert?.version });
    expect((await look()).issueReport).toEqual({ priority: 'high', since, isSeen: true });
    await lead.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/resolve`, {
      version: (alert?.version ?? 0) + 1,
      outcome: 'intervention',
      note: '',
    });
    expect((await look()).issueReport).toBeNull();
  });

  it('is by bed, of the unit of its display, and counts those who are in no unit', async () => {
    for (const bed of ['10', '2', '1']) {
      await addIn('West', bed);
    }
    await addIn('East', '1');
    const nowhere = await test.addPatient(site);
    await expect(beds()).resolves.toEqual(['1', '2', '10']);
    expect((await look()).withoutUnit).toEqual({ total: 1, alerting: 0 });
    await send(nowhere, 'spo2', 80, 40);
    expect((await look()).withoutUnit).toEqual({ total: 1, alerting: 1 });
    await expect(beds('', await test.signIn(site, 'physician'))).resolves.toEqual(['1', '1', '2', '10', null]);
  });

  it('asks for a unit if there are too many beds, and of one unit shows those with alerts first', async () => {
    for (let bed = 1; bed <= mostBeds; bed += 1) {
      await addIn('West', String(bed));
    }
    expect((await look()).tiles).toHaveLength(mostBeds);
    const last = await addIn('West', '99');
    const lead = await test.signIn(site, 'ward_lead');
    await expect(look('', lead)).resolves.toMatchObject({ tiles: [], total: mostBeds + 1, units: [{ name: 'West' }] });
    const quiet = await look();
    expect([quiet.total, quiet.tiles.length, quiet.tiles.at(-1)?.bed]).toEqual([mostBeds + 1, mostBeds, '48']);
    await test.startRules(site);
    await send(last, 'spo2', 97, 5);
    await send(last, 'spo2', 80, 30);
    const shown = (await look()).tiles.map(({ bed, alerts }) => [bed, alerts[0]?.priority]);
    expect(shown).toHaveLength(mostBeds);
    expect(shown.slice(-2)).toEqual([
      ['47', undefined],
      ['99', 'high'],
    ]);
  });

  it('keeps two patients in one bed apart, and says that they share it', async () => {
    await addIn('West', '1', { givenName: 'Ada', familyName: 'Berg' });
    await addIn('West', '1', { givenName: 'Cleo', familyName: 'Dahl' });
    await addIn('West', '2');
    expect((await look()).tiles.map(({ bed, initials, isShared }) => [bed, initials, isShared])).toEqual([
      ['1', 'AB', true],
      ['1', 'CD', true],
      ['2', 'SS', false],
    ]);
  });

  it('shows 0 as a value, what has no signal as that, and standby', async () => {
    const id = await addIn('West', '1');
    await send(id, 'heartRate', 0);
    await send(id, 'spo2', 97);
    await send(id, 'spo2', 0, 20, 'invalid');
    const nurse = await test.signIn(site, 'nurse');
    await nurse.call('POST', `/api/v2/patients/${id}/standby`, { reason: 'A wash', minutes: 10 });
    const [tile] = (await look()).tiles;
    expect(tile?.latest.heartRate?.value).toBe(0);
    expect(tile?.latest.spo2).toMatchObject({ quality: 'invalid', lastValid: { value: 97 } });
    expect(tile?.latest.pulseRate).toBeUndefined();
    expect(tile?.standby).not.toBeNull();
  });

  it('answers a poll that has the newest version with that alone, until something changes', async () => {
    const id = await addIn('West', '1');
    const { version } = await look();
    await expect(look(`?after=${version}`)).resolves.toEqual({ unchanged: true, version });
    await send(id, 'spo2', 97);
    expect((await look(`?after=${version}`)).tiles).toHaveLength(1);
  });

  it('is audited once a view and not once a poll, and again for a patient who joins it', async () => {
    const audited = async () =>
      await test.store.db
        .selectFrom('audit')
        .select('details')
        .where('action', '=', 'read_wall')
        .where('actor_id', '=', display.userId)
        .execute();
    await addIn('West', '1');
    await look();
    await look();
    await expect(audited()).resolves.toEqual([{ details: '{"count":1}' }]);
    await addIn('West', '2');
    await look();
    await expect(audited()).resolves.toHaveLength(2);
  });

  it('sounds for the patients of its unit, asked or not, and not for other units and equipment', async () => {
    const sound = async (): Promise<AlertSound> =>
      (await display.call('GET', '/api/v2/alerts/sound')).json<AlertSound>();
    const inEast = await addIn('East', '1');
    await send(inEast, 'spo2', 80, 40);
    await test.addAlert(site);
    await expect(sound()).resolves.toEqual({ priority: null, pause: null, asking: [] });
    await send(await addIn('West', '1'), 'spo2', 80, 40);
    await expect(sound()).resolves.toMatchObject({ priority: 'high', asking: [] });
    const [strip, alerts] = [
      await display.call('GET', '/api/v2/alerts/strip'),
      await display.call('GET', '/api/v2/alerts'),
    ];
    expect(strip.json()).toMatchObject({ items: [] });
    expect(alerts.statusCode).toBe(403);
  });
});
