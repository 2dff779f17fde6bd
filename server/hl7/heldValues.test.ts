import type { z } from 'zod';
import { formatDtm } from '../../lib/hl7/formatDtm';
import type { heldResponse } from '../../lib/patients/heldCalls';
import { toInstant } from '../../lib/time/schema';
import { kinds } from '../../lib/vitals/kinds';
import { addBedMapping } from '../../test/addBedMapping';
import { addDecider } from '../../test/addDecider';
import { addSender } from '../../test/addSender';
import { apiEngines, engines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { restartableTestServer } from '../../test/sharedServer';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { isWithdrawn } from '../vitals/qualityCode';

const minuteMs = 60_000;
const born = '1950-03-07';

describe.each(engines)('values that are held because the bed has just changed, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let address: string;
  let gateway: MllpClient;
  let senderId: number;
  /** In bed 7, and in no bed. */
  let [ada, bela] = [0, 0];
  let sent = 0;
  const whole = new AbortController().signal;

  const begin = async (server: TestServer): Promise<void> => {
    test = server;
    site = await test.addSite();
    address = gatewayAddress();
    ({ id: senderId } = await addSender(test, site, { address }));
    const unitId = await test.addUnit(site, 'North');
    ada = await test.addPatient(site, { mrn: 'M7', dateOfBirth: born, location: { unit: 'North', bed: '7' } });
    bela = await test.addPatient(site, { mrn: 'M8', dateOfBirth: '1961-11-02', location: null });
    await addBedMapping(test, site, { senderId, senderBed: '2^^7', unitId, bed: '7' });
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
  /** Sends a value of bed 7 ten seconds later; `ahead`: by a clock so far ahead, `late`: so long after it was taken. */
  const send = async (value: number, { ahead = 0, late = 0, everyMs = 10_000, status = 'F' } = {}): Promise<string> => {
    test.advance(everyMs);
    await test.server.storage.check();
    sent += 1;
    const at = formatDtm(test.now() + ahead - late);
    gateway.send(
      [
        `MSH|^~\\&|GATEWAY||||${at}||ORU^R01|M${sent}|P|2.5`,
        'PID|||""',
        'PV1|||2^^7',
        `OBR|||||||${at}`,
        `OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||${value}|262688^MDC_DIM_PERCENT^MDC|||||${status}`,
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
  const change = async (id: number, patch: object): Promise<void> => {
    const lead = await test.signIn(site, 'ward_lead');
    const { version } = test.server.liveState.patients.get(id) ?? { version: 0 };
    expect((await lead.call('PATCH', `/api/v2/patients/${id}`, { version, ...patch })).statusCode).toBe(200);
  };
  /** Ada leaves bed 7, and Bela comes into it a minute later. */
  const swap = async (): Promise<void> => {
    await change(ada, { location: { unit: 'North', bed: '9' } });
    await pass(minuteMs);
    await change(bela, { location: { unit: 'North', bed: '7' } });
  };
  const nurse = (): Promise<Caller> => test.signIn(site, 'nurse');
  const url = (id: number, action = ''): string => `/api/v2/patients/${id}/held-values${action}`;
  const listed = async (id = bela): Promise<z.infer<typeof heldResponse>['items']> =>
    (await (await nurse()).call('GET', url(id))).json<z.infer<typeof heldResponse>>().items;
  const bodyFor = async (more: object = {}): Promise<object> => {
    const [item] = await listed();
    return { mrn: 'M8', dateOfBirth: '1961-11-02', since: item?.since, ...more };
  };
  const release = async (more: object = {}, by?: Caller, id = bela) => {
    const body = await bodyFor(more);
    const response = await (by ?? (await nurse())).call('POST', url(id, '/release'), body);
    return [response.statusCode, response.json<{ error?: { code: string } }>().error?.code];
  };
  const takeBack = async (): Promise<void> => {
    const [item] = await listed();
    const response = await (await nurse()).call('POST', url(bela, '/take-back'), { since: item?.since });
    expect(response.statusCode).toBe(200);
  };
  /** Runs what the server's job does. */
  const read = async (): Promise<void> => {
    await pass(2 * minuteMs);
    await test.server.hl7Replay.takeAgain(whole);
  };
  const correctTwice = async (): Promise<void> => {
    for (const ms of [0, 30_000]) {
      await pass(ms);
      await test.server.hl7Replay.withdraw(whole);
    }
  };
  const valuesOf = async (patientId: number): Promise<number[]> =>
    (
      await test.store.db
        .selectFrom('samples')
        .where('site_id', '=', site)
        .select(['value', 'quality'])
        .where('patient_id', '=', patientId)
        .where('kind', '=', kinds.spo2.code)
        .orderBy('taken_at')
        .execute()
    )
      .filter(({ quality }) => !isWithdrawn(quality))
      .map(({ value }) => value);
  const unread = () =>
    test.store.db
      .selectFrom('patient_moves')
      .select('id')
      .where('site_id', '=', site)
      .where('released_at', 'is not', null)
      .where('held_read_at', 'is', null)
      .execute();
  const audited = async (): Promise<string[]> =>
    (
      await test.store.db
        .selectFrom('audit')
        .where('site_id', '=', site)
        .select(['action', 'outcome'])
        .where('action', 'in', ['release_values', 'take_back_release', 'withdraw_values'])
        .orderBy('id')
        .execute()
    ).map(({ action, outcome }) => `${action} ${outcome}`);

  it('are released once, of two who do it at once', async () => {
    await swap();
    await send(91);
    const body = await bodyFor();
    const both = [await nurse(), await nurse()];
    const responses = await Promise.all(both.map((by) => by.call('POST', url(bela, '/release'), body)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    await expect(release()).resolves.toEqual([200, undefined]);
    await expect(audited()).resolves.toEqual(['release_values done']);
  });

  it('count at once from the release on, and what was held is charted as late, each once', async () => {
    await test.startRules(site);
    await send(81);
    await swap();
    const answers: string[] = [];
    for (let index = 0; index < 60; index += 1) {
      answers.push(await send(70 + (index % 20), { everyMs: 1_000 }));
    }
    await expect(listed()).resolves.toMatchObject([{ bed: '7', releasedBy: null }]);
    await expect(release()).resolves.toEqual([200, undefined]);
    for (let index = 0; index < 60; index += 1) {
      answers.push(await send(70, { everyMs: 1_000 }));
    }
    expect(answers).toEqual([...Array.from({ length: 60 }, () => 'AE'), ...Array.from({ length: 60 }, () => 'AA')]);
    await test.server.alerts.evaluateClock();
    const open = test.server.alerts.listOpen(site).filter(({ patientId }) => patientId === bela);
    expect(open.map(({ alert }) => alert.parameter)).toContain('spo2');
    await expect(unread()).resolves.toHaveLength(1);
    await read();
    await read();
    const held = Array.from({ length: 60 }, (_, index) => 70 + (index % 20));
    await expect(valuesOf(bela)).resolves.toEqual([...held, ...Array.from({ length: 60 }, () => 70)]);
    await expect(valuesOf(ada)).resolves.toEqual([81]);
    await expect(unread()).resolves.toEqual([]);
    await expect(audited()).resolves.toEqual(['release_values done']);
    await restart();
    expect((await listed())[0]?.releasedBy).toMatch(/^Robin /);
    expect(test.server.liveState.latestOf(bela).get(kinds.spo2.code)?.sample.value).toBe(70);
  });

  it('are read to the end after a stop and a restart in between', async () => {
    await swap();
    for (let index = 0; index < 130; index += 1) {
      await send(70 + (index % 30), { everyMs: 1_000 });
    }
    await expect(release()).resolves.toEqual([200, undefined]);
    await pass(2 * minuteMs);
    const { recorder } = test.server;
    const recordEarlier = recorder.recordEarlier.bind(recorder);
    const stopping = new AbortController();
    jest.spyOn(recorder, 'recordEarlier').mockImplementation((batch) => {
      stopping.abort();
      return recordEarlier(batch);
    });
    await test.server.hl7Replay.takeAgain(stopping.signal);
    await expect(unread()).resolves.toHaveLength(1);
    await restart();
    await read();
    await expect(valuesOf(bela)).resolves.toHaveLength(130);
    await expect(unread()).resolves.toEqual([]);
    await expect(
      test.store.db.selectFrom('sample_corrections').where('site_id', '=', site).selectAll().execute(),
    ).resolves.toEqual([]);
  });

  it('are withdrawn when the release is taken back, and stay withdrawn when it is released again', async () => {
    await swap();
    await send(91);
    await expect(release()).resolves.toEqual([200, undefined]);
    await send(92);
    await read();
    await expect(valuesOf(bela)).resolves.toEqual([91, 92]);
    await takeBack();
    await takeBack();
    await correctTwice();
    await expect(valuesOf(bela)).resolves.toEqual([]);
    await expect(send(93)).resolves.toBe('AE');
    await expect(audited()).resolves.toEqual(
      ['release_values', 'take_back_release', 'withdraw_values'].map((action) => `${action} done`),
    );
    await restart();
    await expect(send(94)).resolves.toBe('AE');
    await expect(release()).resolves.toEqual([200, undefined]);
    await expect(send(95)).resolves.toBe('AA');
    await read();
    await correctTwice();
    await expect(valuesOf(bela)).resolves.toEqual([93, 94, 95]);
  });

  it('leave the patient whose move is entered late, and not the one whose release is right', async () => {
    await swap();
    await send(91);
    const body = { location: { unit: 'North', bed: '10' }, since: toInstant(test.now() + 15_000) };
    await expect(release()).resolves.toEqual([200, undefined]);
    await send(92);
    await send(93);
    await pass(minuteMs);
    await change(bela, body);
    await correctTwice();
    await read();
    // The five minutes before the late move are its own.
    await expect(valuesOf(bela)).resolves.toEqual([]);
    await correctTwice();
    await expect(valuesOf(ada)).resolves.toEqual([]);
  });

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

  it('are offered to no one where none were held, nor a day after the move', async () => {
    await swap();
    await expect(listed()).resolves.toEqual([]);
    await expect(release({ since: toInstant(test.now()) })).resolves.toEqual([409, 'stay_changed']);
    await send(91);
    await expect(listed()).resolves.toHaveLength(1);
    await expect(listed(ada)).resolves.toEqual([]);
    await pass(24 * 60 * minuteMs);
    await expect(listed()).resolves.toEqual([]);
  });

  it.each([
    ['the MRN', { mrn: 'M7' }],
    ['the date of birth', { dateOfBirth: born }],
    ['both, of another patient', { mrn: 'M7', dateOfBirth: born }],
  ])('are not released by a wrong pair: %s', async (_, more) => {
    await swap();
    await send(91);
    await expect(release(more)).resolves.toEqual([422, 'patient_not_matched']);
    await expect(send(92)).resolves.toBe('AE');
    await expect(audited()).resolves.toEqual(['release_values refused']);
  });

  it('are not released for another stay, or by others', async () => {
    await swap();
    await send(91);
    const [item] = await listed();
    const from = Date.parse(item?.since ?? '');
    expect(item?.until).toBe(toInstant(from + 5 * minuteMs));
    await expect(release({ since: toInstant(from - 1) })).resolves.toEqual([409, 'stay_changed']);
    for (const type of ['technician', 'viewer', 'respiratory_therapist'] as const) {
      await expect(release({}, await test.signIn(site, type))).resolves.toEqual([403, 'forbidden']);
    }
    const elsewhere = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'South', [elsewhere.userId]);
    const other = await test.signIn(await test.addSite('Other ward'), 'physician');
    for (const by of [elsewhere, other]) {
      await expect(release({}, by)).resolves.toEqual([404, 'not_found']);
    }
    await expect(audited()).resolves.toEqual([]);
    const body = await bodyFor();
    await change(bela, { location: null });
    const late = await (await nurse()).call('POST', url(bela, '/release'), body);
    expect(late.json<{ error: { code: string } }>().error.code).toBe('stay_changed');
  });

  it.each([
    ['ahead', 2 * minuteMs],
    ['behind', -2 * minuteMs],
  ])('are never the patient’s before, by a clock that is two minutes %s, also if they come late', async (_, ahead) => {
    for (const value of [81, 82, 83]) {
      await send(value, { ahead });
    }
    await swap();
    await send(84, { ahead, late: 80_000 });
    await send(91, { ahead });
    await expect(release()).resolves.toEqual([200, undefined]);
    await send(85, { ahead, late: 100_000 });
    await pass(2 * minuteMs);
    await send(92, { ahead });
    await read();
    const values = await valuesOf(bela);
    expect(values.filter((value) => value < 90)).toEqual([]);
    expect(values).toContain(92);
    await expect(valuesOf(ada)).resolves.toEqual([81, 82, 83]);
  });

  it.each([
    ['before they are read', false],
    ['after they were read', true],
  ])('are taken back and replaced by the gateway: %s', async (_, isRead) => {
    await swap();
    await send(91);
    const first = test.now();
    await send(92);
    await send(93);
    const last = test.now();
    await expect(release()).resolves.toEqual([200, undefined]);
    if (isRead) {
      await read();
    }
    await expect(valuesOf(bela)).resolves.toEqual(isRead ? [91, 92, 93] : []);
    for (const [at, value, status] of [
      [first, 91, 'D'],
      [last, 95, 'C'],
    ] as const) {
      await expect(send(value, { late: test.now() + 10_000 - at, status })).resolves.toBe('AA');
    }
    await read();
    await correctTwice();
    await expect(valuesOf(bela)).resolves.toEqual([92, 95]);
    await restart();
    await read();
    await expect(valuesOf(bela)).resolves.toEqual([92, 95]);
  });

  it('stay with the patient whose release is right while a late move of before is corrected', async () => {
    await change(ada, { location: { unit: 'North', bed: '9' } });
    await pass(minuteMs);
    await send(90);
    await change(bela, { location: { unit: 'North', bed: '7' }, since: toInstant(test.now() - 5_000) });
    await send(91);
    await expect(release()).resolves.toEqual([200, undefined]);
    await send(92);
    await correctTwice();
    await read();
    await correctTwice();
    // The first one came after the move, too.
    await expect(valuesOf(bela)).resolves.toEqual([90, 91, 92]);
  });

  it('are withdrawn when the mapping of the bed is undone, also weeks later', async () => {
    await swap();
    await send(91);
    await expect(release()).resolves.toEqual([200, undefined]);
    await read();
    await expect(valuesOf(bela)).resolves.toEqual([91]);
    await pass(20 * 24 * 60 * minuteMs);
    await restart();
    const { beds } = test.server;
    await beds.end(await addDecider(test, site, 'physician'), beds.find(senderId, '2^^7')?.id ?? 0, true);
    await correctTwice();
    await expect(valuesOf(bela)).resolves.toEqual([]);
  });

  it.each([
    ['has left', { state: 'discharged' }, { state: 'active' }],
    ['is in another bed', { location: { unit: 'North', bed: '10' } }, {}],
  ])('of a patient who %s are not released, and a release can be taken back', async (_, leave, comeBack) => {
    await swap();
    await send(91);
    const body = await bodyFor();
    await change(bela, leave);
    await expect(listed()).resolves.toEqual([]);
    expect((await (await nurse()).call('POST', url(bela, '/release'), body)).statusCode).toBe(409);
    await pass(minuteMs);
    await change(bela, { ...comeBack, location: { unit: 'North', bed: '7' } });
    await send(92);
    await expect(release()).resolves.toEqual([200, undefined]);
    await read();
    await expect(valuesOf(bela)).resolves.toEqual([92]);
    await change(bela, leave);
    await takeBack();
    await correctTwice();
    await expect(valuesOf(bela)).resolves.toEqual([]);
    await expect(listed()).resolves.toEqual([]);
  });

  describe('when our clock is set', () => {
    // On a server of its own: the clock is every site's.
    let alone: TestServer;
    beforeAll(async () => {
      alone = await startTestServer(engine, { HL7_PORT: '0' });
    });
    beforeEach(async () => {
      gateway.socket.destroy();
      await begin(alone);
    });
    afterAll(() => alone.stop());

    it.each([
      ['forward', 60 * minuteMs],
      ['back', -60 * minuteMs],
    ])('can be taken back on the page after our clock was set %s', async (_, step) => {
      await swap();
      await send(91);
      await expect(release()).resolves.toEqual([200, undefined]);
      await send(92);
      await read();
      test.setWallClock(step);
      await test.server.clockWatch.check();
      await takeBack();
      await correctTwice();
      await expect(valuesOf(bela)).resolves.toEqual([]);
      await expect(listed()).resolves.toEqual([]);
    });

    it('are not read if our clock was set meanwhile, and count live all the same', async () => {
      await swap();
      await send(91);
      await expect(release()).resolves.toEqual([200, undefined]);
      test.setWallClock(-60 * minuteMs);
      await test.server.clockWatch.check();
      await expect(send(92)).resolves.toBe('AA');
      await read();
      await expect(valuesOf(bela)).resolves.toEqual([92]);
    });
  });
});
