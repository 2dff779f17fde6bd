import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { createDeframer, type Frame } from '../../lib/hl7/Deframer';
import { type AckCode, acknowledge } from '../../lib/hl7/acknowledge';
import type { Code } from '../../lib/hl7/codes';
import { parseMessage } from '../../lib/hl7/parseMessage';
import { unanswered, versionOne, type SenderSettings } from '../../lib/hl7/senderSettings';
import { allDamaged, damaged, latin1, twoPatients } from '../../test/damagedMessage';
import { briefly, fuzzRuns } from '../../test/fuzzRuns';
import { readOru } from '../../lib/hl7/readOru';
import { checkMessage, checkMessages, type Judging, type Verdict } from '../hl7/checkMessages';
import { parseSendOptions } from './parseSendOptions';
import { planMessages, readMessages } from './planMessages';
import { isAllTaken, sendMessages, sendSummary, type SendTotals } from './sendMessages';
import { shiftTimes, timeOf } from './shiftTimes';

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

describe('parseSendOptions', () => {
  const parse = (...words: string[]) => parseSendOptions(words, 'Europe/Berlin');

  it.each([
    [[], 'Name one file to send'],
    [['a.hl7', 'b.hl7'], 'Name one file to send'],
    [['a.hl7', '--to', 'ward'], '--to ward: expected host:port'],
    [['a.hl7', '--to', 'ward:0'], '--to ward:0: expected host:port'],
    [['a.hl7', '--speed', '0'], '--speed 0: expected a number above 0'],
    [['a.hl7', '--speed', 'fast'], '--speed fast: expected a number above 0'],
    [['a.hl7', '--zone', 'Mars'], '--zone Mars: expected the name of a time zone'],
    [['a.hl7', '--split', '0'], '--split 0: expected a whole number above 0'],
    [['a.hl7', '--repeat', 'x'], '--repeat x: expected a whole number above 0'],
    [['a.hl7', '--break', '1.5'], '--break 1.5: expected a whole number above 0'],
    [['a.hl7', '--tls-cert', 'c'], 'Give --tls-cert and --tls-key together'],
    [['a.hl7', '--tls-cert', 'c', '--tls-key', 'k'], 'and with --tls-ca'],
    [['a.hl7', '--what'], '--what'],
  ])('refuses %j: %s', (words, message) => {
    expect(() => parse(...words)).toThrow(message);
  });

  it('takes a file alone', () => {
    expect(parse('a.hl7')).toEqual({
      path: 'a.hl7',
      host: '127.0.0.1',
      port: 2_575,
      tls: null,
      speed: 1,
      isShifted: false,
      timeZone: 'Europe/Berlin',
      splitBytes: null,
      repeats: 0,
      breakEvery: null,
    });
  });

  it('takes every option', () => {
    const words = '--to [::1]:9 --tls-ca a --tls-cert c --tls-key k --speed max --now --zone UTC --split 3 --repeat 2';
    expect(parse('a.hl7', ...words.split(' '), '--break', '4')).toEqual({
      path: 'a.hl7',
      host: '::1',
      port: 9,
      tls: { ca: 'a', cert: 'c', key: 'k' },
      speed: Infinity,
      isShifted: true,
      timeZone: 'UTC',
      splitBytes: 3,
      repeats: 2,
      breakEvery: 4,
    });
  });
});

