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
import { makeTestFolder } from '../../test/testFolder';
import { createRawMessages, type RawMessage, type RawMessages } from './rawMessages';

const hour = 3_600_000;
const start = Date.UTC(2026, 4, 1, 10);
const text = 'MSH|^~\\&|GATEWAY\rPID|||P-100^^^^MR||Harbour^Ada\r'.repeat(3);

describe('raw messages', () => {
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
    await expect(raw.open(1, (await raw.list(1, 'all'))[1]?.id ?? 0)).rejects.toMatchObject({ status: 404 });
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
