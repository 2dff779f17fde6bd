import { toInstant } from '../../lib/time/schema';
import type { Patient } from '../../lib/patients/schema';
import { addSender } from '../../test/addSender';
import { engines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { refuseCommits } from '../../test/refuseCommits';
import { sharedTestServer } from '../../test/sharedServer';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { unknownClock } from '../../lib/vitals/deviceClock';
import { loadWard } from '../loadWard';
import { applyRetention } from '../vitals/retention';

const spo2 = 'OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||97|262688^MDC_DIM_PERCENT^MDC|||||F';
const alarm = (text: string): string => `OBX||TX|2^YellowAlarm^MDIL-ALERT||${text}||||||F`;
const respiration = '**RR     40  >30  ';
const event = (phase: string, id = 'E1'): string[] => [
  `OBR|1||${id}|196616^MDC_EVT_ALARM^MDC`,
  'OBX|1|CWE|196616^MDC_EVT_ALARM^MDC|1.0.0.0.1|196680^MDC_EVT_LEAD_OFF^MDC|||A~PL~ST|||R',
  `OBX|2|ST|68481^MDC_ATTR_EVENT_PHASE^MDC|1.0.0.0.3|${phase}||||||R`,
];

describe.each(engines)('the alarms of devices on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let patientId: number;
  let otherId: number;
  let nurse: Caller;
  let gateway: MllpClient;
  let sent = 0;

  async function begin(server: TestServer): Promise<void> {
    test = server;
    site = await test.addSite();
    patientId = await test.addPatient(site, { mrn: 'P-100', familyName: 'Harbour' });
    otherId = await test.addPatient(site, { mrn: 'P-200', familyName: 'Mole' });
    const address = gatewayAddress();
    await addSender(test, site, { address });
    nurse = await test.signIn(site, 'physician');
    gateway = await connectGateway(test, address);
  }
  beforeEach(async () => {
    await begin(await sharedTestServer(engine, { HL7_PORT: '0' }));
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  /** Sends a message of now and resolves with its answer. */
  async function send(
    lines: readonly string[],
    more: { mrn?: string; trigger?: string; ageMs?: number; bed?: string } = {},
  ) {
    const { mrn = 'P-100', trigger = 'R01', ageMs = 0, bed = '7' } = more;
    const time = toInstant(test.now() - ageMs).replaceAll(/[-:TZ]|\.\d+/g, '');
    sent += 1;
    const head = `MSH|^~\\&|GATEWAY||||${time}+0000||ORU^${trigger}|M${sent}|P|2.6`;
    const place = bed === '' ? [] : [`PV1|||2 NORTH^^${bed}`];
    const patient = [`PID|||${mrn}^^^^MR`, ...place, `OBR|1||E1||||${time}+0000`];
    gateway.send([head, ...patient, ...lines].join('\n'));
    return await gateway.next();
  }
  const shown = async (id = patientId): Promise<Patient['deviceAlarms']> =>
    (await nurse.call('GET', `/api/v2/patients/${id}`)).json<Patient>().deviceAlarms;
  const texts = async (id = patientId): Promise<string[]> => (await shown(id)).map(({ text }) => text);
  const rows = async () =>
    (
      await test.store.db.selectFrom('device_alarms').where('site_id', '=', site).selectAll().orderBy('id').execute()
    ).map((row) => [row.text, row.ended_at === null ? 'lasts' : row.ended_at - row.started_at]);

  it('are no one’s if the message is no one’s', async () => {
    expect((await send([alarm(respiration)], { mrn: 'P-999' })).code).toBe('AE');
    await expect(rows()).resolves.toEqual([]);
  });

  it('are refused with a time of another day, and accept nothing as the alarm of now', async () => {
    expect((await send([alarm(respiration)], { ageMs: 25 * 3_600_000 })).code).toBe('AE');
    await expect(rows()).resolves.toEqual([]);
    await expect(
      test.store.db.selectFrom('quarantine').where('site_id', '=', site).select('code').execute(),
    ).resolves.toEqual([{ code: 'clock_wrong' }]);
  });

  it('are not acknowledged while they cannot be stored, and not shown', async () => {
    jest.spyOn(test.server.liveState.deviceAlarms, 'openOf').mockImplementationOnce(() => {
      throw Object.assign(new Error('The disk is full'), { code: 'SQLITE_FULL' });
    });
    expect((await send([alarm(respiration)])).code).toBe('AR');
    await expect(texts()).resolves.toEqual([]);
    expect((await send([alarm(respiration)])).code).toBe('AA');
    await expect(texts()).resolves.toEqual(['**RR 40 >30']);
  });

  it('never keep a value back: it is stored although the alarm beside it cannot be', async () => {
    await send([spo2]);
    test.advance(5_000);
    const allow = await refuseCommits(test.store, 'devices');
    expect((await send([spo2.replace('|97|', '|71|'), alarm(respiration)])).code).toBe('AR');
    const values = await test.store.db
      .selectFrom('samples')
      .where('site_id', '=', site)
      .select('value')
      .orderBy('taken_at')
      .execute();
    expect(values).toEqual([{ value: 97 }, { value: 71 }]);
    await allow();
  });

  it('cost themselves and not the message when they meet a fault of ours', async () => {
    jest.spyOn(test.server.liveState.deviceAlarms, 'openOf').mockImplementation(() => {
      throw new TypeError('a fault');
    });
    expect((await send([spo2, alarm(respiration)])).code).toBe('AA');
    await expect(rows()).resolves.toEqual([]);
  });

  it('are not taken from a report without a readable one, which is not wholly taken', async () => {
    expect((await send([spo2], { trigger: 'R40' })).code).toBe('AE');
  });

  it('change nothing of ours: values beside an alarm raise the same alert at the same time', async () => {
    await test.startRules(site);
    const low = spo2.replace('|97|', '|71|');
    for (let second = 0; second < 5; second += 1) {
      await send([low, alarm(`***Desat 71 <80`)], { bed: '7' });
      await send([low], { mrn: 'P-200', bed: '8' });
      test.advance(1_000);
      await test.server.alerts.evaluateClock();
    }
    // The device ends its own, and is silent.
    await send([low], { bed: '7' });
    const alerts = await test.store.db
      .selectFrom('alerts')
      .where('site_id', '=', site)
      .select(['patient_id', 'rule', 'priority', 'raised_at', 'condition'])
      .where('patient_id', 'is not', null)
      .orderBy('patient_id')
      .execute();
    const of = (id: number) => alerts.filter((row) => row.patient_id === id).map((row) => ({ ...row, patient_id: 0 }));
    expect(of(patientId)).toEqual([expect.objectContaining({ rule: 'spo2.desat', condition: 'active' })]);
    expect(of(patientId)).toEqual(of(otherId));
    await expect(texts()).resolves.toEqual([]);
  });

  it('last as long as the device says them, and end with the first values without them', async () => {
    expect((await send([spo2, alarm(respiration)])).code).toBe('AA');
    const [first] = await shown();
    expect(first).toMatchObject({
      ...{ text: '**RR 40 >30', priority: 'medium', isTechnical: false, inactivation: null },
      ...{ source: 'Monitor 2 NORTH 7', startedAt: toInstant(test.now()), lastSeenAt: toInstant(test.now()) },
    });
    test.advance(5_000);
    await send([spo2, alarm('**RR     41  >30  ')]);
    await expect(shown()).resolves.toEqual([{ ...first, text: '**RR 41 >30', lastSeenAt: toInstant(test.now()) }]);
    test.advance(5_000);
    await send([alarm('**Other')]);
    await expect(texts()).resolves.toEqual(['**Other', '**RR 41 >30']);
    test.advance(5_000);
    await send([spo2]);
    await expect(texts()).resolves.toEqual([]);
    await expect(rows()).resolves.toEqual([
      ['**RR 41 >30', 15_000],
      ['**Other', 5_000],
    ]);
  });

  const hl7Time = (ageMs: number): string => `${toInstant(test.now() - ageMs).replaceAll(/[-:TZ]|\.\d+/g, '')}+0000`;

  it.each([90_000, 30 * 3_600_000])(
    'began when the device says, and last while it says them: %d ms ago',
    async (ago) => {
      const began = hl7Time(ago);
      const startedAt = toInstant(test.now() - ago);
      for (let call = 0; call < 3; call += 1) {
        expect((await send([spo2, `${alarm(respiration)}|||${began}`])).code).toBe('AA');
        await expect(shown()).resolves.toEqual([
          expect.objectContaining({ startedAt, lastSeenAt: toInstant(test.now()) }),
        ]);
        test.advance(70_000);
      }
      await send([spo2]);
      await expect(texts()).resolves.toEqual([]);
      await expect(
        test.store.db.selectFrom('quarantine').where('site_id', '=', site).selectAll().execute(),
      ).resolves.toEqual([]);
    },
  );

  it('are shown beside values with times of their own, whatever time the order has', async () => {
    for (let call = 0; call < 2; call += 1) {
      await send([`${spo2}|||${hl7Time(0)}`, alarm(respiration)], { ageMs: 600_000 + call * 5_000 });
      await expect(shown()).resolves.toEqual([expect.objectContaining({ lastSeenAt: toInstant(test.now()) })]);
      test.advance(5_000);
    }
  });

  it('are there once if their message comes twice, or late', async () => {
    await send([spo2, alarm(respiration)]);
    test.advance(5_000);
    await send([spo2]);
    await send([spo2, alarm(respiration)], { ageMs: 5_000 });
    await send([spo2, alarm(respiration)], { ageMs: 4_000 });
    await expect(texts()).resolves.toEqual([]);
    await expect(rows()).resolves.toEqual([['**RR 40 >30', 5_000]]);
  });

  it('end when the monitor has values of another patient, and are never theirs', async () => {
    await send([spo2, alarm(respiration)]);
    test.advance(5_000);
    await send([spo2], { mrn: 'P-200' });
    await expect(texts()).resolves.toEqual(['**RR 40 >30']);
    test.advance(60_000);
    await send([spo2], { mrn: 'P-200' });
    await expect(texts()).resolves.toEqual([]);
    await expect(texts(otherId)).resolves.toEqual([]);
  });

  it('of several patients whom a sender names without a bed are apart', async () => {
    await send([spo2, alarm(respiration)], { bed: '' });
    test.advance(5_000);
    await send([spo2, alarm(respiration)], { bed: '', mrn: 'P-200', ageMs: 8_000 });
    await send([spo2], { bed: '', mrn: 'P-200', ageMs: 1_000 });
    await expect(texts()).resolves.toEqual(['**RR 40 >30']);
    await expect(texts(otherId)).resolves.toEqual([]);
    await send([spo2], { bed: '' });
    await expect(rows()).resolves.toEqual([
      ['**RR 40 >30', 5_000],
      ['**RR 40 >30', 7_000],
    ]);
  });

  it('are closed as unknown with the discharge of the patient, and begin again if they come back', async () => {
    await send([spo2, alarm(respiration)]);
    await send(event('start'), { trigger: 'R40' });
    test.advance(5_000);
    const change = async (state: string): Promise<number> => {
      const { version } = (await nurse.call('GET', `/api/v2/patients/${patientId}`)).json<Patient>();
      return (await nurse.call('PATCH', `/api/v2/patients/${patientId}`, { version, state })).statusCode;
    };
    await expect(change('discharged')).resolves.toBe(200);
    await expect(texts()).resolves.toEqual([]);
    expect((await send([spo2, alarm(respiration)])).code).toBe('AE');
    const { deviceAlarms } = await loadWard(test.store, test.server.faults, test.now());
    expect(deviceAlarms.ofPatient(patientId)).toEqual([]);
    await expect(
      test.store.db
        .selectFrom('device_alarms')
        .where('site_id', '=', site)
        .select(['ended_at', 'is_end_unknown'])
        .execute(),
    ).resolves.toEqual(Array(2).fill({ ended_at: test.now(), is_end_unknown: 1 }));
    await expect(change('active')).resolves.toBe(200);
    await send([spo2, alarm(respiration)]);
    await expect(texts()).resolves.toEqual(['**RR 40 >30']);
  });

  it('begin also if one is open that only the store knows', async () => {
    await send([spo2, alarm(respiration)]);
    for (const stored of test.server.liveState.deviceAlarms.ofPatient(patientId)) {
      test.server.liveState.deviceAlarms.remove(stored);
    }
    test.advance(5_000);
    expect((await send([spo2, alarm(respiration)])).code).toBe('AA');
    await expect(rows()).resolves.toEqual([
      ['**RR 40 >30', 5_000],
      ['**RR 40 >30', 'lasts'],
    ]);
  });

  it('last as events until the device ends them, however many values come', async () => {
    await send([spo2, alarm('**Other')]);
    // It was measured before the newest values.
    expect((await send(event('start'), { trigger: 'R40', ageMs: 1_000 })).code).toBe('AA');
    test.advance(5_000);
    await send([spo2]);
    const [alarmShown] = await shown();
    expect(alarmShown).toMatchObject({
      text: 'Lead off',
      isTechnical: true,
      lastSeenAt: toInstant(test.now()),
    });
    test.advance(5_000);
    await send(event('end'), { trigger: 'R40' });
    await expect(texts()).resolves.toEqual([]);
    await send(event('start'), { trigger: 'R40', ageMs: 2_000 });
    await expect(texts()).resolves.toEqual([]);
    await expect(rows()).resolves.toEqual([
      ['**Other', 5_000],
      ['Lead off', 11_000],
    ]);
  });

  it('are not kept up by values after a start, when an end may have been missed', async () => {
    await send(event('start'), { trigger: 'R40' });
    const startedAt = test.now();
    const { deviceAlarms } = await loadWard(test.store, test.server.faults, test.now());
    const [{ deviceId = 0 } = {}] = deviceAlarms.ofPatient(patientId);
    deviceAlarms.noteHeard({ deviceId, patientId }, startedAt + 30_000, unknownClock);
    expect(deviceAlarms.ofPatient(patientId).map(({ lastSeenAt }) => lastSeenAt)).toEqual([startedAt]);
  });

  it('make no value of a number that an event carries', async () => {
    await send([...event('start'), spo2], { trigger: 'R40' });
    await expect(
      test.store.db.selectFrom('samples').where('site_id', '=', site).selectAll().execute(),
    ).resolves.toEqual([]);
  });

  it('are fifty of a monitor at most', async () => {
    const many = Array.from({ length: 60 }, (_, index) => alarm(`Alarm ${String.fromCharCode(65 + index)}`));
    expect((await send([spo2, ...many])).code).toBe('AA');
    await expect(shown()).resolves.toHaveLength(50);
  });

  it('are shown although the ends of fifty others were lost: one of these is closed as unknown', async () => {
    for (let index = 0; index < 50; index += 1) {
      expect((await send(event('start', `S${index}`), { trigger: 'R40' })).code).toBe('AA');
    }
    test.advance(61_000);
    expect((await send(event('start', 'NEW'), { trigger: 'R40' })).code).toBe('AA');
    const { deviceAlarms } = await loadWard(test.store, test.server.faults, test.now());
    const keys = (board: typeof deviceAlarms) => board.ofPatient(patientId).map(({ key }) => key);
    for (const known of [keys(test.server.liveState.deviceAlarms), keys(deviceAlarms)]) {
      expect([known.length, known[0]]).toEqual([50, 'event NEW']);
    }
    await expect(
      test.store.db
        .selectFrom('device_alarms')
        .where('site_id', '=', site)
        .select(['is_end_unknown', 'ended_at', 'last_seen_at'])
        .where('ended_at', 'is not', null)
        .execute(),
    ).resolves.toEqual([{ is_end_unknown: 1, ended_at: test.now(), last_seen_at: test.now() - 61_000 }]);
    // It was not over after all.
    const [dropped] = Array.from({ length: 50 }, (_, index) => `event S${index}`).filter(
      (key) => !keys(deviceAlarms).includes(key),
    );
    await send(event('continue', dropped?.replace('event ', '')), { trigger: 'R40', ageMs: 1_000 });
    expect(keys(test.server.liveState.deviceAlarms)).toContain(dropped);
  });

  it('are known after a start, with the time at which the device last said them, to the minute', async () => {
    await send([spo2, alarm(respiration)]);
    const startedAt = test.now();
    for (let call = 0; call < 7; call += 1) {
      test.advance(10_000);
      await send([spo2, alarm(respiration)]);
    }
    const { store, server } = test;
    const [known] = (await loadWard(store, server.faults, test.now())).deviceAlarms.ofPatient(patientId);
    expect([known?.startedAt, known?.lastSeenAt]).toEqual([startedAt, startedAt + 60_000]);
  });

  it('move with the server’s clock while they last', async () => {
    await send([spo2, alarm(respiration)]);
    const [before] = test.server.liveState.deviceAlarms.ofPatient(patientId);
    test.server.liveState.moveClock(3_600_000, test.now() + 3_600_000);
    const [after] = test.server.liveState.deviceAlarms.ofPatient(patientId);
    expect(after).toMatchObject({
      startedAt: (before?.startedAt ?? 0) + 3_600_000,
      lastSeenAt: (before?.lastSeenAt ?? 0) + 3_600_000,
    });
  });

  it('are listed for a day after their end, as one view of the patient, for those who may see them', async () => {
    const closed = async () => (await nurse.call('GET', `/api/v2/patients/${patientId}/device-alarms`)).json<unknown>();
    await send([spo2, alarm(respiration)]);
    await send(event('start'), { trigger: 'R40' });
    const startedAt = toInstant(test.now());
    await expect(closed()).resolves.toEqual({ patientId, items: [], hasMore: false });
    test.advance(5_000);
    await send([spo2]);
    const endedAt = toInstant(test.now());
    test.advance(61_000);
    // The monitor is another patient's now: whether the event ended is not known.
    await send([spo2], { mrn: 'P-200' });
    const source = 'Monitor 2 NORTH 7';
    const items = [
      { text: 'Lead off', isTechnical: true, priority: 'low', startedAt, lastSeenAt: startedAt, endedAt: null, source },
      {
        text: '**RR 40 >30',
        isTechnical: false,
        priority: 'medium',
        startedAt,
        lastSeenAt: startedAt,
        endedAt,
        source,
      },
    ].map((item) => ({ ...item, id: expect.any(Number) as unknown, inactivation: null }));
    await expect(closed()).resolves.toEqual({ patientId, items, hasMore: false });
    const other = await test.signIn(await test.addSite('Other'), 'physician');
    expect((await other.call('GET', `/api/v2/patients/${patientId}/device-alarms`)).statusCode).toBe(404);
    await expect(
      test.store.db
        .selectFrom('audit')
        .where('site_id', '=', site)
        .select('action')
        .where('actor_id', '=', nurse.userId)
        .where('action', '=', 'read_patient')
        .execute(),
    ).resolves.toHaveLength(1);
    test.advance(86_400_000 - 61_000 + 1);
    nurse = await test.signIn(site, 'physician');
    await expect(closed()).resolves.toMatchObject({ items: [{ text: 'Lead off' }] });
  });

  it('are deleted 400 days after their end, and never while they last', async () => {
    // On a server of its own: a run deletes what is of two days, and begins with the oldest of all sites.
    gateway.socket.destroy();
    await begin(await startTestServer(engine, { HL7_PORT: '0' }));
    await send([spo2, alarm(respiration), alarm('**Other')]);
    test.advance(5_000);
    await send([spo2, alarm('**Other')]);
    const keep = { rolledUpTo: 0, rawDays: 30, log: test.server.log, signal: new AbortController().signal };
    await applyRetention(test.store, { ...keep, now: test.now() + 399 * 86_400_000 });
    await expect(rows()).resolves.toHaveLength(2);
    await applyRetention(test.store, { ...keep, now: test.now() + 401 * 86_400_000 });
    await expect(rows()).resolves.toEqual([['**Other', 'lasts']]);
    await test.stop();
  });
});