describe('planMessages', () => {
  const now = Date.parse('2026-05-01T08:00:00Z');
  const timeZone = 'Europe/Berlin';
  const at = (time: string): Uint8Array => latin1(`MSH|^~\\&|A\rOBR|1||||||${time}\r`);
  const recording = ['20160802104800', '20160802104805', '20160802104804', '', '20160802104820'].map(at);
  const plan = (speed: number, isShifted: boolean) => planMessages(recording, { speed, isShifted, timeZone }, now);
  const secondsAgo = (messages: ReturnType<typeof plan>): (number | null)[] =>
    messages.map(({ bytes, dueMs }) => {
      const time = timeOf(bytes, { timeZone, receivedAt: now });
      return time === null ? null : (now + dueMs - time) / 1_000;
    });

  describe('readMessages', () => {
    it('reads frames, and texts that begin with MSH', () => {
      expect(readMessages(latin1('\x0bMSH|A\r\x1c\r\x0bMSH|B\r\x1c\r')).map(textOf)).toEqual(['MSH|A\r', 'MSH|B\r']);
      expect(readMessages(latin1('# note\nMSH|A\nPID|MSH\n\nMSH|B')).map(textOf)).toEqual([
        'MSH|A\nPID|MSH\r',
        'MSH|B\r',
      ]);
      expect(readMessages(latin1('Dear colleague'))).toEqual([]);
    });
  });

  describe('planMessages', () => {
    it.each([
      [1, [0, 5_000, 5_000, 5_000, 20_000]],
      [10, [0, 500, 500, 500, 2_000]],
      [Infinity, [0, 0, 0, 0, 0]],
    ])('at speed %d sends at the recorded distances', (speed, expected) => {
      expect(plan(speed, false).map(({ dueMs }) => dueMs)).toEqual(expected);
    });

    it('leaves the bytes as they are without --now', () => {
      expect(plan(1, false).map(({ bytes }) => bytes)).toEqual(recording);
    });

    it.each([
      [1, [0, 0, 1, null, 0]],
      [10, [18, 13.5, 14.5, null, 0]],
      [Infinity, [20, 15, 16, null, 0]],
      [0.5, [0, 5, 6, null, 20]],
    ])('with --now at speed %d sends no time from the future', (speed, expected) => {
      expect(secondsAgo(plan(speed, true))).toEqual(expected);
    });
  });
});

