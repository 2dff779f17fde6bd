import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { formatDtm } from '../../lib/hl7/formatDtm';
import type { CheckedMessage, MessagesResponse, OpenedMessage } from '../../lib/interfaces/schema';
import { toInstant } from '../../lib/time/schema';
import { kindOfCode } from '../../lib/vitals/kinds';
import { addBedMapping } from '../../test/addBedMapping';
import { addCodeMapping } from '../../test/addCodeMapping';
import { addSender } from '../../test/addSender';
import { apiEngines, engines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import { frame, type MllpClient } from '../../test/mllpClient';
import { restartableTestServer } from '../../test/sharedServer';
import { makeTestFolder } from '../../test/testFolder';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { isWithdrawn } from '../vitals/qualityCode';
import { createRawMessages, type RawMessage, type RawMessages } from './rawMessages';

describe.each(apiEngines)('the messages of HL7 senders on %s', (engine) => {
  const spo2 = 'OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||97|262688^MDC_DIM_PERCENT^MDC|||||F';
  const furlong = 'OBX||NM|150364^MDC_TEMP_BODY^MDC||98.6|furlong|||||F';
  const unknown = 'OBX||NM|X-1^Mystery^L||3|||||||F';

  /** When the test began. */
  let beganAt = 0;

  /** A message of the patient P-100, Ada Harbour. */
  function oru(id: string, values: readonly string[], { mrn = 'P-100', type = 'ORU^R01' } = {}): string {
    const at = formatDtm(beganAt);
    const header = `MSH|^~\\&|GATEWAY||||${at}||${type}|${id}|P|2.5`;
    return [header, `PID|||${mrn}^^^^MR||Harbour^Ada`, `OBR|||||||${at}`, ...values].join('\n');
  }

  let test: TestServer;
  let site: number;
  let senderId: number;
  let patientId: number;
  let gateway: MllpClient;
  let physician: Caller;

  const begin = async (server: TestServer): Promise<void> => {
    test = server;
    beganAt = test.now();
    site = await test.addSite();
    await test.server.alerts.siteChanged(site);
    patientId = await test.addPatient(site, { mrn: 'P-100', familyName: 'Harbour' });
    const from = gatewayAddress();
    ({ id: senderId } = await addSender(test, site, { address: from }));
    physician = await test.signIn(site, 'physician');
    gateway = await connectGateway(test, from);
  };
  beforeEach(async () => {
    await begin(await restartableTestServer(engine, { HL7_PORT: '0' }));
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  const address = '/api/v2/admin/messages';
  /** Sends messages one after another, and resolves when each has its answer and is written. */
  const send = async (...messages: string[]): Promise<void> => {
    for (const message of messages) {
      gateway.send(message);
      await gateway.next();
      test.advance(1_000);
    }
    await test.server.rawMessages.flush();
  };
  const list = async (by = physician, query = ''): Promise<MessagesResponse> =>
    (await by.call('GET', `${address}${query}`)).json<MessagesResponse>();
  const open = async (by: Caller, id: number | undefined) => await by.call('POST', `${address}/${id ?? 0}/open`);

  const check = async (by: Caller, id: number | undefined) => await by.call('GET', `${address}/${id ?? 0}`);

  const openings = async (action = 'open_message') =>
    await test.store.db
      .selectFrom('audit')
      .where('site_id', '=', site)
      .select(['actor_id', 'object_type', 'object_id', 'details'])
      .where('action', '=', action)
      .orderBy('id')
      .execute();

  it('are opened by no one who does not see every patient of their site', async () => {
    await send(oru('M1', [spo2]));
    const [message] = (await list()).items;
    for (const who of [
      await test.signIn(site, 'administrator', true),
      await test.signIn(site, 'technician'),
      await test.signIn(site, 'nurse'),
      await test.signIn(site, 'viewer'),
    ]) {
      expect((await open(who, message?.id)).statusCode).toBe(403);
    }
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await list(stranger)).items).toEqual([]);
    expect((await open(stranger, message?.id)).statusCode).toBe(404);
    expect((await open(physician, (message?.id ?? 0) + 1)).statusCode).toBe(404);
    await expect(openings()).resolves.toEqual([]);
  });

  it('are listed with what became of them, and nothing of what is in them', async () => {
    const logged = test.logLines.length;
    const { notKept } = (await list(await test.signIn(site, 'technician'))).kept;
    await send(
      oru('M1', [spo2]),
      oru('M1', [spo2]),
      oru('M2', [spo2, furlong]),
      oru('M3', [unknown]),
      oru('M4', [spo2], { mrn: 'P-999' }),
      oru('M5', [], { type: 'ADT^A01' }),
    );
    gateway.write(frame(oru('M6', [`NTE|||${'x'.repeat(140_000)}`])));
    await gateway.closed;
    await test.server.rawMessages.flush();
    for (const who of [await test.signIn(site, 'administrator', true), await test.signIn(site, 'technician')]) {
      const listed = await list(who);
      expect(listed.items.map(({ fate, reason, isWhole, isKept }) => [fate, reason, isWhole, isKept])).toEqual([
        ['AR', 'too_long', false, false],
        ['AR', 'message_type', false, true],
        ['AE', 'identity_conflict', false, true],
        ['AE', 'unknown_code', false, true],
        ['AA', 'unknown_unit', false, true],
        ['none', 'repeated', true, true],
        ['AA', null, true, true],
      ]);
      expect(listed.items[6]).toMatchObject({ sender: 'North gateway', receivedAt: toInstant(beganAt) });
      expect(listed.kept).toMatchObject({ mostBytes: 2_048 * 1_048_576, notKept, fault: null });
      expect(JSON.stringify(listed)).not.toMatch(/P-100|P-999|Harbour|Ada/);
    }
    expect((await list(physician, '?which=notWhole')).items).toHaveLength(5);
    const nurse = await test.signIn(site, 'nurse');
    expect((await nurse.call('GET', address)).statusCode).toBe(403);
    expect(JSON.stringify(test.logLines.slice(logged))).not.toMatch(/P-100|P-999|Harbour/);
  });

  it('are opened after it is on record whose they are, also after a restart', async () => {
    await send(oru('M1', [spo2]), oru('M2', [spo2], { mrn: 'P-999' }));
    await test.restart();
    const [second, first] = (await list()).items;
    const opened = (await open(physician, first?.id)).json<OpenedMessage>();
    expect(opened.segments).toEqual(oru('M1', [spo2]).split('\n'));
    expect((await open(physician, second?.id)).statusCode).toBe(200);
    const by = { actor_id: physician.userId };
    await expect(openings()).resolves.toEqual([
      {
        ...by,
        object_type: 'patient',
        object_id: patientId,
        details: JSON.stringify({ sender: senderId, message: first?.id }),
      },
      {
        ...by,
        object_type: 'sender',
        object_id: senderId,
        details: JSON.stringify({ sender: senderId, message: second?.id }),
      },
    ]);
  });

  it('are checked by no one who does not see their list, and not once they are deleted', async () => {
    await send(oru('M1', [spo2]));
    const [message] = (await list()).items;
    for (const type of ['nurse', 'viewer'] as const) {
      expect((await check(await test.signIn(site, type), message?.id)).statusCode).toBe(403);
    }
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await check(stranger, message?.id)).statusCode).toBe(404);
    await test.server.rawMessages.deleteOld(test.now() + 26 * 3_600_000, new AbortController().signal);
    const gone = await check(physician, message?.id);
    expect([gone.statusCode, gone.json<{ error: { code: string } }>().error.code]).toEqual([409, 'message_not_kept']);
    await expect(openings('check_message')).resolves.toEqual([]);
  });

  it('are checked without a value, number or name in the answer, by what is known of their sender', async () => {
    await send(oru('M1', [spo2, furlong, unknown]), oru('M2', [spo2], { mrn: 'P-999' }));
    const [other, message] = (await list()).items;
    const technician = await test.signIn(site, 'technician');
    const code = '150456^MDC_PULS_OXIM_SAT_O2^MDC';
    for (const who of [technician, technician, await test.signIn(site, 'administrator', true)]) {
      expect((await check(who, message?.id)).json<CheckedMessage>()).toEqual({
        id: message?.id,
        isCut: false,
        lines: [
          { line: 4, code, unit: '262688^MDC_DIM_PERCENT^MDC', taken: 'SpO2', reason: null, settings: [] },
          {
            ...{ line: 5, code: '150364^MDC_TEMP_BODY^MDC', unit: 'furlong', taken: '', reason: 'unknown_unit' },
            settings: ['Values without a known unit (OBX-6): Not used'],
          },
          {
            ...{ line: 6, code: 'X-1^Mystery^L', unit: '' },
            ...{ taken: '', reason: 'unknown_code', settings: ['Admin, Mappings'] },
          },
        ],
      });
    }
    // Who is here is not said.
    expect((await check(technician, other?.id)).json<CheckedMessage>().lines).toMatchObject([{ taken: 'SpO2' }]);
    const [first, second, third] = await openings('check_message');
    const about = { object_type: 'sender', object_id: senderId };
    expect([first, second, third]).toMatchObject([
      { ...about, actor_id: technician.userId, details: JSON.stringify({ message: message?.id }) },
      { ...about, details: JSON.stringify({ message: message?.id }) },
      { ...about, actor_id: technician.userId, details: JSON.stringify({ message: other?.id }) },
    ]);
    await addCodeMapping(test, site, { senderId, code: { id: 'X-1', text: 'Mystery', system: 'L' }, kind: 'weight' });
    const mapped = (await check(technician, message?.id)).json<CheckedMessage>().lines[2];
    expect(mapped?.reason).not.toBe('unknown_code');
  });

  it('are checked up to 200 lines', async () => {
    await send(oru('M1', Array<string>(201).fill(spo2)));
    const checked = (await check(physician, (await list()).items[0]?.id)).json<CheckedMessage>();
    expect([checked.lines.length, checked.isCut]).toEqual([200, true]);
  });

  it('are taken and answered all the same if none can be kept', async () => {
    // On a server of its own: they are counted for all sites.
    gateway.socket.destroy();
    await begin(await startTestServer(engine, { HL7_PORT: '0' }));
    jest.spyOn(test.server.storage, 'notStoredSince').mockReturnValue(test.now());
    await send(oru('M1', [spo2]));
    expect((await list()).kept).toMatchObject({ notKept: 1, fault: 'storage' });
    expect((await list()).items).toMatchObject([{ isKept: false, fate: 'AA' }]);
    expect((await open(physician, (await list()).items[0]?.id)).statusCode).toBe(400);
    await test.stop();
  });
});

