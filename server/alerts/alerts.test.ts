import { accept } from '../../lib/alerts/actions';
import type { Parameter } from '../../lib/alerts/parameters';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { AlertStrip } from '../../lib/alerts/stripSchema';
import { takeRetrospectiveEpisode } from '../../lib/alerts/takeEpisode';
import { toInstant } from '../../lib/time/schema';
import { countTurns } from '../../test/countTurns';
import { apiEngines, engines } from '../../test/database';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';

describe.each(engines)('alerts on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    test.advance(3_600_000);
    nurse = await test.signIn(site, 'nurse');
  });

  /** Sends a value a second, and lets the time pass. */
  async function feed(value: number, seconds: number, more: object = {}): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 10) {
      const samples = Array.from({ length: Math.min(10, seconds - sent) }, (_, place) => ({
        patientId: patient,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() + place * 1_000),
        quality: 'good',
        ...more,
      }));
      test.advance(samples.length * 1_000);
      const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: samples.length });
    }
  }
  const open = async (of = patient): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${of}`)).json<AlertsPage>().items;
  const only = async (): Promise<AlertItem> => {
    const [first, ...others] = await open();
    expect(others).toEqual([]);
    if (first === undefined) {
      throw new Error('No alert is open');
    }
    return first;
  };
  const log = async (id: number): Promise<string[]> =>
    (await nurse.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items.map(({ is }) => is);
  /** The version of an alert as it is now. */
  const versionOf = (id = 0) => ({ version: test.server.alerts.find(id)?.alert.version ?? 1 });
  const act = (id: number, name: string, body?: object) =>
    nurse.call('POST', `/api/v2/alerts/${id}/${name}`, { ...versionOf(id), ...body });

  it('are raised with the sample that ends the delay, once, and ask the whole unit if no one is assigned', async () => {
    await feed(86, 15);
    await expect(open()).resolves.toEqual([]);
    await feed(86, 1);
    const alert = await only();
    expect(alert).toMatchObject({
      patientId: patient,
      parameter: 'spo2',
      rule: 'spo2.low',
      priority: 'high',
      condition: 'active',
      latched: false,
      episodes: 1,
      escalationStep: 1,
      acknowledged: null,
      accepted: null,
      outcome: null,
      evidence: { ruleVersion, limits: { raise: [{ is: 'below', value: 88 }] } },
    });
    expect(alert.evidence.samples).toHaveLength(16);
    await feed(86, 20);
    expect((await only()).id).toBe(alert.id);
    await expect(log(alert.id)).resolves.toEqual(['raised', 'asked']);
  });

  it('are acknowledged without being accepted, latch when they end unseen, and close when they are seen', async () => {
    await feed(86, 16);
    const { id } = await only();
    const seen = (await act(id, 'acknowledge')).json<AlertItem>();
    expect(seen).toMatchObject({ acknowledged: { by: { id: nurse.userId } }, accepted: null, condition: 'active' });
    await feed(84, 1);
    await expect(only()).resolves.toMatchObject({ id, acknowledged: { by: { id: nurse.userId } } });
    await feed(97, 40);
    await expect(open()).resolves.toEqual([]);
    await expect(log(id)).resolves.toEqual(['raised', 'asked', 'acknowledged', 'ended', 'closed']);

    test.advance(600_000);
    await feed(86, 16);
    const unseen = await only();
    expect(unseen.id).not.toBe(id);
    await feed(97, 40);
    await expect(only()).resolves.toMatchObject({ id: unseen.id, condition: 'ended', latched: true });
    await act(unseen.id, 'acknowledge');
    await expect(open()).resolves.toEqual([]);
    const late = await act(unseen.id, 'accept');
    expect([late.statusCode, late.json<{ error: { code: string } }>().error.code]).toEqual([409, 'alert_closed']);
  });

  it('ask again after an upgrade, and stay the same alert if they begin again within five minutes', async () => {
    await feed(90, 301);
    const mild = await only();
    expect(mild).toMatchObject({ rule: 'spo2.below', priority: 'medium' });
    await act(mild.id, 'acknowledge');
    await act(mild.id, 'accept');
    await feed(86, 16);
    const worse = await only();
    expect(worse).toMatchObject({
      id: mild.id,
      rule: 'spo2.low',
      priority: 'high',
      acknowledged: null,
      accepted: { by: { id: nurse.userId } },
    });
    await act(mild.id, 'acknowledge');
    await feed(97, 70);
    await expect(open()).resolves.toEqual([]);
    await feed(86, 16);
    await expect(only()).resolves.toMatchObject({ id: mild.id, episodes: 2, acknowledged: null });
  });

  it('are not raised, and not ended, by what comes late', async () => {
    const late = (value: number): object[] =>
      Array.from({ length: 60 }, (_, place) => ({
        patientId: patient,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() - 200_000 + place * 1_000),
        quality: 'good',
      }));
    await feed(97, 10);
    await test.ingest(device.token, late(80), { sentAt: toInstant(test.now()) });
    await expect(open()).resolves.toEqual([]);
    await feed(86, 16);
    await test.ingest(device.token, late(98).slice(0, 40), { sentAt: toInstant(test.now()) });
    await expect(only()).resolves.toMatchObject({ condition: 'active' });
  });

  it('are the same after a restart, and go on from where the rules stood', async () => {
    await feed(86, 10);
    await test.restart();
    await feed(86, 6);
    const alert = await only();
    expect(alert).toMatchObject({ rule: 'spo2.low', condition: 'active' });
    await act(alert.id, 'accept');
    const before = await only();
    await test.restart();
    await expect(only()).resolves.toEqual(before);
    await feed(97, 40);
    await expect(only()).resolves.toMatchObject({ id: alert.id, condition: 'ended', latched: true });
  });

  it('survive a restart also if minutes are not rolled up yet', async () => {
    await feed(86, 16);
    const { id } = await only();
    // Twelve minutes of silence, then a probe that measures nothing; the restart finds the values before them on the
    // list of what is to be redone.
    test.advance(720_000);
    await feed(86, 30, { quality: 'invalid' });
    await test.restart();
    await test.restart();
    await feed(86, 2);
    nurse = await test.signIn(site, 'nurse');
    await expect(only()).resolves.toMatchObject({ id, condition: 'active', rule: 'spo2.low' });
    await expect(log(id)).resolves.not.toContain('withdrawn');
  });

  it('say who acted and how: taking on, handing on, pausing the sound, the outcome', async () => {
    await feed(86, 16);
    const { id } = await only();
    const physician = await test.signIn(site, 'physician');
    await physician.call('POST', `/api/v2/alerts/${id}/accept`, versionOf(id));
    const refused = await act(id, 'reject', { reason: 'In theatre' });
    expect([refused.statusCode, refused.json<{ error: { code: string } }>().error.code]).toEqual([
      409,
      'accepted_by_somebody_else',
    ]);
    const rejected = await physician.call('POST', `/api/v2/alerts/${id}/reject`, {
      ...versionOf(id),
      reason: 'In theatre',
    });
    // Giving it back asks the first step again in the same moment.
    expect(rejected.json()).toMatchObject({
      accepted: null,
      rejected: { by: { id: physician.userId } },
      escalationStep: 1,
    });
    for (const [body, field] of [
      [{ seconds: 0 }, 'seconds'],
      [{ seconds: 121 }, 'seconds'],
    ] as const) {
      const answer = await act(id, 'pause-audio', body);
      expect([answer.statusCode, Object.keys(answer.json<{ error: { fields: object } }>().error.fields)]).toEqual([
        422,
        [field],
      ]);
    }
    const until = toInstant(test.now() + 120_000);
    expect((await act(id, 'pause-audio', { seconds: 120 })).json()).toMatchObject({ audioPausedUntil: until });
    expect((await act(id, 'resolve', { outcome: 'well' })).statusCode).toBe(422);
    const resolved = await act(id, 'resolve', { outcome: 'intervention', note: 'Oxygen mask was off' });
    expect(resolved.json()).toMatchObject({
      outcome: 'intervention',
      resolved: { by: { id: nurse.userId }, note: 'Oxygen mask was off' },
    });
    await feed(97, 40);
    await expect(open()).resolves.toEqual([]);
    const closed = (await nurse.call('GET', `/api/v2/alerts?state=closed&patientId=${patient}`)).json<AlertsPage>();
    expect(closed.items).toMatchObject([{ id, outcome: 'intervention', condition: 'ended' }]);
    await expect(log(id)).resolves.toEqual([
      'raised',
      'asked',
      'accepted',
      'rejected',
      'released',
      'asked',
      'audio_paused',
      'resolved',
      'ended',
      'closed',
    ]);
    const rows = await test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('object_type', '=', 'alert')
      .where('object_id', '=', id)
      .execute();
    expect(rows.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['accept_alert', physician.userId],
      ['reject_alert', physician.userId],
      ['pause_alert_audio', nurse.userId],
      ['resolve_alert', nurse.userId],
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/theatre|mask/);
  });

  it('cannot be changed or taken out of their log', async () => {
    await feed(86, 16);
    const { id } = await only();
    const { db } = test.store;
    await expect(db.updateTable('alert_events').set({ at: 0 }).where('alert_id', '=', id).execute()).rejects.toThrow(
      /append-only/,
    );
    await expect(db.deleteFrom('alert_events').where('alert_id', '=', id).execute()).rejects.toThrow(/append-only/);
    const twin = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    await expect(
      db
        .insertInto('alerts')
        .values({ ...twin, id: id + 1_000_000 })
        .execute(),
    ).rejects.toThrow(/unique/i);
  });

  it('are seen and handled only within reach, and by a technician only where they are about equipment', async () => {
    await feed(86, 16);
    await feed(97, 70, { quality: 'questionable' });
    const both = await open();
    expect(both.map(({ parameter }) => parameter).sort()).toEqual(['spo2', 'spo2Quality']);
    const [clinical, technical] = both;
    const technician = await test.signIn(site, 'technician');
    const seen = (await technician.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    expect(seen.items.map(({ parameter }) => parameter)).toEqual(['spo2Quality']);
    // Equipment without a value of the patient.
    expect(seen.items[0]?.evidence.samples).toEqual([]);
    expect(seen.items[0]?.sentence).not.toMatch(/97/);
    const acknowledged = async (who: Caller, id = 0): Promise<number> =>
      (await who.call('POST', `/api/v2/alerts/${id}/acknowledge`, versionOf(id))).statusCode;
    await expect(acknowledged(technician, clinical?.id)).resolves.toBe(404);
    expect((await technician.call('GET', `/api/v2/alerts/${clinical?.id}/events`)).statusCode).toBe(404);
    await expect(acknowledged(technician, technical?.id)).resolves.toBe(200);
    // What people wrote about it may name the patient.
    const technicalId = technical?.id ?? 0;
    await act(technicalId, 'accept');
    await act(technicalId, 'reject', { reason: 'Canary is restless' });
    await act(technicalId, 'resolve', { outcome: 'sensor_fixed', note: 'Canary took the probe off' });
    const textsOf = async (who: Caller): Promise<string> =>
      (await who.call('GET', `/api/v2/alerts/${technicalId}/events`)).body +
      (await who.call('GET', `/api/v2/alerts?ids=${technicalId}`)).body;
    const written = await textsOf(nurse);
    expect([written.includes('restless'), written.includes('probe off')]).toEqual([true, true]);
    const shown = await textsOf(technician);
    expect(shown).toContain('"is":"resolved"');
    expect(shown).not.toMatch(/Canary|restless|probe off/);

    const viewer = await test.signIn(site, 'viewer');
    expect((await viewer.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().total).toBe(2);
    await expect(acknowledged(viewer, clinical?.id)).resolves.toBe(403);

    const elsewhere = await test.addPatient(site, { location: { unit: 'North', bed: '1' } });
    const south = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'South', [south.userId]);
    patient = elsewhere;
    await feed(86, 16);
    const { id } = await only();
    expect((await south.call('GET', `/api/v2/alerts?patientId=${elsewhere}`)).json<AlertsPage>().items).toEqual([]);
    const inEmergency = async (name: string, body: object = {}): Promise<number> =>
      (await south.call('POST', `/api/v2/alerts/${id}/${name}`, { ...versionOf(id), ...body })).statusCode;
    await expect(inEmergency('accept')).resolves.toBe(404);
    await south.call('POST', '/api/v2/auth/break-glass', { reason: 'A patient next door collapsed.' });
    expect((await south.call('GET', `/api/v2/alerts?patientId=${elsewhere}`)).json<AlertsPage>().items).toMatchObject([
      { id },
    ]);
    // Emergency access reads and acknowledges, and nothing else (clinical.md section 9).
    await expect(inEmergency('accept')).resolves.toBe(403);
    await expect(inEmergency('pause-audio', { seconds: 60 })).resolves.toBe(403);
    await expect(inEmergency('resolve', { outcome: 'artefact' })).resolves.toBe(403);
    expect((await south.call('POST', '/api/v2/alerts/take', { alerts: [{ id, ...versionOf(id) }] })).statusCode).toBe(
      403,
    );
    await expect(inEmergency('acknowledge')).resolves.toBe(200);
    const isSeen = async (): Promise<boolean> => {
      await test.server.alerts.evaluateClock();
      return test.server.alerts.find(id)?.alert.acknowledged !== null;
    };
    await expect(isSeen()).resolves.toBe(true);
    test.advance(3_600_000);
    await expect(isSeen()).resolves.toBe(false);
    const other = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await other.call('GET', `/api/v2/alerts/${id}/events`)).statusCode).toBe(404);
  });

  it('put each look at a patient’s alerts on record once a view', async () => {
    await feed(86, 16);
    const lines = async () =>
      (
        await test.store.db
          .selectFrom('audit')
          .select('id')
          .where('action', '=', 'read_alerts')
          .where('actor_id', '=', nurse.userId)
          .execute()
      ).length;
    await open();
    await open();
    await expect(lines()).resolves.toBe(1);
  });

  it('put each look at the log of one on record with its patient, also after a look at the list', async () => {
    await feed(86, 16);
    const { id } = await only();
    await nurse.call('GET', `/api/v2/alerts/${id}/events`);
    await nurse.call('GET', `/api/v2/alerts/${id}/events`);
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['object_type', 'object_id'])
      .where('action', '=', 'read_alert_log')
      .where('actor_id', '=', nurse.userId)
      .execute();
    expect(rows).toEqual([{ object_type: 'patient', object_id: test.server.alerts.find(id)?.patientId }]);
  });

  it('are found by their id while they are open and after that, whatever else is open', async () => {
    await feed(86, 16);
    const { id } = await only();
    const byId = async (): Promise<unknown> => (await nurse.call('GET', `/api/v2/alerts?ids=${id}`)).json();
    await expect(byId()).resolves.toMatchObject({ total: 1, items: [{ id, condition: 'active', closedAt: null }] });
    await act(id, 'acknowledge');
    await feed(97, 40);
    await expect(byId()).resolves.toMatchObject({
      total: 1,
      items: [{ id, condition: 'ended', closedBecause: 'ended' }],
    });
  });

  it('answer a poll that knows them already in a few bytes', async () => {
    await feed(86, 16);
    const { version } = (await nurse.call('GET', '/api/v2/alerts')).json<AlertsPage>();
    expect((await nurse.call('GET', `/api/v2/alerts?after=${version}`)).json()).toEqual({ unchanged: true, version });
    await feed(97, 40);
    expect((await nurse.call('GET', `/api/v2/alerts?after=${version}`)).json()).toHaveProperty('items');
  });

  it('close when the patient is discharged, and ask no one any more, if somebody has seen them', async () => {
    await feed(86, 16);
    const { id, version: seen } = await only();
    await nurse.call('POST', `/api/v2/alerts/${id}/acknowledge`, { version: seen });
    const version = test.server.liveState.patients.get(patient)?.version;
    expect(
      (await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version, state: 'discharged' })).statusCode,
    ).toBe(200);
    await test.server.alerts.evaluateClock();
    expect(
      (await nurse.call('GET', '/api/v2/alerts?pageSize=500')).json<AlertsPage>().items.map((item) => item.id),
    ).not.toContain(id);
    expect((await log(id)).at(-1)).toBe('closed');
  });

  it('close when the patient was discharged in the moment in which the server stopped', async () => {
    await feed(86, 16);
    const { id, version } = await only();
    await nurse.call('POST', `/api/v2/alerts/${id}/acknowledge`, { version });
    await test.store.db.updateTable('patients').set({ state: 'discharged' }).where('id', '=', patient).execute();
    await test.restart();
    await test.server.alerts.evaluateClock();
    expect((await log(id)).at(-1)).toBe('closed');
  });

  it('are neither lost nor doubled where the store could not take the samples and they are sent again', async () => {
    await feed(86, 12);
    const samples = Array.from({ length: 4 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 86,
      takenAt: toInstant(test.now() + place * 1_000),
      quality: 'good',
    }));
    test.advance(4_000);
    const allowCommits = await refuseCommits(test.store);
    expect((await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) })).statusCode).toBe(500);
    await expect(open()).resolves.toEqual([]);
    await allowCommits();
    expect((await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
      accepted: 4,
    });
    const { id } = await only();
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    await expect(log(id)).resolves.toEqual(['raised', 'asked']);
  });

  it('never reject a device’s samples for more than one call, even if rows are in the store alone', async () => {
    await feed(86, 16);
    const { id } = await only();
    const { db } = test.store;
    const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const twin = await test.addPatient(site);
    await db
      .insertInto('alerts')
      .values({ ...row, id: id + 500, patient_id: twin })
      .execute();
    patient = twin;
    const samples = Array.from({ length: 17 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 86,
      takenAt: toInstant(test.now() - 17_000 + place * 1_000),
      quality: 'good',
    }));
    expect((await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) })).statusCode).toBe(500);
    expect((await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) })).json()).toMatchObject({
      accepted: 17,
    });
    await expect(only()).resolves.toMatchObject({ id: id + 500, condition: 'active' });
  });

  describe('of equipment', () => {
    it('tell of a patient who reported and does not any more, and end with the next value', async () => {
      await feed(97, 10);
      // The last value was measured a second ago.
      test.advance(58_000);
      await test.server.alerts.evaluateClock();
      await expect(open()).resolves.toEqual([]);
      test.advance(1_000);
      await test.server.alerts.evaluateClock();
      await expect(only()).resolves.toMatchObject({ parameter: 'reporting', rule: 'reporting.short', priority: 'low' });
      test.advance(240_000);
      await test.server.alerts.evaluateClock();
      await expect(only()).resolves.toMatchObject({ rule: 'reporting.medium', priority: 'medium' });
      await feed(97, 1);
      await test.server.alerts.evaluateClock();
      await expect(open()).resolves.toEqual([]);
    });

    it('tell of a probe that is off instead of silence', async () => {
      await feed(97, 5);
      await feed(0, 120);
      await test.server.alerts.evaluateClock();
      await expect(only()).resolves.toMatchObject({ parameter: 'sensor', rule: 'sensor.off', priority: 'medium' });
    });

    it('tell of a silent gateway once, instead of each of its patients', async () => {
      const gateway = await test.addDevice(site, { name: 'gateway 7' });
      const patients = [patient, await test.addPatient(site), await test.addPatient(site)];
      // Older than the call by some seconds, as where a gateway collects before it calls.
      const takenAt = toInstant(test.now() - 8_000);
      const samples = patients.map((id) => ({ patientId: id, kind: 'spo2', value: 97, takenAt, quality: 'good' }));
      await test.ingest(gateway.token, samples, { sentAt: toInstant(test.now()) });
      for (let passed = 0; passed < 60; passed += 1) {
        test.advance(1_000);
        await test.server.alerts.evaluateClock();
      }
      for (const id of patients) {
        await expect(open(id)).resolves.toEqual([]);
      }
      const all = (await nurse.call('GET', '/api/v2/alerts?pageSize=500')).json<AlertsPage>().items;
      const ofGateway = all.filter(({ deviceId }) => deviceId === gateway.id);
      expect(ofGateway).toMatchObject([
        { parameter: 'gateway', rule: 'gateway.silent', priority: 'medium', patientId: null, deviceName: 'gateway 7' },
      ]);
    });

    it('do not blame the devices for the time in which the server was not there', async () => {
      await feed(97, 10);
      test.advance(3_000_000);
      await test.restart();
      nurse = await test.signIn(site, 'nurse');
      await test.server.alerts.evaluateClock();
      await expect(open()).resolves.toEqual([]);
      test.advance(60_000);
      await test.server.alerts.evaluateClock();
      await expect(only()).resolves.toMatchObject({ rule: 'reporting.short' });
    });

    it('tell of a battery that runs out and of a clock that is wrong, for the device', async () => {
      const ahead = toInstant(test.now() + 90_000);
      const sample = { patientId: patient, kind: 'spo2', value: 97, takenAt: ahead, quality: 'good' };
      const monitor = await test.addDevice(site, { name: 'monitor 3' });
      await test.ingest(monitor.token, [sample], { sentAt: ahead, battery: { percent: 9 } });
      await test.server.alerts.evaluateClock();
      const all = (await nurse.call('GET', '/api/v2/alerts?pageSize=500')).json<AlertsPage>().items;
      const ofDevice = all
        .filter(({ deviceId }) => deviceId === monitor.id)
        .sort((a, b) => (a.parameter < b.parameter ? -1 : 1));
      expect(ofDevice).toMatchObject([
        { parameter: 'battery', rule: 'battery.empty', priority: 'medium' },
        { parameter: 'clock', rule: 'clock.off', priority: 'low' },
      ]);
      await test.ingest(monitor.token, [], { sentAt: toInstant(test.now()), battery: { percent: 80 } });
      await test.server.alerts.evaluateClock();
      const after = (await nurse.call('GET', '/api/v2/alerts?pageSize=500')).json<AlertsPage>().items;
      expect(after.filter(({ deviceId }) => deviceId === monitor.id)).toEqual([]);
    });

    it('are closed when the device is taken off the patient', async () => {
      const monitor = await test.addDevice(site, { name: 'monitor 4' });
      const row = test.server.liveState.patients.get(patient);
      const assignment = { mrn: row?.mrn, dateOfBirth: row?.date_of_birth };
      expect((await nurse.call('POST', `/api/v2/devices/${monitor.id}/assignment`, assignment)).statusCode).toBe(200);
      const sample = { patientId: patient, kind: 'spo2', value: 97, takenAt: toInstant(test.now()), quality: 'good' };
      await test.ingest(monitor.token, [sample], { sentAt: toInstant(test.now()) });
      test.advance(900_000);
      nurse = await test.signIn(site, 'nurse');
      await test.server.alerts.evaluateClock();
      // Somebody decided that this patient is to be watched without a gap.
      await expect(only()).resolves.toMatchObject({ rule: 'reporting.long', priority: 'high' });
      await nurse.call('DELETE', `/api/v2/devices/${monitor.id}/assignment`);
      await expect(open()).resolves.toEqual([]);
      test.advance(60_000);
      await test.server.alerts.evaluateClock();
      await expect(open()).resolves.toEqual([]);
    });
  });

  describe('of a patient at home', () => {
    const read = (values: object) => nurse.call('POST', `/api/v2/patients/${patient}/readings`, { readings: values });
    beforeEach(async () => {
      patient = await test.addPatient(site, { profile: 'home' });
    });

    it('are raised at once by a red reading, by an amber one without a second, and end with a good one', async () => {
      await read({ spo2: 92 });
      await expect(only()).resolves.toMatchObject({ parameter: 'spo2', rule: 'home.spo2.red', priority: 'high' });
      test.advance(600_000);
      await read({ spo2: 96 });
      await expect(only()).resolves.toMatchObject({ condition: 'ended', latched: true });

      patient = await test.addPatient(site, { profile: 'home' });
      await read({ spo2: 94 });
      await expect(open()).resolves.toEqual([]);
      test.advance(3_600_000);
      nurse = await test.signIn(site, 'nurse');
      await test.server.alerts.evaluateClock();
      await expect(only()).resolves.toMatchObject({
        rule: 'home.spo2.amber',
        priority: 'medium',
        evidence: { samples: [{ kind: 'spo2', value: 94, source: 'manual' }] },
      });
      await test.restart();
      await read({ spo2: 97 });
      await expect(only()).resolves.toMatchObject({ condition: 'ended' });
    });

    it('are raised by readings that do not come', async () => {
      await read({ spo2: 97 });
      test.advance(10 * 3_600_000);
      nurse = await test.signIn(site, 'nurse');
      await test.server.alerts.evaluateClock();
      await expect(only()).resolves.toMatchObject({ parameter: 'readings', rule: 'readings.missed', priority: 'low' });
    });

    it('are raised by a red flag whatever the numbers say, and stay after a report without one', async () => {
      const report = (body: object) => nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body);
      expect((await report({ answers: {}, redFlags: ['blueLips'] })).statusCode).toBe(201);
      await expect(only()).resolves.toMatchObject({
        parameter: 'symptoms',
        rule: 'symptoms.red_flag',
        priority: 'high',
      });
      test.advance(60_000);
      expect((await report({ answers: { cough: 'absent' } })).statusCode).toBe(201);
      await expect(only()).resolves.toMatchObject({ rule: 'symptoms.red_flag', condition: 'active' });
    });
  });

  describe('of a site whose administrator has not accepted the intended use', () => {
    it('are not raised until then, and from the next sample on after', async () => {
      const quiet = await test.addSite('Quiet ward');
      const quietDevice = await test.addDevice(quiet);
      patient = await test.addPatient(quiet);
      nurse = await test.signIn(quiet, 'nurse');
      const admin = await test.signIn(quiet, 'administrator', true);
      device = quietDevice;
      await feed(86, 30);
      await test.server.alerts.evaluateClock();
      await expect(open()).resolves.toEqual([]);
      expect((await admin.call('POST', '/api/v2/site/intended-use', { accepted: true })).statusCode).toBe(200);
      await feed(86, 16);
      await expect(only()).resolves.toMatchObject({ rule: 'spo2.low' });
    });
  });
});

describe.each(apiEngines)('the strip of open alerts on %s', (engine) => {
  const second = 1_000;

  let test: TestServer;
  let site: number;
  let west: number;
  let device: { token: string };
  let nurse: Caller;
  let inWest: number;
  let inEast: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    west = await test.addUnit(site, 'West');
    inWest = await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
    inEast = await test.addPatient(site, { location: { unit: 'East', bed: '2' } });
    nurse = await test.signIn(site, 'nurse');
  });

  /** Raises a HIGH alert of each patient, and ends those whose value is 97. */
  async function send(value: number, ...patients: number[]): Promise<void> {
    const samples = patients.flatMap((patientId) =>
      Array.from({ length: 40 }, (_, place) => ({
        patientId,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() + (place + 1) * second),
        quality: 'good',
      })),
    );
    test.advance(40 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
  }
  const strip = async (who = nurse): Promise<AlertStrip> =>
    (await who.call('GET', '/api/v2/alerts/strip')).json<AlertStrip>();
  const beds = async (who = nurse): Promise<(string | null)[]> => (await strip(who)).items.map(({ bed }) => bed);
  const audited = async (who: Caller) =>
    await test.store.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', 'read_alert_strip')
      .where('actor_id', '=', who.userId)
      .execute();

  it('is closed to anyone without a session', async () => {
    expect((await test.app.inject('/api/v2/alerts/strip')).statusCode).toBe(401);
  });

  it('names place, priority, time and owner of an alert, and nothing else, on a locked screen too', async () => {
    await send(80, inWest);
    await nurse.call('POST', '/api/v2/auth/lock');
    const body = await strip();
    expect(Object.keys(body).sort()).toEqual(['alertPath', 'items']);
    expect(Object.keys(body.alertPath).sort()).toEqual(['lastHeartbeatAt', 'lastTickAt']);
    const [item] = body.items;
    expect(Object.keys(item ?? {}).sort()).toEqual(['bed', 'isTrial', 'owned', 'priority', 'raisedAt', 'unit']);
    expect(item).toMatchObject({ unit: 'West', bed: '1', priority: 'high', owned: false });
    expect(Date.parse(item?.raisedAt ?? '')).toBeLessThanOrEqual(test.now());
  });

  it('shows nurses of a unit theirs, technicians equipment, and people without alerts none', async () => {
    await send(80, inWest, inEast);
    const [ofWest, technician, administrator, stranger] = [
      await test.signIn(site, 'nurse'),
      await test.signIn(site, 'technician'),
      await test.signIn(site, 'administrator', true),
      await test.signIn(await test.addSite(), 'nurse'),
    ];
    await test.addUnit(site, 'West', [ofWest.userId]);
    expect((await beds()).toSorted()).toEqual(['1', '2']);
    await expect(beds(ofWest)).resolves.toEqual(['1']);
    await expect(beds(technician)).resolves.toEqual([]);
    await expect(beds(administrator)).resolves.toEqual([]);
    await expect(beds(stranger)).resolves.toEqual([]);
  });

  it('says which are owned, and lists alerts that need someone before those that have someone', async () => {
    await send(80, inWest, inEast);
    const [first] = test.server.alerts.listOpen(site).filter(({ patientId }) => patientId === inWest);
    const id = first?.id ?? 0;
    await test.server.alerts.handle([{ id, action: (alert, at) => accept(alert, nurse.userId, west, at) }], null);
    const { items } = await strip();
    expect(items.map(({ bed, owned }) => [bed, owned])).toEqual([
      ['2', false],
      ['1', true],
    ]);
  });

  it('keeps a HIGH alert that ended until someone has acknowledged it', async () => {
    await send(80, inWest);
    await send(97, inWest);
    expect(test.server.alerts.listOpen(site).map(({ alert }) => alert.condition)).toEqual(['ended']);
    await expect(beds()).resolves.toEqual(['1']);
  });

  it('is audited once a view and not once a poll, and again for a patient who joins it', async () => {
    await strip();
    await expect(audited(nurse)).resolves.toEqual([]);
    await send(80, inWest);
    await strip();
    await strip();
    await expect(audited(nurse)).resolves.toHaveLength(1);
    await send(80, inEast);
    await strip();
    await expect(audited(nurse)).resolves.toEqual([{ details: '{"count":1}' }, { details: '{"count":1}' }]);
  });
});

describe.each(apiEngines)('the evaluation of the clock on %s', (engine) => {
  const patients = 1_000;
  /** The most patients who are evaluated at a stretch, and how often a tick goes through all of them. */
  const [atOnce, times] = [250, 3];

  it('lets others have the thread after so many patients, evaluates each, and so does reading them', async () => {
    // A server of its own: a thousand patients would hold up each tick of the others.
    const test = await startTestServer(engine);
    const site = await test.addSite();
    await test.startRules(site);
    const row = { given_name: 'Sam', date_of_birth: '1950-03-07', sex: 'unknown', profile: 'home' } as const;
    const rows = await test.store.db
      .insertInto('patients')
      .values(
        Array.from({ length: patients }, (_, index) => ({
          ...row,
          site_id: site,
          mrn: `M${index}`,
          family_name: `Sample${index}`,
          spo2_scale: 1 as const,
          state: 'active' as const,
          version: 1,
          created_at: test.now(),
          updated_at: test.now(),
        })),
      )
      .returningAll()
      .execute();
    for (const patient of rows) {
      test.server.liveState.putPatient(patient);
    }
    await expect(countTurns(() => test.server.alerts.evaluateClock())).resolves.toBeGreaterThanOrEqual(
      times * (patients / atOnce - 1),
    );
    expect(rows.filter(({ id }) => test.server.alerts.ruleStateOf(id) === null)).toEqual([]);
    // As a start reads them; while requests are served no query of SQLite is a turn by itself.
    await test.app.ready();
    const readAgain = (): Promise<void> => test.server.alerts.moveClock({ jumpedMs: 0, moveMs: 0 });
    await expect(countTurns(readAgain)).resolves.toBeGreaterThanOrEqual(patients / atOnce - 1);
    await test.stop();
  });
});

describe.each(apiEngines)('a start after a fault of the server on %s', (engine) => {
  const minute = 60_000;

  let test: TestServer;

  beforeEach(async () => {
    // A server of its own: every site has an alert after a fault.
    test = await startTestServer(engine);
  });
  afterEach(() => test.stop());

  const alerts = async (site: number): Promise<AlertItem[]> => {
    await test.server.alerts.evaluateClock();
    const technician = await test.signIn(site, 'technician');
    return (await technician.call('GET', '/api/v2/alerts?pageSize=100')).json<AlertsPage>().items;
  };

  it('is a HIGH alert of every site whose rules are on, for half an hour and over a restart', async () => {
    const [site, other, off] = [await test.addSite(), await test.addSite(), await test.addSite()];
    await test.startRules(site);
    await test.startRules(other);
    await expect(alerts(site)).resolves.toEqual([]);
    test.server.alerts.endedByFault();
    const expected = { priority: 'high', parameter: 'server', deviceName: 'Server', condition: 'active' };
    await expect(alerts(site)).resolves.toMatchObject([expected]);
    await expect(alerts(other)).resolves.toMatchObject([expected]);
    await expect(alerts(off)).resolves.toEqual([]);
    test.advance(20 * minute);
    await test.restart();
    await expect(alerts(site)).resolves.toMatchObject([expected]);
    test.advance(10 * minute);
    await expect(alerts(site)).resolves.toEqual([]);
  });
});

describe('listAlerts', () => {
  describe.each(apiEngines)('the closed alerts of a site on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    let patient: number;
    let neighbour: number;
    /** Of the patient and the neighbour by turns, then of a device. */
    let ids: number[];

    // A server of its own: it counts the ids of alerts in memory, and this suite stores alerts beside it.
    beforeAll(async () => {
      test = await startTestServer(engine);
    });
    afterAll(() => test.stop());
    beforeEach(async () => {
      site = await test.addSite();
      patient = await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
      neighbour = await test.addPatient(site, { location: { unit: 'East', bed: '2' } });
      const { id: device } = await test.addDevice(site);
      nurse = await test.signIn(site, 'nurse');
      ids = [];
      for (let place = 0; place < 6; place += 1) {
        ids.push(await addClosed({ patient_id: place % 2 === 0 ? patient : neighbour }));
      }
      ids.push(await addClosed({ device_id: device }));
    });

    /** Stores an alert beside the server. */
    async function addClosed(of: { patient_id: number } | { device_id: number }, facts?: string): Promise<number> {
      const at = test.now();
      const parameter: Parameter = 'patient_id' in of ? 'spo2' : 'gateway';
      const worst = { rule: 'spo2.low', priority: 'high', values: [] } as const;
      const times = { startedAt: at, count: 1, since: at, endedAt: at };
      const episode = { ...worst, ...times, lowest: 86, highest: 87, source: null, unconfirmedUntil: null };
      const change = takeRetrospectiveEpisode(null, { parameter, episode, endedAt: at, worst, late: null }, at);
      const row = await test.store.db
        .insertInto('alerts')
        .values({
          ...{ patient_id: null, device_id: null, ...of },
          site_id: site,
          parameter,
          rule: worst.rule,
          priority: worst.priority,
          condition: 'ended',
          started_at: at,
          raised_at: at,
          closed_at: at,
          is_retrospective: 1,
          facts: facts ?? JSON.stringify(change?.alert),
          evidence: JSON.stringify({ ruleVersion, limits: null, samples: [] }),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    }
    const pageOf = async (query: string, who = nurse): Promise<{ ids: number[]; total: number }> => {
      const { items, total } = (await who.call('GET', `/api/v2/alerts?state=closed&${query}`)).json<AlertsPage>();
      return { ids: items.map(({ id }) => id), total };
    };
    const newestFirst = (some: readonly number[]): number[] => [...some].sort((a, b) => b - a);

    it('come in pages, the newest first, with how many they are', async () => {
      const pages = await Promise.all([1, 2, 3, 4].map((page) => pageOf(`pageSize=3&page=${page}`)));
      expect(pages.flatMap((page) => page.ids)).toEqual(newestFirst(ids));
      expect(pages.map((page) => page.ids.length)).toEqual([3, 3, 1, 0]);
      expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7]);
    });

    it('are those of one patient where that is asked', async () => {
      const own = newestFirst([ids[0] ?? 0, ids[2] ?? 0, ids[4] ?? 0]);
      await expect(pageOf(`patientId=${patient}&pageSize=2`)).resolves.toEqual({ ids: own.slice(0, 2), total: 3 });
      await expect(pageOf(`patientId=${patient}&pageSize=2&page=2`)).resolves.toEqual({ ids: own.slice(2), total: 3 });
    });

    it('are within reach, and so is their number', async () => {
      const [east, technician, stranger] = [
        await test.signIn(site, 'nurse'),
        await test.signIn(site, 'technician'),
        await test.signIn(await test.addSite(), 'nurse'),
      ];
      await test.addUnit(site, 'East', [east.userId]);
      const equipment = ids.slice(-1);
      const ofEast = newestFirst([ids[1] ?? 0, ids[3] ?? 0, ids[5] ?? 0, ...equipment]);
      await expect(pageOf('pageSize=3', east)).resolves.toEqual({ ids: ofEast.slice(0, 3), total: 4 });
      await expect(pageOf('', technician)).resolves.toEqual({ ids: equipment, total: 1 });
      await expect(pageOf('', stranger)).resolves.toEqual({ ids: [], total: 0 });
    });

    it('cost a page no more than its own rows: one that cannot be read breaks only its own', async () => {
      const broken = await addClosed({ patient_id: patient }, 'not JSON');
      await expect(pageOf('pageSize=1&page=2')).resolves.toEqual({ ids: ids.slice(-1), total: 8 });
      expect(broken).toBeGreaterThan(Math.max(...ids));
    });

    describe('by their ids', () => {
      const shown = async (query: string, who = nurse): Promise<number[]> =>
        (await who.call('GET', `/api/v2/alerts?${query}`)).json<AlertsPage>().items.map(({ id }) => id);

      it.each(['ids=', 'ids=x', 'ids=1,,2', 'ids=0', 'ids=-1'])('refuse %s', async (query) => {
        expect((await nurse.call('GET', `/api/v2/alerts?${query}`)).statusCode).toBe(400);
      });

      it('leave out what the caller may not see, and what is not there', async () => {
        const [east, technician, stranger, north] = [
          await test.signIn(site, 'nurse'),
          await test.signIn(site, 'technician'),
          await test.signIn(await test.addSite(), 'nurse'),
          await test.signIn(site, 'nurse'),
        ];
        await test.addUnit(site, 'East', [east.userId]);
        await test.addUnit(site, 'North', [north.userId]);
        const query = `ids=${[...ids, 999_999].join()}`;
        const equipment = ids.slice(-1);
        await expect(shown(query, stranger)).resolves.toEqual([]);
        await expect(shown(query, north)).resolves.toEqual(equipment);
        await expect(shown(query, technician)).resolves.toEqual(equipment);
        expect(newestFirst(await shown(query, east))).toEqual(
          newestFirst([ids[1] ?? 0, ids[3] ?? 0, ids[5] ?? 0, ...equipment]),
        );
      });

      it('are those alone, and each look at their patients is on record once a view', async () => {
        const wanted = [ids[0] ?? 0, ids[6] ?? 0];
        for (let poll = 0; poll < 3; poll += 1) {
          expect(newestFirst(await shown(`ids=${wanted.join()}`))).toEqual(newestFirst(wanted));
        }
        const rows = await test.store.db
          .selectFrom('audit')
          .select('details')
          .where('action', '=', 'list_alerts')
          .where('actor_id', '=', nurse.userId)
          .execute();
        expect(rows).toEqual([{ details: '{"count":1}' }]);
      });

      it('have a version of their own', async () => {
        const read = async (query: string) => (await nurse.call('GET', `/api/v2/alerts?${query}`)).json<AlertsPage>();
        const { version } = await read(`ids=${ids[0]}`);
        await expect(read(`ids=${ids[0]}&after=${version}`)).resolves.toEqual({ unchanged: true, version });
        await expect(read(`ids=${ids[0]},${ids[1]}&after=${version}`)).resolves.toMatchObject({ total: 2 });
      });
    });
  });
});