describe('sendMessages', () => {
  const timeoutMs = 10_000;
  /** Time goes on by `pass` and in short pauses only. */
  const createClock = () => {
    let time = 0;
    const sleepers = new Map<() => void, number>();
    return {
      elapsed: () => time,
      pass: (ms: number): void => {
        time += ms;
        [...sleepers].filter(([, at]) => at <= time).forEach(([wake]) => wake());
      },
      sleep: (ms: number, signal: AbortSignal) =>
        new Promise<void>((done) => {
          if (ms <= 1_000) {
            time += ms;
            setImmediate(done);
            return;
          }
          const wake = (): void => {
            sleepers.delete(wake);
            done();
          };
          sleepers.set(wake, time + ms);
          signal.addEventListener('abort', wake, { once: true });
        }),
    };
  };
  const message = (id: string, accept = '', application = ''): Uint8Array =>
    latin1(`MSH|^~\\&|GATE|||||| ORU^R01|${id}|P|2.5|||${accept}|${application}\rPID|||A-1\r`);

  let clock: ReturnType<typeof createClock>;
  let server: Server;
  let port: number;
  let frames: Frame[];
  let chunks: number[];
  /** What each message gets: a code, a text as it is, nothing (at once, or for 10 s), or the end of the connection. */
  let answers: (AckCode | { text: string } | 'nothing' | 'silence' | 'end')[];
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    clock = createClock();
    frames = [];
    chunks = [];
    answers = [];
    server = createServer((socket) => {
      sockets.add(socket);
      const deframer = createDeframer({ maxBytes: 10_000 });
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        chunks.push(chunk.length);
        for (const frame of deframer.push(chunk)) {
          frames.push(frame);
          const parsed = frame.kind === 'message' ? parseMessage(frame.bytes) : null;
          const header = parsed?.ok === true ? parsed.message.header : null;
          const code = header === null ? 'AR' : (answers.shift() ?? 'AA');
          if (code === 'end') {
            socket.destroy();
          } else if (code === 'silence') {
            clock.pass(timeoutMs);
          } else if (typeof code === 'object') {
            socket.write(latin1(code.text));
          } else if (code !== 'nothing') {
            socket.write(acknowledge({ header, code, text: 'said', now: 0, controlId: 'S' }));
          }
        }
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((done) => server.close(done));
  });

  const said: string[] = [];
  const send = (
    messages: Uint8Array[],
    faults: Partial<Parameters<typeof sendMessages>[2]> = {},
    target: Partial<Parameters<typeof sendMessages>[1]> = {},
  ): Promise<SendTotals> => {
    said.length = 0;
    const { elapsed, sleep } = clock;
    return sendMessages(
      messages.map((bytes) => ({ bytes, dueMs: 0 })),
      { host: '127.0.0.1', port, tls: null, ...target },
      { splitBytes: null, repeats: 0, breakEvery: null, ...faults },
      { elapsed, sleep, signal: new AbortController().signal, say: (line) => said.push(line), timeoutMs },
    );
  };
  const bytesTaken = (): string[] => frames.flatMap((frame) => (frame.kind === 'message' ? [textOf(frame.bytes)] : []));
  const sentTexts = (...ids: number[]): string[] => ids.map((id) => textOf(message(String(id))));

  it.each(['AE', 'AR', 'CE', 'CR'] as const)('says that not all was taken after %s, and why', async (code) => {
    answers = ['AA', code];
    const totals = await send([message('1'), message('2')]);
    expect(isAllTaken(totals)).toBe(false);
    expect(said).toEqual([`2: ${code} said`]);
    expect(sendSummary(totals)[1]).toContain(`${code} 1`);
  });

  it.each([
    ['\x0b\x15\x1c\r', 'a message that is no answer'],
    ['\x0bMSH|^~\\&|\rERR|1\r\x1c\r', 'a message that is no answer'],
    ['\x0bMSH|^~\\&|\rMSA|OK|1\r\x1c\r', 'a message that is no answer'],
    ['\x0bMSH|^~\\&|\rMSA|AA|7\r\x1c\r', 'AA to "7"'],
    ['MSA|AA|1\r\x1c\r', 'a broken frame'],
    ['HTTP/1.1 400 Bad Request\r\n\r\n', 'bytes in no frame'],
    ['\x0bMSH|^~\\&|\rMSA|AA|1\x1cX', 'a broken frame'],
  ])('waits no longer after %j, counts it and sends the next message', async (text, what) => {
    answers = [{ text }];
    const totals = await send([message('1'), message('2')]);
    expect(said).toEqual([`1: not an answer to it: ${what}`]);
    expect(totals).toMatchObject({ sent: 2, attempts: 0, notUnderstood: 1, unanswered: 0 });
    expect(totals.answers).toEqual(new Map([['AA', 1]]));
    expect(isAllTaken(totals)).toBe(false);
    expect(bytesTaken()).toEqual(sentTexts(1, 2));
    expect(clock.elapsed()).toBe(0);
  });

  it.each([
    ['in a set that is not read', '\x0bMSH|^~\\&|||||||ACK|9|P|2.5||||||CNS 11643\rMSA|AR|1|No\r\x1c\r', 'AR'],
    ['without 0x0D at its end', '\x0bMSH|^~\\&|\rMSA|AA|1\x1c', 'AA'],
    ['behind bytes in no frame', '\0\0\x0bMSH|^~\\&|\rMSA|AA|1\r\x1c\r', 'AA'],
    ['before bytes in no frame', '\x0bMSH|^~\\&|\rMSA|AA|1\r\x1c\r\0\0', 'AA'],
  ] as const)('counts an answer %s', async (_what, text, code) => {
    answers = [{ text }, 'CA'];
    const totals = await send([message('1'), message('2')]);
    expect([...totals.answers]).toEqual([
      [code, 1],
      ['CA', 1],
    ]);
    expect(totals).toMatchObject({ notUnderstood: 0, attempts: 0 });
  });

  it('repeats the same bytes after a silence and after a lost connection, three times in all', async () => {
    answers = ['silence', 'end', 'AA', 'silence', 'silence', 'silence'];
    const totals = await send([message('1'), message('2')]);
    expect(bytesTaken()).toEqual(sentTexts(1, 1, 1, 2, 2, 2));
    expect(totals).toMatchObject({ sent: 2, attempts: 4, unanswered: 1 });
    expect(isAllTaken(totals)).toBe(false);
  });

  it('ends after 30 s without an answer, and sends nothing more', async () => {
    answers = ['silence', 'silence', 'silence'];
    const totals = await send([message('1'), message('2')], { repeats: 1 });
    expect(clock.elapsed()).toBe(30_000);
    expect(bytesTaken()).toEqual(sentTexts(1, 1, 1));
    expect(totals).toMatchObject({ sent: 1, unanswered: 1 });
    expect(said).toEqual(['1: no answer']);
    expect(isAllTaken(totals)).toBe(false);
  });

  it('ends after 30 s at a listener that opens no TLS', async () => {
    const deaf = createServer((socket) => {
      sockets.add(socket);
      clock.pass(timeoutMs);
    });
    await new Promise<void>((done) => deaf.listen(0, '127.0.0.1', done));
    const deafPort = (deaf.address() as AddressInfo).port;
    const totals = await send([message('1')], {}, { port: deafPort, tls: { ca: '' } });
    sockets.forEach((socket) => socket.destroy());
    await new Promise((done) => deaf.close(done));
    expect(clock.elapsed()).toBeGreaterThanOrEqual(30_000);
    expect(totals).toMatchObject({ sent: 1, unanswered: 1 });
    expect(said).toEqual([...Array<string>(3).fill(`127.0.0.1:${deafPort}: no connection`), '1: no answer']);
  });

  it('ends early, and says why, if there is no listener', async () => {
    await new Promise((done) => server.close(done));
    const totals = await send([message('1'), message('2')], { repeats: 1 });
    expect(totals).toMatchObject({ sent: 1, unanswered: 1 });
    expect(isAllTaken(totals)).toBe(false);
    expect(said).toEqual([...Array<string>(3).fill(`127.0.0.1:${port}: no connection`), '1: no answer']);
  });

  it('sends each message after the answer to the one before, as whole frames', async () => {
    const totals = await send([message('1'), message('2')]);
    expect(bytesTaken()).toEqual(sentTexts(1, 2));
    expect(isAllTaken(totals)).toBe(true);
    expect(sendSummary(totals)).toEqual([
      'Sent 2; sent again 0; broken frames 0',
      '  AA 2, AE 0, AR 0, CA 0, CE 0, CR 0',
      '  no answer: 0; not understood: 0',
      '  no answer wanted: 0; answers to something else: 0',
    ]);
  });

  it('takes a second answer to the message before for none to this one', async () => {
    const second = textOf(acknowledge({ header: null, code: 'AA', now: 0, controlId: 'S' })).replace(
      'MSA|AA|',
      'MSA|AA|1',
    );
    answers = ['CA', { text: second + second.replace('AA|1', 'AE|2') }];
    const totals = await send([message('1', 'AL', 'AL'), message('2', 'AL', 'AL')]);
    expect([...totals.answers]).toEqual([
      ['CA', 1],
      ['AE', 1],
    ]);
    expect(totals).toMatchObject({ otherAnswers: 1, notUnderstood: 0 });
  });

  it('waits for no answer that the message does not want', async () => {
    answers = ['nothing', 'CA'];
    const totals = await send([message('1', 'NE', 'NE'), message('2', 'AL', 'NE')]);
    expect(totals).toMatchObject({ unasked: 1, unanswered: 0, attempts: 0 });
    expect(isAllTaken(totals)).toBe(true);
  });

  it('splits, repeats and breaks on demand, without counting what answers a broken frame', async () => {
    const totals = await send([message('1'), message('2')], { splitBytes: 7, repeats: 1, breakEvery: 2 });
    expect(Math.max(...chunks.slice(0, 3))).toBeLessThan(40);
    expect(chunks.length).toBeGreaterThan(8);
    expect(bytesTaken()).toEqual(sentTexts(1, 1, 2, 2));
    expect(frames.filter(({ kind }) => kind === 'fault')).toMatchObject([{ reason: 'no_end' }]);
    expect(totals).toMatchObject({ sent: 4, broken: 1, otherAnswers: 1 });
    expect(isAllTaken(totals)).toBe(true);
  });
});