describe('raw messages', () => {
  const hour = 3_600_000;
  const start = Date.UTC(2026, 4, 1, 10);
  const text = 'MSH|^~\\&|GATEWAY\rPID|||P-100^^^^MR||Harbour^Ada\r'.repeat(3);

  let folder: string;
  let dataDir: string;
  let elapsed: number;
  let freeBytes: number;
  let notStoredSince: number | null;
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]) });

  beforeEach(() => {
    folder = makeTestFolder('raw');
    dataDir = path.join(folder, 'data');
    mkdirSync(dataDir);
    [elapsed, freeBytes, notStoredSince] = [0, 50e9, null];
    lines.length = 0;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const begin = (hl7Raw: { keyFile?: string; mostBytes?: number } = {}): RawMessages =>
    createRawMessages({
      env: { dataDir, hl7Raw: { keyFile: null, mostBytes: 64 * 1_048_576, ...hl7Raw } },
      storage: { notStoredSince: () => notStoredSince },
      log,
      elapsed: () => elapsed,
      readSpace: () => Promise.resolve({ freeBytes, totalBytes: 100e9 }),
    });
  const message = (more: Partial<RawMessage> = {}): RawMessage => {
    const content = more.content ?? Buffer.from(text);
    const taken = { fate: 'AA', reason: null, isWhole: true } as const;
    return {
      sender: { id: 4, site_id: 1 },
      receivedAt: start,
      era: 1,
      bytes: content.length,
      content,
      ...taken,
      ...more,
    };
  };
  const partly = { reason: 'unknown_code', isWhole: false } as const;
  const keep = async (raw: RawMessages, ...messages: Partial<RawMessage>[]): Promise<void> => {
    for (const one of messages) {
      raw.keep(message(one));
    }
    await raw.flush();
  };
  const keptOf = async (raw: RawMessages): Promise<boolean[]> =>
    (await raw.list(1, 'all')).map(({ isKept }) => isKept).reverse();
  const textOf = async (raw: RawMessages, place = 0): Promise<string> => {
    const { content } = await raw.open(1, (await raw.list(1, 'all'))[place]?.id ?? 0);
    return Buffer.from(content).toString();
  };
  const files = (): string[] => readdirSync(path.join(dataDir, 'hl7')).sort();
  const fileAt = (place: number): string => path.join(dataDir, 'hl7', files()[place] ?? '');
  const whole = new AbortController().signal;

  it.each([
    ['is missing', (): string => path.join(folder, 'none.key')],
    [
      'holds no key',
      (): string => {
        writeFileSync(path.join(folder, 'bad.key'), 'secret');
        return path.join(folder, 'bad.key');
      },
    ],
  ])('are listed and not kept if the key file that is named %s, which is logged once', async (_, named) => {
    const keyFile = named();
    const raw = begin({ keyFile });
    await keep(raw, {});
    await keep(raw, {});
    await expect(keptOf(raw)).resolves.toEqual([false, false]);
    expect(raw.usage()).toMatchObject({ usedBytes: 0, notKept: 2, fault: 'key' });
    expect(lines.map(({ level }) => level)).toEqual([40]);
    expect(JSON.stringify(lines)).not.toContain('secret');
    writeFileSync(keyFile, randomBytes(32).toString('hex'));
    await keep(raw, {});
    elapsed = 60_000;
    await keep(raw, {});
    await expect(keptOf(raw)).resolves.toEqual([false, false, false, true]);
    expect(raw.usage().fault).toBeNull();
  });

  it('are not kept if no key can be made beside the data', async () => {
    writeFileSync(`${dataDir}-keys`, '');
    const raw = begin();
    await keep(raw, {});
    expect(raw.usage()).toMatchObject({ notKept: 1, fault: 'key' });
    expect(files()).toEqual([]);
  });

  it('are not kept while nothing can be stored, or the disk is nearly full, and again afterwards', async () => {
    const raw = begin();
    notStoredSince = start;
    await keep(raw, {});
    expect(raw.usage()).toMatchObject({ notKept: 1, fault: 'storage' });
    [notStoredSince, freeBytes] = [null, 1e9];
    await keep(raw, {});
    expect(raw.usage()).toMatchObject({ usedBytes: 0, notKept: 2, fault: 'disk' });
    [freeBytes, elapsed] = [50e9, 60_000];
    await keep(raw, {});
    await expect(keptOf(raw)).resolves.toEqual([false, false, true]);
    expect(raw.usage()).toMatchObject({ notKept: 2, fault: null });
  });

  it('are listed and counted if their folder takes no file', async () => {
    writeFileSync(path.join(dataDir, 'hl7'), '');
    const raw = begin();
    await keep(raw, {}, {});
    await expect(keptOf(raw)).resolves.toEqual([false, false]);
    expect(raw.usage()).toMatchObject({ notKept: 2, fault: 'disk' });
    expect(lines.map(({ msg }) => msg)).toEqual([
      'the disk with the data has no room, or takes no file: the contents of HL7 messages are not kept',
      'the HL7 messages of before this start cannot be listed',
    ]);
  });

  it('do not fill the memory if they come faster than they are written', async () => {
    const raw = begin();
    const content = Buffer.alloc(131_072);
    await keep(raw, ...Array.from({ length: 150 }, () => ({ content })));
    const kept = await keptOf(raw);
    expect(kept).toHaveLength(150);
    const { notKept } = raw.usage();
    expect(kept.filter((isKept) => !isKept)).toHaveLength(notKept);
    expect(notKept).toBeGreaterThan(20);
    expect(notKept).toBeLessThan(50);
  });

  it('of another site and of no id are not opened', async () => {
    const raw = begin();
    await keep(raw, {});
    const [entry] = await raw.list(1, 'all');
    await expect(raw.list(2, 'all')).resolves.toEqual([]);
    await expect(raw.open(2, entry?.id ?? 0)).rejects.toMatchObject({ status: 404 });
    await expect(raw.open(1, (entry?.id ?? 0) + 1)).rejects.toMatchObject({ status: 404 });
    await expect(textOf(raw)).resolves.toBe(text);
  });

  it('are not opened if a byte of them, or of what became of them, was changed', async () => {
    const raw = begin();
    await keep(raw, {});
    const bytes = readFileSync(fileAt(0));
    const damaged = { status: 409, code: 'message_damaged' };
    for (const place of [20, 48, 60, 100, bytes.length - 20, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      writeFileSync(fileAt(0), changed);
      await expect(textOf(raw)).rejects.toMatchObject(damaged);
    }
    writeFileSync(fileAt(0), bytes);
    await expect(textOf(raw)).resolves.toBe(text);
    const keyFile = path.join(folder, 'other.key');
    writeFileSync(keyFile, randomBytes(32).toString('hex'));
    await expect(textOf(begin({ keyFile }))).rejects.toMatchObject(damaged);
    rmSync(keyFile);
    await expect(textOf(begin({ keyFile }))).rejects.toMatchObject({ status: 409, code: 'key_missing' });
  });

  it('cannot be read on the disk, and their key is not with them', async () => {
    const raw = begin();
    await keep(raw, {}, partly);
    expect(files()).toHaveLength(2);
    for (const place of [0, 1]) {
      expect(readFileSync(fileAt(place), 'latin1')).not.toMatch(/GATEWAY|P-100|Harbour|Ada/);
      expect(statSync(fileAt(place)).mode & 0o777).toBe(0o600);
    }
    const key = path.join(`${dataDir}-keys`, 'hl7-raw.key');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['hl7']);
    // The same again has another ciphertext.
    const [first, second] = [readFileSync(fileAt(0)), readFileSync(fileAt(1))];
    expect(first.subarray(-40)).not.toEqual(second.subarray(-40));
  });

  it('are deleted a day after the last hour that they may be of, those not wholly taken after 30 days', async () => {
    const raw = begin();
    await keep(raw, {}, partly);
    await raw.deleteOld(start + 25 * hour - 1, whole);
    expect(files()).toHaveLength(2);
    await raw.deleteOld(start + 25 * hour, whole);
    expect(files()).toEqual([expect.stringContaining('-month-')]);
    await expect(keptOf(raw)).resolves.toEqual([false, true]);
    const gone = { status: 409, code: 'message_not_kept' };
    await expect(raw.open(1, (await raw.list(1, 'all'))[1]?.id ?? 0)).rejects.toMatchObject(gone);
    await raw.deleteOld(start + 721 * hour - 1, whole);
    expect(files()).toHaveLength(1);
    await raw.deleteOld(start + 721 * hour, whole);
    expect(files()).toEqual([]);
    expect(raw.usage().usedBytes).toBe(0);
  });

  it('of a clock that was ahead and was set back are kept from then on, and no longer', async () => {
    const raw = begin();
    await keep(raw, { receivedAt: start + 400 * 24 * hour }, { receivedAt: start });
    expect(files()).toHaveLength(2);
    await raw.deleteOld(start + hour, whole);
    await raw.deleteOld(start + 26 * hour - 1, whole);
    await expect(keptOf(raw)).resolves.toEqual([false, true]);
    await raw.deleteOld(start + 26 * hour, whole);
    expect(files()).toEqual([]);
  });

  it('are in a new file each hour, and after the clock was set back', async () => {
    const raw = begin();
    for (const receivedAt of [start, start + hour - 1, start + hour, start]) {
      raw.keep(message({ receivedAt }));
    }
    await raw.flush();
    expect(files()).toHaveLength(3);
    await expect(keptOf(raw)).resolves.toEqual([true, true, true, true]);
  });

  it('are read without one that is being written, also where its hour ends meanwhile', async () => {
    const raw = begin();
    raw.keep(message(partly));
    while ((await raw.list(1, 'all')).length === 0) {
      await turn();
    }
    appendFileSync(fileAt(0), 'half');
    const read: (string | null)[] = [];
    for await (const record of raw.readNotWhole(() => true)) {
      read.push(record === null ? null : Buffer.from(record.content ?? '').toString());
      await raw.flush();
    }
    expect(read).toEqual([text]);
  });

  it('take no more room than they may: the oldest go first', async () => {
    const mostBytes = 50_000;
    const raw = begin({ mostBytes });
    for (let count = 0; count < 30; count += 1) {
      await keep(raw, { receivedAt: start + count, content: randomBytes(4_000), ...(count % 2 === 0 ? partly : {}) });
      expect(raw.usage().usedBytes).toBeLessThanOrEqual(mostBytes);
    }
    const kept = await keptOf(raw);
    const first = kept.indexOf(true);
    expect(first).toBeGreaterThan(15);
    expect(first).toBeLessThan(25);
    expect(kept.slice(first)).not.toContain(false);
    const smaller = begin({ mostBytes: 10_000 });
    await smaller.deleteOld(start, whole);
    expect(smaller.usage().usedBytes).toBeLessThanOrEqual(10_000);
  });

  it('are listed and opened after a restart, but for one whose writing broke off', async () => {
    const before = begin();
    const contents = ['one', 'two', 'three'].map((word) => Buffer.from(`MSH|${word}`));
    await keep(before, ...contents.map((content, second) => ({ content, receivedAt: start + second * 1_000 })));
    truncateSync(fileAt(0), statSync(fileAt(0)).size - 3);
    const after = begin();
    await keep(after, { content: Buffer.from('MSH|four'), receivedAt: start + 3_000 });
    expect(files()).toHaveLength(2);
    const texts = await Promise.all([0, 1, 2].map((place) => textOf(after, place)));
    expect(texts).toEqual(['MSH|four', 'MSH|two', 'MSH|one']);
    const ids = (await after.list(1, 'all')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    // The list of before holds the same messages under the same ids.
    expect((await before.list(1, 'all')).map(({ id }) => id)).toEqual(expect.arrayContaining(ids.slice(1)));
  });

  it('are listed to 500, those not wholly taken for themselves, one that was too long without contents', async () => {
    const raw = begin();
    raw.keep({ ...message({ ...partly, reason: 'too_long', fate: 'AR' }), bytes: 200_000, content: null });
    await keep(raw, ...Array.from({ length: 510 }, (_, count) => ({ receivedAt: start + count })));
    await expect(raw.list(1, 'all')).resolves.toHaveLength(500);
    await expect(raw.list(1, 'notWhole')).resolves.toMatchObject([
      { fate: 'AR', reason: 'too_long', bytes: 200_000, isKept: false },
    ]);
    expect(raw.usage().notKept).toBe(0);
  });
});

describe.each(engines)('values that came by a bed alone, on %s', (engine) => {
  const minuteMs = 60_000;

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
    await test.server.hl7Replay.takeAgain(new AbortController().signal);
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
    await test.server.hl7Replay.withdraw(signal);
    test.advance(30_000);
    await test.server.hl7Replay.withdraw(signal);
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

  it('say so on every page that shows them', async () => {
    await sendMinutes(1, { 7: 97 });
    const response = await (await lead()).call('GET', `/api/v2/patients/${ada}`);
    expect(response.json()).toMatchObject({ latest: { spo2: { value: 97, isByBed: true } } });
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

  /** Reads again what came under a code that is mapped now. */
  const readEarlier = async (): Promise<void> => {
    await addCodeMapping(test, site, { senderId, code: { id: 'SAT', text: 'Saturation', system: 'L' }, kind: 'spo2' });
    await test.server.rawMessages.flush();
    test.advance(2 * minuteMs);
    await test.server.storage.check();
    await test.server.hl7Replay.takeAgain(new AbortController().signal);
  };
  const unmapped = { code: 'SAT^Saturation^L' };

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

  // What follows is above the store.
  if (!apiEngines.includes(engine)) {
    return;
  }

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

  it('raise nothing that outlives a failure between their withdrawal and the evaluation', async () => {
    await test.startRules(site);
    await sendMinutes(20, { 7: 97 });
    await sendMinutes(10, { 7: 71 });
    await change(ada, { location: { unit: 'North', bed: '9' }, since: ago(10) });
    const failing = jest.spyOn(test.server.alerts, 'valuesWithdrawn').mockRejectedValueOnce(new Error('cut off'));
    await expect(test.server.hl7Replay.withdraw(new AbortController().signal)).rejects.toThrow('cut off');
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
    test.server.liveState.deviceStays.assigned.set(id, ada);
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
    await test.server.hl7Replay.withdraw(new AbortController().signal);
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
});
