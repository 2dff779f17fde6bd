import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { formatDtm } from '../../lib/hl7/formatDtm';
import { versionOne, type SenderSettings } from '../../lib/hl7/senderSettings';
import { ageFrom } from '../../lib/vitals/deviceClock';
import { kinds } from '../../lib/vitals/kinds';
import { addBedMapping } from '../../test/addBedMapping';
import { addCodeMapping } from '../../test/addCodeMapping';
import { addDecider } from '../../test/addDecider';
import { addSender, answerFor } from '../../test/addSender';
import { apiEngines, engines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { makeTestFolder } from '../../test/testFolder';
import { restartableTestServer } from '../../test/sharedServer';
import { startTestServer, type TestServer } from '../../test/testServer';
import { endEra } from '../clock/era';
import { HttpError } from '../http/httpError';
import { isClockKnown, isWithdrawn } from '../vitals/qualityCode';
import { decideSettings, proposeSettings } from './senderSettings';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const saturation = { id: 'SAT', text: 'Saturation', system: 'L' };
/** One that needs no mapping. */
const oxygen = '150456^MDC_PULS_OXIM_SAT_O2^MDC';
const mdcOxygen = { id: '150456', text: 'MDC_PULS_OXIM_SAT_O2', system: 'MDC' };

describe.each(engines)('what came under a code before it was mapped, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let address: string;
  let gateway: MllpClient;
  let senderId: number;
  let ada: number;
  let sent = 0;
  const whole = new AbortController().signal;

  const begin = async (server: TestServer): Promise<void> => {
    test = server;
    site = await test.addSite();
    address = gatewayAddress();
    ({ id: senderId } = await addSender(test, site, { address }));
    ada = await test.addPatient(site, { mrn: 'M7', location: { unit: 'North', bed: '7' } });
    test.advance(60 * minuteMs);
    // What tests before left to be read.
    await test.server.hl7Replay.takeAgain(whole);
    await connect();
  };
  beforeEach(async () => {
    await begin(await restartableTestServer(engine, { HL7_PORT: '0' }));
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  const connect = async (): Promise<void> => {
    gateway = await connectGateway(test, address);
  };
  const restart = async (): Promise<void> => {
    gateway.socket.destroy();
    await test.server.rawMessages.flush();
    await test.restart();
    await connect();
  };
  /** Sends a value ten seconds later, `ahead`: by a clock that is so many milliseconds ahead. */
  const send = async (
    value: number,
    { mrn = 'M7', type = 'MR', bed = '', ahead = 0, more = [] as string[], code = 'SAT^Saturation^L', unit = '%' } = {},
  ): Promise<string> => {
    test.advance(10_000);
    await test.server.storage.check();
    sent += 1;
    const at = formatDtm(test.now() + ahead);
    gateway.send(
      [
        `MSH|^~\\&|GATEWAY||||${at}||ORU^R01|M${sent}|P|2.5`,
        mrn === '' ? 'PID|||""' : `PID|||${mrn}^^^^${type}`,
        ...(bed === '' ? [] : [`PV1|||${bed}`]),
        `OBR|||||||${at}`,
        `OBX||NM|${code}||${value}|${unit}|||||F`,
        ...more,
      ].join('\n'),
    );
    return (await gateway.next()).code;
  };
  /** Lets time pass once all that came is in its file. */
  const pass = async (ms: number): Promise<void> => {
    await test.server.rawMessages.flush();
    test.advance(ms);
    await test.server.storage.check();
  };
  const confirm = () => addCodeMapping(test, site, { senderId, code: saturation, kind: 'spo2' });
  const end = async (id: number, wasWrong: boolean): Promise<void> => {
    await test.server.codes.end(await addDecider(test, site, 'physician'), id, wasWrong);
  };
  const change = async (id: number, patch: object): Promise<void> => {
    const lead = await test.signIn(site, 'ward_lead');
    const { version } = test.server.liveState.patients.get(id) ?? { version: 0 };
    expect((await lead.call('PATCH', `/api/v2/patients/${id}`, { version, ...patch })).statusCode).toBe(200);
  };
  /** Runs what the server's job does. */
  const read = async (): Promise<void> => {
    await pass(2 * minuteMs);
    await test.server.hl7Replay.takeAgain(whole);
  };
  /** Runs what the server's job does, and `act` when it has read the last message and is not done. */
  const readAnd = async (act: () => Promise<void>): Promise<void> => {
    const { rawMessages } = test.server;
    const readNotWhole = rawMessages.readNotWhole.bind(rawMessages);
    const spy = jest.spyOn(rawMessages, 'readNotWhole').mockImplementation(async function* (isWanted) {
      yield* readNotWhole(isWanted);
      await act();
    });
    await read();
    spy.mockRestore();
  };
  const undoBed = async (wasWrong: boolean): Promise<void> => {
    const { beds } = test.server;
    await beds.end(await addDecider(test, site, 'physician'), beds.find(senderId, '2^^7')?.id ?? 0, wasWrong);
  };
  const correctTwice = async (): Promise<void> => {
    for (const ms of [0, 30_000]) {
      await pass(ms);
      await test.server.hl7Replay.withdraw(whole);
    }
  };
  const rowsOf = async (patientId: number) =>
    await test.store.db
      .selectFrom('samples')
      .where('site_id', '=', site)
      .selectAll()
      .where('patient_id', '=', patientId)
      .where('kind', '=', kinds.spo2.code)
      .orderBy('taken_at')
      .execute();
  const valuesOf = async (patientId: number): Promise<number[]> =>
    (await rowsOf(patientId)).filter(({ quality }) => !isWithdrawn(quality)).map(({ value }) => value);
  /** What the page of the mappings says of them. */
  const shown = async (): Promise<unknown> => {
    const physician = await test.signIn(site, 'physician');
    const response = await physician.call('GET', '/api/v2/admin/mappings');
    return response.json<{ codes: { mapping: { earlier: unknown } | null }[] }>().codes[0]?.mapping?.earlier;
  };
  const audited = async (action: string) =>
    (
      await test.store.db
        .selectFrom('audit')
        .where('site_id', '=', site)
        .select('details')
        .where('action', '=', action)
        .execute()
    ).map(({ details }) => JSON.parse(String(details)) as object);
  const alerts = async () =>
    await test.store.db
      .selectFrom('alerts')
      .where('site_id', '=', site)
      .select(['parameter', 'is_retrospective'])
      .where('patient_id', '=', ada)
      .execute();
  const rawFile = (): string => {
    const folder = path.join(test.server.env.dataDir, 'hl7');
    const [name] = readdirSync(folder).filter((one) => one.includes('-month-'));
    return path.join(folder, String(name));
  };

  it('is charted as late, once, and is neither a latest value nor an alert of now', async () => {
    await test.startRules(site);
    for (let index = 0; index < 30; index += 1) {
      await send(71);
    }
    await pass(10 * minuteMs);
    const mapping = await confirm();
    await expect(shown()).resolves.toBe('reading');
    await expect(send(97)).resolves.toBe('AA');
    await read();
    await read();
    await send(97);
    await expect(valuesOf(ada)).resolves.toEqual([...Array.from({ length: 30 }, () => 71), 97, 97]);
    const late = (await rowsOf(ada)).slice(0, 30);
    expect(late.filter((row) => row.received_at - row.taken_at - row.offset_ms < 10 * minuteMs)).toEqual([]);
    expect(test.server.liveState.latestOfDevices(ada, kinds.spo2.code)).toHaveLength(1);
    expect(test.server.liveState.latestOf(ada).get(kinds.spo2.code)?.sample.value).toBe(97);
    await test.server.alerts.evaluateClock();
    await expect(alerts()).resolves.toEqual([]);
    test.advance(15_000);
    await test.server.alerts.evaluateRetrospective();
    await expect(alerts()).resolves.toEqual([{ parameter: 'spo2', is_retrospective: 1 }]);
    const result = { values: 30, leftOut: 0, unread: 0 };
    await expect(shown()).resolves.toEqual(result);
    await expect(audited('read_earlier_values')).resolves.toEqual([{ mapping, patients: 1, ...result }]);
  });

  it('leaves the patient whose move is entered late, and all of a bed whose mapping was wrong', async () => {
    const unitId = await test.addUnit(site, 'North');
    await addBedMapping(test, site, { senderId, senderBed: '2^^7', unitId, bed: '7' });
    await pass(dayMs);
    await send(81, { mrn: '', bed: '2^^7' });
    await pass(10 * dayMs);
    const moved = new Date(test.now()).toISOString();
    await pass(10 * minuteMs);
    await send(82, { mrn: '', bed: '2^^7' });
    await pass(10 * minuteMs);
    await confirm();
    await read();
    await expect(valuesOf(ada)).resolves.toEqual([81, 82]);
    await change(ada, { location: { unit: 'North', bed: '9' }, since: moved });
    await correctTwice();
    await expect(valuesOf(ada)).resolves.toEqual([81]);
    await undoBed(true);
    await test.server.hl7Replay.withdraw(whole);
    await expect(valuesOf(ada)).resolves.toEqual([]);
  });

  it('waits for a store that takes nothing for a moment, and does not begin again', async () => {
    await send(81);
    await send(82);
    await confirm();
    const { recorder, rawMessages, store } = test.server;
    const opened = jest.spyOn(rawMessages, 'readNotWhole');
    const later = new HttpError(503, 'busy', 'Later.');
    // To make the source, to store its values, to note that it is done: each fails once.
    const failing = jest.spyOn(recorder, 'recordEarlier').mockRejectedValueOnce(later);
    const transaction = store.db.transaction.bind(store.db);
    let begun = 0;
    const beginning = jest.spyOn(store.db, 'transaction').mockImplementation(() => {
      begun += 1;
      if (begun % 2 === 1) {
        throw later;
      }
      return transaction();
    });
    await read();
    beginning.mockRestore();
    await expect(valuesOf(ada)).resolves.toEqual([81, 82]);
    await expect(shown()).resolves.toEqual({ values: 2, leftOut: 0, unread: 0 });
    expect(opened).toHaveBeenCalledTimes(1);
    // Each message is stored for itself.
    expect(failing).toHaveBeenCalledTimes(3);
    expect(begun).toBe(4);
  });

  it.each([
    ['ended', false],
    ['undone', true],
  ])('is not read any further once the mapping is %s', async (_, wasWrong) => {
    for (let index = 0; index < 5; index += 1) {
      await send(81);
    }
    const id = await confirm();
    const { recorder } = test.server;
    const recordEarlier = recorder.recordEarlier.bind(recorder);
    let ending: Promise<void> | null = null;
    const spy = jest.spyOn(recorder, 'recordEarlier').mockImplementation(async (batch) => {
      const stored = await recordEarlier(batch);
      ending ??= end(id, wasWrong);
      await ending;
      return stored;
    });
    await read();
    spy.mockRestore();
    await expect(valuesOf(ada)).resolves.toEqual([81]);
    await read();
    await expect(audited('read_earlier_values')).resolves.toEqual([
      { mapping: id, patients: 1, values: 1, leftOut: 0, unread: 0 },
    ]);
    await test.server.hl7Replay.withdraw(whole);
    await expect(valuesOf(ada)).resolves.toHaveLength(wasWrong ? 0 : 1);
    // The next mapping of the code reads on where this one ended, or begins again where it was wrong.
    await confirm();
    await read();
    await expect(valuesOf(ada)).resolves.toHaveLength(wasWrong ? 5 : 1);
  });

  it('is the same after a failure of the store and a stop in between', async () => {
    for (let index = 0; index < 130; index += 1) {
      await send(70 + (index % 30));
    }
    await confirm();
    await pass(2 * minuteMs);
    const { recorder } = test.server;
    const recordEarlier = recorder.recordEarlier.bind(recorder);
    let batches = 0;
    const failing = jest.spyOn(recorder, 'recordEarlier').mockImplementation((batch) => {
      batches += 1;
      return batches > 1 ? Promise.reject(new Error('no room')) : recordEarlier(batch);
    });
    await expect(test.server.hl7Replay.takeAgain(whole)).rejects.toThrow('no room');
    const stopping = new AbortController();
    failing.mockImplementation((batch) => {
      stopping.abort();
      return recordEarlier(batch);
    });
    await test.server.hl7Replay.takeAgain(stopping.signal);
    await expect(shown()).resolves.toBe('reading');
    await restart();
    // Each run has noted its first message, and the next one goes on behind it.
    const left = jest.spyOn(test.server.recorder, 'recordEarlier');
    await read();
    expect(left).toHaveBeenCalledTimes(128);
    await expect(valuesOf(ada)).resolves.toHaveLength(130);
    await expect(shown()).resolves.toEqual({ values: 130, leftOut: 0, unread: 0 });
    await expect(
      test.store.db.selectFrom('sample_corrections').where('site_id', '=', site).selectAll().execute(),
    ).resolves.toEqual([]);
  });

  describe('and what was quarantined before settings of its sender were confirmed', () => {
    const byPi = { type: 'PI', code: oxygen };
    const byBed = { mrn: '', bed: '2^^7', code: oxygen };
    const piIs = (is: 'mrn' | 'none') => ({ identifiers: [{ type: 'PI', authority: null, is }] });
    /** Has two people give the next answers. */
    const answer = async (change: Partial<SenderSettings>): Promise<void> => {
      const basedOn = test.server.hl7.senders.ofSite(site)[0]?.settings_version ?? 0;
      const proposed = { basedOn, settings: { ...versionOne, ...change } };
      const id = await proposeSettings(test.server, await addDecider(test, site, 'technician'), senderId, proposed);
      await decideSettings(test.server, await addDecider(test, site, 'physician'), id, true);
    };
    const mapBed = async (): Promise<void> => {
      const unitId = await test.addUnit(site, 'North');
      await addBedMapping(test, site, { senderId, senderBed: '2^^7', unitId, bed: '7' });
      await pass(10 * minuteMs);
    };

    it('is charted at its times, late and once, also where its reading is cut off or comes again', async () => {
      await test.startRules(site);
      const times: number[] = [];
      for (let index = 0; index < 5; index += 1) {
        await expect(send(71, byPi)).resolves.toBe('AE');
        times.push(test.now());
      }
      await pass(10 * minuteMs);
      await answer(piIs('mrn'));
      await pass(2 * minuteMs);
      const { recorder } = test.server;
      const recordEarlier = recorder.recordEarlier.bind(recorder);
      const stopping = new AbortController();
      jest.spyOn(recorder, 'recordEarlier').mockImplementation((batch) => {
        stopping.abort();
        return recordEarlier(batch);
      });
      await test.server.hl7Replay.takeAgain(stopping.signal);
      await expect(valuesOf(ada)).resolves.toEqual([71]);
      await restart();
      await read();
      const charted = async () =>
        (await rowsOf(ada)).map((row) => [row.value, ageFrom(row.taken_at, row.offset_ms, row.received_at)]);
      await expect(send(97, byPi)).resolves.toBe('AA');
      const rows = await charted();
      expect(rows.slice(0, 5)).toEqual(times.map((at) => [71, at]));
      expect(test.server.liveState.latestOf(ada).get(kinds.spo2.code)?.sample.value).toBe(97);
      await test.server.alerts.evaluateClock();
      await expect(alerts()).resolves.toEqual([]);
      test.advance(15_000);
      await test.server.alerts.evaluateRetrospective();
      await expect(alerts()).resolves.toEqual([{ parameter: 'spo2', is_retrospective: 1 }]);
      await answer(piIs('mrn'));
      await read();
      await restart();
      await read();
      await expect(charted()).resolves.toEqual(rows);
      const result = { values: 5, leftOut: 0, unread: 0 };
      await expect(audited('read_earlier_values')).resolves.toEqual([
        { settings: 2, ...result },
        { settings: 3, ...result },
      ]);
    });

    it('is the patient’s who lay in the bed at that time, or no one’s', async () => {
      await mapBed();
      await answerFor(test, senderId, { ...versionOne, bedRoute: false });
      await expect(send(81, byBed)).resolves.toBe('AE');
      await pass(10 * minuteMs);
      await change(ada, { location: { unit: 'North', bed: '9' } });
      await pass(10 * minuteMs);
      await send(82, byBed);
      await pass(10 * minuteMs);
      const bela = await test.addPatient(site, { mrn: 'M8', location: { unit: 'North', bed: '7' } });
      await pass(10 * minuteMs);
      await send(83, byBed);
      await pass(10 * minuteMs);
      await answer({});
      await read();
      await expect(Promise.all([ada, bela].map(valuesOf))).resolves.toEqual([[81], [83]]);
      const result = { values: 2, leftOut: 1, unread: 0 };
      await expect(audited('read_earlier_values')).resolves.toEqual([{ settings: 2, ...result }]);
    });

    // What follows is above the store.
    if (!apiEngines.includes(engine)) {
      return;
    }

    it('stays the patient’s who has it by settings from before, where the next ones name another', async () => {
      await mapBed();
      const bela = await test.addPatient(site, { mrn: 'M8' });
      await pass(10 * minuteMs);
      await expect(send(81, { ...byPi, mrn: 'M8', bed: '2^^7' })).resolves.toBe('AE');
      await expect(send(82, { ...byPi, mrn: 'M8' })).resolves.toBe('AE');
      await pass(10 * minuteMs);
      await answer(piIs('none'));
      await read();
      await expect(Promise.all([ada, bela].map(valuesOf))).resolves.toEqual([[81], []]);
      await answer(piIs('mrn'));
      await read();
      await expect(Promise.all([ada, bela].map(valuesOf))).resolves.toEqual([[81], [82]]);
    });

    it.each(['before', 'once'])('is not charted if it is taken back %s it is read', async (when) => {
      await send(81, byPi);
      const at = formatDtm(test.now());
      await answer(piIs('mrn'));
      await (when === 'once' ? read() : undefined);
      await send(97, { ...byPi, more: [`OBX||NM|${oxygen}||81|%|||||D|||${at}`] });
      await read();
      await expect(valuesOf(ada)).resolves.toEqual([97]);
    });

    it('is not charted if it was taken back before its unit was known', async () => {
      await expect(send(81, { code: oxygen, unit: '' })).resolves.toBe('AE');
      const at = formatDtm(test.now());
      await send(97, { code: oxygen, more: [`OBX||NM|${oxygen}||81||||||D|||${at}`] });
      await answer({ missingUnits: [{ code: mdcOxygen, unit: '%' }] });
      await read();
      await expect(valuesOf(ada)).resolves.toEqual([97]);
    });

    it.each<[string, string, string, Partial<SenderSettings>]>([
      ['text', '150456^Sat^MDC', '%', { texts: [{ code: { ...mdcOxygen, text: 'Sat' }, isMeant: true }] }],
      ['unit', oxygen, 'pct', { missingUnits: [{ code: mdcOxygen, sent: 'pct', unit: '%' }] }],
    ])('is charted once it is said what its %s means, but for what was taken back', async (_, code, unit, change) => {
      await answerFor(test, senderId, { ...versionOne, texts: [] });
      await expect(send(81, { code, unit })).resolves.toBe('AE');
      const at = formatDtm(test.now());
      await expect(send(82, { code, unit })).resolves.toBe('AE');
      await send(97, { code: oxygen, more: [`OBX||NM|${code}||81|${unit}|||||D|||${at}`] });
      await answer({ texts: [], ...change });
      await read();
      await expect(valuesOf(ada)).resolves.toEqual([82, 97]);
    });

    it('is not read of a message that was partly taken: what was taken back since would be charted', async () => {
      const temperature = 'OBX||NM|150344^MDC_TEMP^MDC|T1|37|Cel|||||F';
      await expect(send(81, { code: oxygen, more: [temperature] })).resolves.toBe('AA');
      await send(97, { code: oxygen, more: [`OBX||NM|${oxygen}||81|%|||||D|||${formatDtm(test.now())}`] });
      await answer({ coreTemperatures: ['T1'] });
      await read();
      await expect(valuesOf(ada)).resolves.toEqual([97]);
    });
  });

  describe('on a server of its own', () => {
    // The clock, the era, the key and the files of the messages are every site's.
    const beginAlone = async (variables: Record<string, string> = {}): Promise<void> => {
      gateway.socket.destroy();
      await begin(await startTestServer(engine, { HL7_PORT: '0', ...variables }));
    };
    afterEach(() => test.stop());

    it('is not read if it came before our clock was set, or before a backup was restored', async () => {
      await beginAlone();
      await send(81);
      test.setWallClock(-60 * minuteMs);
      await test.server.clockWatch.check();
      await send(82);
      await test.server.rawMessages.flush();
      await test.store.db.transaction().execute(endEra);
      await restart();
      await send(83);
      await confirm();
      await read();
      await expect(valuesOf(ada)).resolves.toEqual([83]);
    });

    // The files and their key are the same on both engines.
    if (!apiEngines.includes(engine)) {
      return;
    }

    it('is said to be unread where a file is damaged, and the rest is read', async () => {
      await beginAlone();
      await send(81);
      await send(82);
      await send(83);
      await confirm();
      await restart();
      const file = rawFile();
      const bytes = readFileSync(file);
      const second = bytes.indexOf('{"receivedAt"', bytes.indexOf('{"receivedAt"') + 1);
      // Its contents are changed, and the end of the last one is gone.
      const changed = bytes.indexOf('}', second) + 40;
      bytes.writeUInt8(bytes.readUInt8(changed) ^ 1, changed);
      writeFileSync(file, bytes.subarray(0, -10));
      await read();
      await expect(valuesOf(ada)).resolves.toEqual([81]);
      await expect(shown()).resolves.toEqual({ values: 1, leftOut: 0, unread: 2 });
    });

    it('waits for the key of the messages, and says so', async () => {
      const keyFile = path.join(makeTestFolder('key'), 'raw.key');
      writeFileSync(keyFile, randomBytes(32).toString('hex'));
      await beginAlone({ HL7_RAW_KEY_FILE: keyFile });
      await send(81);
      await confirm();
      await restart();
      renameSync(keyFile, `${keyFile}.away`);
      await expect(read()).rejects.toMatchObject({ code: 'key_missing' });
      await expect(shown()).resolves.toBe('key_missing');
      renameSync(`${keyFile}.away`, keyFile);
      await read();
      await expect(shown()).resolves.toEqual({ values: 1, leftOut: 0, unread: 0 });
    });
  });

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

  it('is charted and counted once, wherever its reading is cut off', async () => {
    const { recorder, hl7Replay } = test.server;
    const values = [81, 82, 83, 84];
    const readUntil = async (message: number): Promise<void> => {
      const stopping = new AbortController();
      const recordEarlier = recorder.recordEarlier.bind(recorder);
      let messages = 0;
      const spy = jest.spyOn(recorder, 'recordEarlier').mockImplementation((calls) => {
        messages += 1;
        if (messages === message) {
          stopping.abort();
        }
        return recordEarlier(calls);
      });
      await hl7Replay.takeAgain(stopping.signal);
      spy.mockRestore();
    };
    const cuts = fc.array(fc.integer({ min: 1, max: values.length }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(cuts, async (messages) => {
        const before = await valuesOf(ada);
        const code = { id: `C${sent}`, text: 'Cut', system: 'L' };
        for (const value of values) {
          await send(value, { code: `${code.id}^Cut^L` });
        }
        const mapping = await addCodeMapping(test, site, { senderId, code, kind: 'spo2' });
        await pass(2 * minuteMs);
        for (const message of messages) {
          await readUntil(message);
        }
        await hl7Replay.takeAgain(whole);
        await expect(valuesOf(ada)).resolves.toEqual([...before, ...values]);
        const result = { patients: 1, values: values.length, leftOut: 0, unread: 0 };
        await expect(audited('read_earlier_values')).resolves.toContainEqual({ mapping, ...result });
      }),
      { numRuns: 4 },
    );
  });

  it('is not missed where nothing more comes, also after a restart', async () => {
    await test.startRules(site);
    await send(71);
    await send(71);
    await pass(2 * dayMs);
    await confirm();
    await read();
    for (const again of [() => Promise.resolve(), restart]) {
      await again();
      await test.server.alerts.evaluateClock();
      expect(test.server.liveState.latestOf(ada).size).toBe(0);
      await expect(alerts()).resolves.toEqual([]);
    }
    await expect(valuesOf(ada)).resolves.toEqual([71, 71]);
  });

  it('is at its true time by a clock that is 3 minutes off, and teaches the present clock nothing', async () => {
    const times: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      await send(90 + index, { ahead: 3 * minuteMs });
      times.push(test.now());
    }
    await pass(minuteMs);
    await confirm();
    // The clock was set right meanwhile.
    await send(97);
    await send(98);
    await read();
    const rows = (await rowsOf(ada)).filter(({ value }) => value < 97);
    expect(rows.map((row) => ageFrom(row.taken_at, row.offset_ms, row.received_at))).toEqual(times);
    expect(rows.map(({ quality }) => isClockKnown(quality))).toEqual([false, true, true, true, true]);
    const clocks = [...test.server.liveState.devices.values()]
      .filter(({ site_id, code_mapping_id }) => site_id === site && code_mapping_id !== null)
      .map(({ id }) => test.server.liveState.deviceClocks.get(id)?.offsetMs);
    // Of the source of now, and of that of what was read again.
    expect(clocks).toEqual([0, undefined]);
  });

  it('is the patient’s who was there then: by number, or by the bed and its stay', async () => {
    const unitId = await test.addUnit(site, 'North');
    await send(81, { mrn: '', bed: '2^^7' });
    await addBedMapping(test, site, { senderId, senderBed: '2^^7', unitId, bed: '7' });
    await pass(10 * minuteMs);
    await send(82, { mrn: '', bed: '2^^7' });
    await send(83, { bed: '2^^7' });
    await send(84, { mrn: 'M8' });
    await pass(10 * minuteMs);
    await change(ada, { location: { unit: 'North', bed: '9' } });
    const bela = await test.addPatient(site, { mrn: 'M8', location: { unit: 'North', bed: '7' } });
    await pass(2 * dayMs);
    // Of another bed than where Ada is now.
    await send(85, { bed: '2^^7' });
    await send(86, { mrn: '', bed: '2^^7' });
    await confirm();
    const quarantined = () => test.store.db.selectFrom('quarantine').where('site_id', '=', site).select('id').execute();
    const before = await quarantined();
    await read();
    await expect(quarantined()).resolves.toEqual(before);
    await expect(valuesOf(ada)).resolves.toEqual([82, 83]);
    await expect(valuesOf(bela)).resolves.toEqual([86]);
    await expect(shown()).resolves.toEqual({ values: 3, leftOut: 3, unread: 0 });
  });

  it.each([
    ['a move is entered late', () => Promise.resolve()],
    ['the mapping of the bed is undone', () => undoBed(true)],
  ])('is not the patient’s if %s while it is read', async (what, undo) => {
    const unitId = await test.addUnit(site, 'North');
    await addBedMapping(test, site, { senderId, senderBed: '2^^7', unitId, bed: '7' });
    await pass(60 * minuteMs);
    const moved = new Date(test.now()).toISOString();
    await pass(10 * minuteMs);
    await send(81, { mrn: '', bed: '2^^7' });
    await pass(10 * minuteMs);
    await confirm();
    await readAnd(async () => {
      await undo();
      await (what.includes('move') ? change(ada, { location: { unit: 'North', bed: '9' }, since: moved }) : undefined);
      await correctTwice();
    });
    await expect(valuesOf(ada)).resolves.toEqual([]);
  });

  it('is not the patient’s whom we had in another bed, also where the mapping of the bed has ended since', async () => {
    const unitId = await test.addUnit(site, 'North');
    await addBedMapping(test, site, { senderId, senderBed: '2^^7', unitId, bed: '7' });
    await pass(10 * minuteMs);
    await send(81, { bed: '2^^7' });
    await send(82, { mrn: '', bed: '2^^7' });
    await pass(10 * minuteMs);
    await change(ada, { location: { unit: 'North', bed: '9' } });
    await pass(10 * minuteMs);
    // The monitor in 7 is still on Ada.
    await send(83, { bed: '2^^7' });
    await undoBed(false);
    await pass(minuteMs);
    await addBedMapping(test, site, { senderId, senderBed: '2^^7', unitId, bed: '9' });
    await pass(minuteMs);
    await send(84, { bed: '2^^7' });
    await confirm();
    await read();
    // By the bed alone it could not be corrected any more.
    await expect(valuesOf(ada)).resolves.toEqual([81, 84]);
  });

  it.each([
    ['before it is read', 'D', []],
    ['before it is read, and this server starts again', 'D', []],
    ['once it is read', 'D', []],
    ['before it is read', 'C', [85]],
    ['before it is read, and this server starts again', 'C', [85]],
    ['once it is read', 'C', [85]],
  ])('is not charted if it is taken back %s (%s)', async (when, status, left) => {
    for (const value of [81, 82, 83]) {
      await send(value, { ahead: -3 * minuteMs });
    }
    const at = formatDtm(test.now() - 3 * minuteMs);
    await confirm();
    await (when.startsWith('once') ? read() : undefined);
    await expect(
      send(97, { more: [`OBX||NM|SAT^Saturation^L||85|%|||||${status}|||${at}`], ahead: -3 * minuteMs }),
    ).resolves.toBe('AA');
    await (when.endsWith('again') ? restart() : undefined);
    await read();
    await read();
    await expect(valuesOf(ada)).resolves.toEqual([81, 82, ...left, 97]);
  });

  it('is charted once where the gateway sends it again between the confirmation and the reading', async () => {
    await send(81);
    const at = formatDtm(test.now());
    await send(82);
    await confirm();
    await expect(send(97, { more: [`OBX||NM|SAT^Saturation^L||81|%|||||F|||${at}`] })).resolves.toBe('AA');
    await read();
    await expect(valuesOf(ada)).resolves.toEqual([81, 82, 97]);
    await expect(shown()).resolves.toEqual({ values: 1, leftOut: 0, unread: 0 });
  });

  it('is evaluated also where it came in the last half minute before the confirmation', async () => {
    await test.startRules(site);
    for (const value of [71, 71, 71]) {
      await send(value);
    }
    await confirm();
    await pass(30_000);
    await test.server.hl7Replay.takeAgain(whole);
    await expect(valuesOf(ada)).resolves.toEqual([]);
    await read();
    await expect(valuesOf(ada)).resolves.toEqual([71, 71, 71]);
    test.advance(15_000);
    await test.server.alerts.evaluateRetrospective();
    await expect(alerts()).resolves.toEqual([{ parameter: 'spo2', is_retrospective: 1 }]);
  });

  it('is no one’s who is discharged, or whose stay began later', async () => {
    await send(81);
    await pass(60 * minuteMs);
    await change(ada, { state: 'discharged' });
    await pass(60 * minuteMs);
    const later = await test.addPatient(site, { mrn: 'M9' });
    await send(82, { mrn: 'M9' });
    await confirm();
    await read();
    await expect(Promise.all([ada, later].map(valuesOf))).resolves.toEqual([[], [82]]);
    await expect(shown()).resolves.toEqual({ values: 1, leftOut: 1, unread: 0 });
  });

  it('is replaced and withdrawn as it was sent, and nothing of other codes and of later messages is read', async () => {
    await send(81);
    await send(82, { more: ['OBX||NM|SAT2^Saturation^L||70|%|||||F'] });
    const at = formatDtm(test.now());
    await send(83, { more: [`OBX||NM|SAT^Saturation^L||84|%|||||C|||${at}`] });
    await send(85, { more: [`OBX||NM|SAT^Saturation^L|||%|||||D|||${at}`] });
    await send(60, { code: 'SAT^Saturation^LN' });
    await confirm();
    await send(97, { more: ['OBX||NM|SAT2^Saturation^L||70|%|||||F'] });
    await read();
    await expect(valuesOf(ada)).resolves.toEqual([81, 83, 85, 97]);
  });

  it('is withdrawn when the mapping is undone, also of weeks ago', async () => {
    for (const days of [0, 12, 9]) {
      await pass(days * dayMs);
      await send(81);
      await send(82);
    }
    const id = await confirm();
    await read();
    await expect(valuesOf(ada)).resolves.toHaveLength(6);
    await restart();
    await end(id, true);
    await test.server.hl7Replay.withdraw(whole);
    await expect(valuesOf(ada)).resolves.toEqual([]);
    test.advance(30_000);
    await test.server.hl7Replay.withdraw(whole);
    const rows = await test.store.db.selectFrom('quarantine').where('site_id', '=', site).select('code').execute();
    expect([...new Set(rows.map(({ code }) => code))]).toEqual(['wrong_code']);
    expect(test.server.liveState.latestOf(ada).size).toBe(0);
  });
});