describe('shiftTimes', () => {
  const site = { timeZone: 'Europe/Berlin', receivedAt: Date.parse('2026-05-01T10:00:00Z') };
  const shifted = (line: string, ms: number): string =>
    textOf(shiftTimes(latin1(`MSH|^~\\&|A|B\r${line}\r`), ms, site)).split('\r')[1] ?? '';

  describe('shiftTimes', () => {
    it.each([
      ['PID|||A||Abel||19500101', 'PID|||A||Abel||19500101'],
      ['OBR|1||||||20260501', 'OBR|1||||||20260501'],
      ['OBR|1||||||20260501100000', 'OBR|1||||||20260501110000'],
      ['OBR|1||||||202605011000', 'OBR|1||||||202605011100'],
      ['OBR|1||||||20260501233000.5', 'OBR|1||||||20260502003000.5'],
      ['OBR|1||||||20260501100000.1234-0500', 'OBR|1||||||20260501110000.1230-0500'],
      ['OBX|1|NM|1||20260501100000||||||F|||20260501100000^S', 'OBX|1|NM|1||20260501100000||||||F|||20260501110000^S'],
      // The clocks go forward between the two.
      ['OBR|1||||||20260329013000', 'OBR|1||||||20260329033000'],
    ])('makes of %s, an hour later, %s', (before, after) => {
      expect(shifted(before, 3_600_000)).toBe(after);
    });

    it('moves times without a zone by the clocks of that of MSH-7', () => {
      const [before, after] = [
        ['20260329000009-0100', '20260329000000', '2026', '20260329000000+0200'],
        ['20260329040009-0100', '20260329040000', '2026', '20260329040000+0200'],
      ].map(([message, ...[order, charted, own]]) =>
        [`MSH|^~\\&|||||${message}`, `OBR|1||||||${order}|${charted}`, `OBX|1|NM|1||97||||||F|||${own}`].join('\r'),
      );
      expect(textOf(shiftTimes(latin1(before ?? ''), 4 * 3_600_000, site))).toBe(after);
    });

    it('moves the time of the message as well, and changes nothing else', () => {
      expect(textOf(shiftTimes(latin1(twoPatients), 60_000, site))).toBe(
        twoPatients.replaceAll('202605011000', '202605011001').replaceAll('202605010955', '202605010956'),
      );
    });

    it.each([
      ['GB 18030-2000', '\x81|\x81^\x81\\'],
      ['BIG-5', '\xa4|\xa4^\xa4\\'],
      ['~ISO IR87', '\x1b$B0|0^\x1b(B'],
      ['8859/1', 'Z\xfcrich'],
      ['UNICODE UTF-8', 'Z\xc3\xbcrich'],
    ])('moves the times behind names in %s, and no byte of a name, whatever looks like a separator', (set, name) => {
      const time = '20260501100000';
      const message = [
        `MSH|^~\\&|${name}|${name}|||${time}||ORU^R01|1|P|2.5||||||${set}`,
        `PID|||1||${name}|${name}|${name}${time}`,
        `OBR|1|||1^${name}|||${time}|||${name}`,
        `OBX|1|NM|1^${name}|${name}|97||||||F|||${time}||${name}${time}^${name}`,
        '',
      ].join('\r');
      const moved = message
        .replace(`|${time}||ORU`, '|20260501110000||ORU')
        .replace(`|${time}|||`, '|20260501110000|||')
        .replace(`|||${time}||`, '|||20260501110000||');
      expect(textOf(shiftTimes(latin1(message), 3_600_000, site))).toBe(moved);
      expect(timeOf(latin1(message), site)).toBe(Date.parse('2026-05-01T08:00:00Z'));
    });

    it('leaves a time as it is that would be after 9999', () => {
      expect(shifted('OBR|1||||||99991231235959', 3_600_000)).toBe('OBR|1||||||99991231235959');
    });

    it('changes nothing for a shift of 0, and never throws, whatever the bytes', () => {
      fc.assert(
        fc.property(damaged, fc.integer({ min: -1e12, max: 1e12 }), (bytes, ms) => {
          // More than three digits behind the second are not kept.
          const isFiner = /\d{8}(?:\d{2}){2,3}\.\d{4,}/.test(textOf(bytes));
          fc.pre(!isFiner);
          expect(textOf(shiftTimes(bytes, 0, site))).toBe(textOf(bytes));
          expect(shiftTimes(bytes, ms, site)).toBeInstanceOf(Uint8Array);
        }),
        fuzzRuns,
      );
    });
  });

  describe('timeOf', () => {
    it.each([
      ['MSH|^~\\&|||||20260501100009\rOBR|1||||||20260501100000', '2026-05-01T08:00:00Z'],
      ['MSH|^~\\&|||||20260501100009+0000\rOBR|1||||||20260501100000', '2026-05-01T10:00:00Z'],
      ['MSH|^~\\&|||||20260501100009\rOBR|1', '2026-05-01T08:00:09Z'],
      ['MSH|^~\\&|\rOBR|1||||||20260501', null],
      ['GET / HTTP/1.1', null],
    ])('reads of %j when it is from', (text, expected) => {
      expect(timeOf(latin1(text), site)).toBe(expected === null ? null : Date.parse(expected));
    });
  });
});

