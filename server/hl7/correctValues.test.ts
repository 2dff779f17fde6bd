import { formatDtm } from '../../lib/hl7/formatDtm';
import { kindOfCode } from '../../lib/vitals/kinds';
import { addBedMapping } from '../../test/addBedMapping';
import { addCodeMapping } from '../../test/addCodeMapping';
import { addSender } from '../../test/addSender';
import { engines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { isWithdrawn } from '../vitals/qualityCode';
import { correctValues } from './correctValues';

const minuteMs = 60_000;

describe.each(engines)('values that came by a bed alone, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let gateway: MllpClient;
  let senderId: number;
  let unitId: number;
  /** In bed 7 and in bed 8. */
  let [ada, bela] = [0, 0];
  let sent = 0;

  beforeEach(async () => {
    test = await restartableTestServer(engine, { HL7_PORT: '0' });
    site = await test.addSite();
    const address = gatewayAddress();
    ({ id: senderId } = await addSender(test, site, { address }));
    unitId = await test.addUnit(site, 'North');
    ada = await test.addPatient(site, { familyName: 'Harbour', location: { unit: 'North', bed: '7' } });
    bela = await test.addPatient(site, { familyName: 'Meadow', location: { unit: 'North', bed: '8' } });
    test.advance(60 * minuteMs);
    // What tests before left to be read and corrected.
    await test.server.earlierReader.read(new AbortController().signal);
    await correct();
    await addBedMapping(test, site, { senderId, senderBed: '2 NORTH^^7', unitId, bed: '7' });
    await addBedMapping(test, site, { senderId, senderBed: '2 NORTH^^8', unitId, bed: '8' });
    gateway = await connectGateway(test, address);
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  /** Sends an SpO2 of each bed (its patient's name, where given) once a minute, and resolves with the answers. */
  const sendMinutes = async (
    count: number,
    values: Readonly<Record<string, number>>,
    { code = '150456^MDC_PULS_OXIM_SAT_O2^MDC', behindMs = 0 } = {},
  ) => {
    const codes: string[] = [];
    for (let minute = 0; minute < count; minute += 1) {
      await test.server.rawMessages.flush();
      test.advance(minuteMs);
      await test.server.storage.check();
      const at = formatDtm(test.now() - behindMs);
      for (const [bed, value] of Object.entries(values)) {
        sent += 1;
        gateway.send(
          [
            `MSH|^~\\&|GATEWAY||||${at}||ORU^R01|M${sent}|P|2.5`,
            'PID|||""',
            `PV1|||2 NORTH^^${bed}`,
            `OBR|||||||${at}`,
            `OBX||NM|${code}||${value}|262688^MDC_DIM_PERCENT^MDC|||||F`,
          ].join('\n'),
        );
        codes.push((await gateway.next()).code);
      }
    }
    return codes;
  };
  /** A session that is not idle, however long the test's clock has gone on. */
  const lead = (): Promise<Caller> => test.signIn(site, 'ward_lead');
  const change = async (id: number, patch: object) => {
    const { version } = test.server.liveState.patients.get(id) ?? { version: 0 };
    return await (await lead()).call('PATCH', `/api/v2/patients/${id}`, { version, ...patch });
  };
  const ago = (minutes: number): string => new Date(test.now() - minutes * minuteMs).toISOString();
  /** Runs what the server's job does, until nothing is open. */
  const correct = async (): Promise<void> => {
    const { signal } = new AbortController();
    await correctValues(test.server, signal);
    test.advance(30_000);
    await correctValues(test.server, signal);
  };
  /** The values of a patient that count, with how many minutes before now they were measured. */
  const valuesOf = async (patientId: number): Promise<[number, number][]> => {
    const rows = await test.store.db
      .selectFrom('samples')
      .where('site_id', '=', site)
      .selectAll()
      .where('patient_id', '=', patientId)
      .orderBy('taken_at', 'desc')
      .execute();
    return rows
      .filter(({ quality }) => !isWithdrawn(quality))
      .map(({ taken_at, value }) => [Math.floor((test.now() - taken_at) / minuteMs), value]);
  };
  const quarantined = async () =>
    (
      await test.store.db
        .selectFrom('quarantine')
        .where('site_id', '=', site)
        .select(['code', 'sample'])
        .orderBy('code')
        .execute()
    ).map(({ code, sample }) => [code, (JSON.parse(sample) as { count: number }).count]);
  const minutes = (from: number, to: number): number[] =>
    Array.from({ length: from - to + 1 }, (_, index) => to + index);
  const timesOf = (values: readonly [number, number][]): number[] => values.map(([before]) => before);

  it('are not corrected by a time in the future, a day ago, before the last move, or of no move', async () => {
    test.advance(25 * 60 * minuteMs);
    const bed = { location: { unit: 'North', bed: '9' } };
    expect((await change(ada, { ...bed, since: ago(10) })).statusCode).toBe(200);
    const faults = [
      { ...bed, location: null, since: ago(-1) },
      { ...bed, location: null, since: ago(25 * 60) },
      { ...bed, location: null, since: ago(11) },
      { givenName: 'Eve', since: ago(1) },
      { ...bed, since: ago(5) },
    ];
    for (const patch of faults) {
      const response = await change(ada, patch);
      expect([response.statusCode, Object.keys(response.json<{ error: { fields: object } }>().error.fields)]).toEqual([
        422,
        ['since'],
      ]);
    }
    await expect(
      test.store.db.selectFrom('patient_moves').where('site_id', '=', site).selectAll().execute(),
    ).resolves.toHaveLength(1);
  });

  it('leave the patient whose move is entered 20 min late, and the alert that they raised is over', async () => {
    await test.startRules(site);
    await sendMinutes(20, { 7: 97 });
    await sendMinutes(20, { 7: 71 });
    const lastEvents = async (patientId: number): Promise<unknown[]> => {
      const rows = await test.store.db
        .selectFrom('alerts')
        .innerJoin('alert_events', 'alert_events.alert_id', 'alerts.id')
        .select(['alerts.id', 'alert_events.event', 'alerts.condition'])
        .where('patient_id', '=', patientId)
        .where('parameter', '=', 'spo2')
        .orderBy('alert_events.id')
        .execute();
      const newest = new Map(rows.map((row) => [row.id, row]));
      return [...newest.values()].map((row) => [(JSON.parse(row.event) as { is: string }).is, row.condition]);
    };
    await expect(lastEvents(ada)).resolves.toEqual([[expect.not.stringMatching('withdrawn'), 'active']]);
    expect((await change(ada, { location: { unit: 'North', bed: '9' }, since: ago(20) })).statusCode).toBe(200);
    await correct();
    // Near the move no one knows whose they are.
    expect(timesOf(await valuesOf(ada))).toEqual(minutes(39, 26));
    await expect(quarantined()).resolves.toEqual([
      ['bed_changing', 11],
      ['empty_bed', 15],
    ]);
    await expect(lastEvents(ada)).resolves.toEqual([['withdrawn', 'ended']]);
    const latest = test.server.liveState.latestOf(ada);
    expect([...latest.values()].map(({ sample }) => sample.value)).toEqual([97]);
    const actions = await test.store.db
      .selectFrom('audit')
      .where('site_id', '=', site)
      .select(['action', 'object_id'])
      .execute();
    expect(actions.filter(({ action }) => action === 'withdraw_values')).toEqual([
      { action: 'withdraw_values', object_id: ada },
    ]);
  });

  it('stay with who was there before, also if a second move of the bed is entered late', async () => {
    await sendMinutes(20, { 7: 97 });
    await change(ada, { location: { unit: 'North', bed: '9' }, since: ago(0) });
    test.advance(6 * minuteMs);
    await change(bela, { location: { unit: 'North', bed: '7' } });
    test.advance(6 * minuteMs);
    await sendMinutes(20, { 7: 96 });
    await change(bela, { location: { unit: 'North', bed: '10' }, since: ago(9) });
    await correct();
    expect(timesOf(await valuesOf(ada))).toEqual(minutes(51, 38));
    expect(timesOf(await valuesOf(bela))).toEqual(minutes(19, 15));
  });

  it('raise nothing that outlives a failure between their withdrawal and the evaluation', async () => {
    await test.startRules(site);
    await sendMinutes(20, { 7: 97 });
    await sendMinutes(10, { 7: 71 });
    await change(ada, { location: { unit: 'North', bed: '9' }, since: ago(10) });
    const failing = jest.spyOn(test.server.alerts, 'valuesWithdrawn').mockRejectedValueOnce(new Error('cut off'));
    await expect(correctValues(test.server, new AbortController().signal)).rejects.toThrow('cut off');
    failing.mockRestore();
    await correct();
    const open = test.server.alerts.listOpen(site).filter(({ patientId }) => patientId === ada);
    expect(open.filter(({ alert }) => alert.parameter === 'spo2' && alert.condition === 'active')).toEqual([]);
  });

  it('end no alert that began before them', async () => {
    await test.startRules(site);
    await sendMinutes(20, { 7: 97 });
    await sendMinutes(20, { 7: 71 });
    await change(ada, { location: { unit: 'North', bed: '9' }, since: ago(5) });
    await correct();
    const open = test.server.alerts.listOpen(site).filter(({ patientId }) => patientId === ada);
    expect(
      open.filter(({ alert }) => alert.parameter === 'spo2').map(({ alert }) => [alert.condition, alert.isWithdrawn]),
    ).toEqual([['active', false]]);
  });

  it('raise an alert that lasts if another device of the patient says the same', async () => {
    await test.startRules(site);
    const { id, token } = await test.addDevice(site);
    test.server.liveState.assigned.set(id, ada);
    const spo2 = async (value: number): Promise<void> => {
      const sample = { patientId: ada, kind: 'spo2', value, takenAt: new Date(test.now()).toISOString() };
      expect((await test.ingest(token, [sample])).statusCode).toBe(200);
    };
    await sendMinutes(20, { 7: 97 });
    for (let minute = 0; minute < 10; minute += 1) {
      await sendMinutes(1, { 7: 71 });
      await spo2(72);
    }
    await change(ada, { location: { unit: 'North', bed: '9' }, since: ago(15) });
    await correct();
    expect((await valuesOf(ada)).filter(([, value]) => value === 71)).toEqual([]);
    const open = test.server.alerts.listOpen(site).filter(({ patientId }) => patientId === ada);
    expect(
      open.filter(({ alert }) => alert.parameter === 'spo2').map(({ alert }) => [alert.condition, alert.isWithdrawn]),
    ).toEqual([['active', false]]);
  });

  it('of two patients whose swap is entered late are under none of them, and those since are right', async () => {
    await sendMinutes(20, { 7: 97, 8: 92 });
    await sendMinutes(20, { 7: 91, 8: 96 });
    const patients = [ada, bela].map((id) => ({ id, version: 1 }));
    const swap = await (await lead()).call('POST', '/api/v2/patients/swap-beds', { patients, since: ago(20) });
    expect(swap.statusCode).toBe(200);
    await sendMinutes(1, { 7: 90, 8: 95 });
    await correct();
    const expected = (own: number, newest: number): [number, number][] => [
      [0, newest],
      ...minutes(40, 27).map((before): [number, number] => [before, own]),
    ];
    await expect(valuesOf(ada)).resolves.toEqual(expected(97, 95));
    await expect(valuesOf(bela)).resolves.toEqual(expected(92, 90));
    const sorted = (await quarantined()).map((row) => row.join(' ')).sort();
    expect(sorted).toEqual(['bed_changing 11', 'bed_changing 11', 'identity_conflict 15', 'identity_conflict 15']);
  });

  it('of a discharge that is entered late are no one’s, also after a crash before they are corrected', async () => {
    await sendMinutes(30, { 7: 97 });
    expect((await change(ada, { state: 'discharged', since: ago(20) })).statusCode).toBe(200);
    gateway.socket.destroy();
    await test.restart();
    await test.app.ready();
    await correct();
    expect(timesOf(await valuesOf(ada))).toEqual(minutes(29, 26));
    const { ended_at } = await test.store.db
      .selectFrom('patient_moves')
      .where('site_id', '=', site)
      .select(['moved_at as ended_at'])
      .where('patient_id', '=', ada)
      .where('kind', '=', 'discharged')
      .executeTakeFirstOrThrow();
    expect(ended_at).toBe(test.now() - 30_000 - 20 * minuteMs);
  });

  it('are withdrawn if the mapping of the bed is undone, also after its end, and stay if it only ends', async () => {
    await sendMinutes(3, { 7: 97, 8: 92 });
    const mapping = async (bed: string) =>
      await test.store.db
        .selectFrom('bed_mappings')
        .where('site_id', '=', site)
        .select('id')
        .where('bed', '=', bed)
        .executeTakeFirstOrThrow();
    const technician = await test.signIn(site, 'technician');
    const { id: wrong } = await mapping('7');
    expect((await technician.call('POST', `/api/v2/admin/mappings/${wrong}/undo`)).statusCode).toBe(403);
    for (const [bed, how] of [
      ['7', 'undo'],
      ['8', 'end'],
    ] as const) {
      const { id } = await mapping(bed);
      const decide = async () => await (await lead()).call('POST', `/api/v2/admin/mappings/${id}/${how}`);
      expect((await decide()).statusCode).toBe(200);
      // The same again, after a lost response.
      expect((await decide()).statusCode).toBe(200);
    }
    await correct();
    await expect(valuesOf(ada)).resolves.toEqual([]);
    expect(timesOf(await valuesOf(bela))).toEqual([0, 1, 2]);
    await expect(quarantined()).resolves.toEqual([['unknown_bed', 3]]);
    expect(test.server.liveState.latestOf(ada).size).toBe(0);
    expect(kindOfCode(test.server.liveState.latestOf(bela).keys().next().value ?? -1)).toBe('spo2');
    const { id: ended } = await mapping('8');
    await (await lead()).call('POST', `/api/v2/admin/mappings/${ended}/undo`);
    await correct();
    await expect(valuesOf(bela)).resolves.toEqual([]);
    await expect(
      test.store.db
        .selectFrom('bed_mappings')
        .where('site_id', '=', site)
        .select('done_at')
        .where('done_at', 'is not', null)
        .execute(),
    ).resolves.toHaveLength(2);
  });

  /** The id of the mapping of a bed that has not ended. */
  const mappingOf = async (bed: string): Promise<number> => {
    const open = test.store.db
      .selectFrom('bed_mappings')
      .where('site_id', '=', site)
      .select('id')
      .where('ended_at', 'is', null);
    return (await open.where('bed', '=', bed).executeTakeFirstOrThrow()).id;
  };
  const decide = async (id: number, how: 'end' | 'undo'): Promise<void> => {
    expect((await (await lead()).call('POST', `/api/v2/admin/mappings/${id}/${how}`)).statusCode).toBe(200);
  };

  it('are withdrawn with their mapping whatever a restore or a step of the clock did to its times', async () => {
    await sendMinutes(3, { 7: 97, 8: 92 });
    const id = await mappingOf('7');
    await test.store.db
      .updateTable('bed_mappings')
      .set({ proposed_at: test.now() + 3 * 86_400_000, confirmed_at: null, confirmed_by: null })
      .where('id', '=', id)
      .execute();
    gateway.socket.destroy();
    await test.restart();
    await decide(id, 'undo');
    await correct();
    await expect(valuesOf(ada)).resolves.toEqual([]);
    await expect(valuesOf(bela)).resolves.toHaveLength(3);
  });

  it('stay where only the mapping before theirs, or the one after it, is undone', async () => {
    await sendMinutes(3, { 7: 97 });
    const first = await mappingOf('7');
    await decide(first, 'end');
    await addBedMapping(test, site, { senderId, senderBed: '2 NORTH^^7', unitId, bed: '7' });
    await sendMinutes(3, { 7: 95 });
    await decide(first, 'undo');
    await correct();
    expect((await valuesOf(ada)).map(([, value]) => value)).toEqual([95, 95, 95]);
  });

  /** Reads again what came under a code that is mapped now. */
  const readEarlier = async (): Promise<void> => {
    await addCodeMapping(test, site, { senderId, code: { id: 'SAT', text: 'Saturation', system: 'L' }, kind: 'spo2' });
    await test.server.rawMessages.flush();
    test.advance(2 * minuteMs);
    await test.server.storage.check();
    await test.server.earlierReader.read(new AbortController().signal);
  };
  const unmapped = { code: 'SAT^Saturation^L' };

  it('do not wait for those that were read again of an undone bed, if a move is entered late meanwhile', async () => {
    await sendMinutes(40, { 7: 97 }, unmapped);
    await readEarlier();
    await sendMinutes(40, { 8: 92 });
    await decide(await mappingOf('7'), 'undo');
    const { recorder } = test.server;
    const withdraw = recorder.withdraw.bind(recorder);
    const spy = jest.spyOn(recorder, 'withdraw').mockImplementationOnce(async (keys, now) => {
      await change(bela, { location: { unit: 'North', bed: '9' }, since: ago(20) });
      await withdraw(keys, now);
    });
    await correctValues(test.server, new AbortController().signal);
    spy.mockRestore();
    await expect(valuesOf(ada)).resolves.toEqual([]);
    expect(timesOf(await valuesOf(bela))).toEqual(minutes(39, 26));
    await correct();
    await expect(
      test.store.db
        .selectFrom('bed_mappings')
        .where('site_id', '=', site)
        .select('id')
        .where('done_at', 'is not', null)
        .execute(),
    ).resolves.toHaveLength(1);
  });

  it.each([
    ['behind', 7_000],
    ['ahead', -7_000],
  ])('stay if read again after a move that is entered late, by a clock that is unknown and %s', async (_, behindMs) => {
    // One value tells no clock.
    await sendMinutes(1, { 7: 97, 8: 92 }, { ...unmapped, behindMs });
    test.advance(20 * minuteMs);
    await readEarlier();
    await change(ada, { location: { unit: 'North', bed: '9' }, since: ago(10) });
    await change(bela, { location: { unit: 'North', bed: '10' }, since: ago(20) });
    await correct();
    expect((await valuesOf(ada)).map(([, value]) => value)).toEqual([97]);
    // It is of near the move.
    await expect(valuesOf(bela)).resolves.toEqual([]);
  });

  it('are withdrawn with their mapping also if read again, of a patient who left the bed 60 days ago', async () => {
    await sendMinutes(10, { 7: 97, 8: 92 }, unmapped);
    await readEarlier();
    await change(ada, { location: { unit: 'North', bed: '9' } });
    test.advance(60 * 86_400_000);
    gateway.socket.destroy();
    await test.restart();
    await decide(await mappingOf('7'), 'undo');
    await correct();
    await expect(valuesOf(ada)).resolves.toEqual([]);
    await expect(valuesOf(bela)).resolves.toHaveLength(10);
  });

  it('are withdrawn with their mapping also if they were on their way to the store', async () => {
    await sendMinutes(1, { 7: 97, 8: 92 });
    const id = await mappingOf('7');
    // As it is after the first pass: in the store, and of no device in the live state.
    await test.store.db.deleteFrom('latest_values').where('site_id', '=', site).execute();
    gateway.socket.destroy();
    await test.restart();
    await decide(id, 'undo');
    await correct();
    await expect(valuesOf(ada)).resolves.toEqual([]);
    await expect(valuesOf(bela)).resolves.toHaveLength(1);
  });
});