describe('checkMessages', () => {
  const site = { timeZone: 'Europe/Berlin', receivedAt: Date.parse('2026-05-02T08:00:00Z') };
  const head = 'MSH|^~\\&|GATE|W|||20260501100000||ORU^R01|7|P|2.5';
  const doe = 'PID|||4711^^^HOSP^MR||Doe^Jo||19500307';
  const spo2 = '150456^MDC_PULS_OXIM_SAT_O2^MDC';
  const oxygen = { id: '150456', text: 'MDC_PULS_OXIM_SAT_O2', system: 'MDC' };
  const value = `OBX|1|NM|${spo2}||97|%|||||F`;
  const questions = Object.keys(versionOne).length;

  /** The settings that are said, and what is said of the lines. */
  async function check(settings: SenderSettings | null, ...lines: string[]) {
    const frame: Frame = { kind: 'message', bytes: latin1(`${lines.join('\r')}\r`) };
    const checked = await checkMessages([frame], settings, site);
    return {
      ...{ settings: checked.lines.slice(0, questions + 1), told: checked.lines.slice(questions + 1, -1) },
      ...{ sum: checked.lines.at(-1), isWhole: checked.isWhole },
    };
  }

  it.each([
    ['Dear colleague', 'Not a readable HL7 message (not_hl7)'],
    [head.replace('ORU^R01', 'ADT^A01'), 'Not ORU^R01 (MSH-9) (message_type)'],
    [head.replace('|7|', '||'), 'MSH-10 is empty (no_control_id)'],
    [`${head}||||||UNICODE UTF-16`, 'A character set that is not read (MSH-18) (charset)'],
    [`${head}\r${head}`, 'Not a readable HL7 message (not_hl7)'],
  ])('says that the whole message is refused, and why: %s', async (text, why) => {
    await expect(check(versionOne, text)).resolves.toMatchObject({
      told: [`1, the message: not taken: ${why}`],
      sum: '0 of 1 would be taken completely',
      isWhole: false,
    });
  });

  it('names what a broken frame is', async () => {
    const frame: Frame = { kind: 'fault', reason: 'no_end', count: 9, cut: latin1('MSH|^~\\&|') };
    const { lines, isWhole } = await checkMessages([frame], versionOne, site);
    expect(lines.at(-2)).toBe('1, a frame (no_end): not taken: Not a readable HL7 message (not_hl7)');
    expect(isWhole).toBe(false);
  });

  it('passes an answer over', async () => {
    expect((await check(versionOne, 'MSH|^~\\&|||||||ACK|9|P|2.5', 'MSA|AA|7')).isWhole).toBe(true);
  });

  it.each<[string, string[], Partial<SenderSettings>, Partial<SenderSettings>]>([
    [
      'Which number is the MRN: MR of the site’s authorities is the MRN',
      [doe.replace('MR', 'PI'), value],
      {},
      { identifiers: [{ type: 'PI', authority: 'HOSP', is: 'mrn' }] },
    ],
    [
      'What has to agree beside the MRN: All that is sent; a birth date, or family name and first initial, ' +
        'has to be sent',
      ['PID|||4711^^^HOSP^MR', value],
      { beside: 'second' },
      { beside: 'asSent' },
    ],
    [
      'Messages without a patient number: Go to quarantine',
      ['PID|1', 'PV1||I|ICU^^7', value],
      { bedRoute: false },
      { bedRoute: true },
    ],
    ['Messages without OBX-11: Do not use', [doe, `OBX|1|NM|${spo2}||97|%`], {}, { missingStatus: 'F' }],
    [
      'Texts beside known codes (OBX-3): Taken if it names the vital sign, else held until asked about',
      [doe, 'OBX|1|NM|150456^Sat^MDC||97|%|||||F'],
      { texts: [] },
      { texts: [{ code: { ...oxygen, text: 'Sat' }, isMeant: true }] },
    ],
    [
      'Texts beside known codes (OBX-3): 150456 comes with the text “SpO2 CO”: it is no value',
      [doe, 'OBX|1|NM|150456^SpO2 CO^MDC||97|%|||||F'],
      { texts: [{ code: { ...oxygen, text: 'SpO2 CO' }, isMeant: false }] },
      { texts: [{ code: { ...oxygen, text: 'SpO2 CO' }, isMeant: true }] },
    ],
    [
      'Values without a known unit (OBX-6): Not used',
      [doe, `OBX|1|NM|${spo2}||97||||||F`],
      {},
      { missingUnits: [{ code: oxygen, unit: '%' }] },
    ],
    [
      'Values without a known unit (OBX-6): Not used',
      [doe, `OBX|1|NM|${spo2}||97|pct|||||F`],
      {},
      { missingUnits: [{ code: oxygen, sent: 'pct', unit: '%' }] },
    ],
    [
      'Temperatures under 150344 (MDC_TEMP): Not used',
      [doe, 'OBX|1|NM|150344^MDC_TEMP^MDC|Tcore|37.1|Cel|||||F'],
      {},
      { coreTemperatures: ['Tcore'] },
    ],
    [
      'Character set if MSH-18 is empty: GB 18030-2000',
      [doe.replace('Doe', 'M\xfc ller'), value],
      { charset: 'GB 18030-2000' },
      { charset: '8859/1' },
    ],
  ])('says which answer would have to be another one: %s', async (answer, lines, held, changed) => {
    const settings = { ...versionOne, ...held };
    const { told, isWhole } = await check(settings, head, ...lines);
    expect(told).toEqual([expect.stringMatching(/not taken: .* \(\w+\)\. /)]);
    expect(told[0]?.endsWith(`). ${answer}`)).toBe(true);
    expect(isWhole).toBe(false);
    expect((await check({ ...settings, ...changed }, head, ...lines)).isWhole).toBe(true);
  });

  it.each([
    [`NM|${spo2}||97|mmHg|||||F`, 'A unit that is not taken (unknown_unit)'],
    [`NM|${spo2}||97|%|||||Z`, 'A value whose status is not known (OBX-11) (malformed_sample)'],
    [`NM|${spo2}||97|%||DEMO|||F`, 'Training or demo (training)'],
    [`NM|${spo2}||97|%|||||F|||soon`, 'A value without a readable time (unparsable_time)'],
    [`NM|${spo2}||97|%|||||F|||20260429095900`, 'A time more than 24 h off (clock_wrong)'],
    ['NM|1^Mood^L||97|%|||||F', 'A code that is not known (unknown_code)'],
    ['NM|150456^MDC_RESP_RATE^MDC||97|%|||||F', 'A code that is not known (unknown_code)'],
  ])('names no answer where no other would change it: OBX %s', async (fields, why) => {
    const { told } = await check(versionOne, head, doe, `OBX|1|${fields}`);
    expect(told).toEqual([expect.stringMatching(/^1, line 3, /)]);
    expect(told[0]?.endsWith(`: not taken: ${why}`)).toBe(true);
  });

  it.each([
    [`NM|${spo2}||97|%|||||F`, 'SpO2 97 %, good, at 2026-05-01T08:00:00.000Z'],
    [`NM|${spo2}||0.97|1^^UCUM||QUES|||C|||20260501095900`, 'SpO2 97 %, questionable, at 2026-05-01T07:59:00.000Z'],
    [`NM|${spo2}||97|%|||||D`, 'Takes SpO2 back'],
    [`NM|${spo2}|||%|||||X`, 'SpO2 without a signal, at 2026-05-01T08:00:00.000Z'],
    [`ST|${spo2}||off|%|||||F`, 'SpO2 without a signal, at 2026-05-01T08:00:00.000Z'],
    ['NM|149530^MDC_PULS_OXIM_PULS_RATE^MDC||255|/min|||||F', 'PR without a signal, unless an SpO2 is beside it, at'],
    ['|69965^MDC_MON^MDC||||||||X', 'No value: an alarm text, a waveform or a group'],
    ['ST|5^HardInop^MDIL-ALERT||SpO2 No Sensor||||||F', 'No value: an alarm text'],
  ])('says what a line is taken for: OBX %s', async (fields, expected) => {
    const { told, isWhole } = await check(versionOne, head, doe, `OBX|1|${fields}`);
    expect(told).toEqual([expect.stringContaining(`: ${expected}`)]);
    expect(isWhole).toBe(true);
  });

  it('judges a line of a message without MSH-7 as if it came at its own time', async () => {
    const old = `OBX|1|NM|${spo2}||97|%|||||F|||20200101100000`;
    expect((await check(versionOne, head.replace('20260501100000', ''), doe, old)).isWhole).toBe(true);
  });

  it('takes the numbers of an alarm report for parts of the alarm', async () => {
    const alarm = 'OBX|1|CWE|196616^MDC_EVT_ALARM^MDC|1.0.0.0.1|^SpO2 low||||||F';
    const number = `OBX|2|NM|${spo2}|1.0.0.0.2|80|%|||||F`;
    const { told } = await check(versionOne, head.replace('R01', 'R40'), doe, 'OBR|1', alarm, number);
    expect(told).toEqual(Array(2).fill(expect.stringMatching(/: No value: an alarm text, .*$/)));
  });

  it.each(['', '1950', '195003', '19500307'])('lets the birth date %j be all that is sent of it', async (born) => {
    expect((await check(versionOne, head, doe.replace('19500307', born), value)).isWhole).toBe(true);
  });

  it('takes nothing before two people have answered, and nothing by an invalid birth date', async () => {
    const { told } = await check(unanswered, head, doe, value);
    expect(told[0]).toContain('(no_identifier). Which number is the MRN: None');
    const { told: born } = await check(versionOne, head, doe.replace('19500307', 'spring'), value);
    expect(born[0]).toContain('(identity_conflict)');
  });

  it('says by which settings it judges: those that are given, else what the messages propose', async () => {
    const lines = [head, doe.replace('MR', 'PI'), `OBX|1|NM|${spo2}||97|%`];
    const proposed = await check(null, ...lines);
    expect(proposed.settings[0]).toBe('Settings that the messages propose:');
    expect(proposed.settings).toContain('  Which number is the MRN: PI of HOSP is the MRN');
    expect(proposed.settings).toContain('  Messages without OBX-11: Treat as final');
    expect(proposed.isWhole).toBe(true);
    const given = await check(versionOne, ...lines);
    expect(given.settings[0]).toBe('Settings:');
    expect(given.settings).toContain('  Which number is the MRN: MR of the site’s authorities is the MRN');
    expect(given.isWhole).toBe(false);
  });

  it('prints neither the number nor the name nor the birth date of a patient', async () => {
    const { settings, told } = await check(null, head, doe, value, `OBX|2|NM|${spo2}||97||||||Z`);
    expect([...settings, ...told].join('\n')).not.toMatch(/4711|Doe|Jo|1950/);
  });

  describe('checkMessage', () => {
    type Known = NonNullable<Judging['known']>;
    const bed = 'PV1||I|ICU^^7';
    const mapped = { kind: 'spo2', isUnitless: false, mappingId: 4 } as const;
    const known = {
      ...{ isTrial: false, mrnAuthorities: ['HOSP'], bedOf: () => null, mostLines: 2 },
      meaningOf: (code: Code) => (code.id === '150456' ? mapped : null),
    };
    /** What is said of the lines of a message that came now. */
    const judge = async (lines: string[], more: Partial<Known> = {}): Promise<Verdict[]> => {
      const bytes = latin1(`${[head.replace('20260501', '20260502'), ...lines].join('\r')}\r`);
      return await checkMessage(bytes, { settings: versionOne, site, known: { ...known, ...more } });
    };

    it.each<[string, string, string[], Partial<Known>, Partial<Known>]>([
      [
        'identity_conflict',
        'Admin, Site: authorities of MRNs',
        [doe, value],
        { mrnAuthorities: ['OTHER'] },
        { mrnAuthorities: [] },
      ],
      ['unknown_bed', 'Admin, Mappings', ['PID|1', bed, value], {}, { bedOf: () => ({ key: '1 7', mappingId: 2 }) }],
      ['unknown_code', 'Admin, Mappings', [doe, value], { meaningOf: () => null }, { meaningOf: () => mapped }],
      ['training', 'accepting the sender for a trial', [doe, value.replace('%|||', '%||DEMO|')], {}, { isTrial: true }],
    ])('says of %s which page would change it: %s', async (reason, page, lines, held, changed) => {
      const [verdict] = await judge(lines, held);
      expect(verdict).toMatchObject({ reason, taken: '' });
      expect(verdict?.settings.at(-1)).toBe(page);
      await expect(judge(lines, { ...held, ...changed })).resolves.toMatchObject([{ reason: null, taken: 'SpO2' }]);
    });

    it('names no authorities where these do not matter', async () => {
      const [verdict] = await judge([doe.replace('MR', 'PI'), value]);
      expect(verdict).toMatchObject({
        reason: 'identity_conflict',
        settings: [expect.stringMatching(/^Which number/)],
      });
    });

    it('judges a message by when it came, whatever it says of that', async () => {
      const bytes = latin1(`${[head, doe, value].join('\r')}\r`);
      const late = { ...site, receivedAt: site.receivedAt + 86_400_000 };
      const by = { settings: versionOne, known };
      await expect(checkMessage(bytes, { ...by, site })).resolves.toMatchObject([{ reason: null }]);
      await expect(checkMessage(bytes, { ...by, site: late })).resolves.toMatchObject([{ reason: 'clock_wrong' }]);
    });

    it('leaves out lines beyond the most', async () => {
      const verdicts = await judge([doe, value, value, value]);
      expect(verdicts.map(({ line }) => line)).toEqual([3, 4]);
    });
  });

  it('has one line for each OBX that the listener reads, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(allDamaged, async (messages) => {
        for (const bytes of messages) {
          const { lines } = await checkMessages([{ kind: 'message', bytes }], versionOne, site);
          const parsed = parseMessage(bytes);
          const read = parsed.ok ? readOru(parsed.message, { timeZone: 'UTC', receivedAt: 0 }) : [];
          const count = read.reduce((sum, { observations }) => sum + observations.length, 0);
          expect([1, count]).toContain(lines.length - questions - 2);
        }
      }),
      { ...fuzzRuns, ...briefly },
    );
  });
});
