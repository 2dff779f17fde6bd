import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { acknowledge, type AckCode } from '../../lib/hl7/acknowledge';
import { createDeframer, type Frame } from '../../lib/hl7/Deframer';
import { parseMessage } from '../../lib/hl7/parseMessage';
import { latin1 } from '../../test/damagedMessage';
import { isAllTaken, sendMessages, sendSummary, type SendTotals } from './sendMessages';

const clock = {
  now: Date.now,
  sleep: (ms: number) => new Promise<void>((done) => void setTimeout(done, ms)),
};
const message = (id: string, accept = '', application = ''): Uint8Array =>
  latin1(`MSH|^~\\&|GATE|||||| ORU^R01|${id}|P|2.5|||${accept}|${application}\rPID|||A-1\r`);

describe('sendMessages', () => {
  let server: Server;
  let frames: Frame[];
  let chunks: number[];
  let answers: (AckCode | 'silence' | 'end')[];
  const sockets = new Set<Socket>();

  beforeEach(async () => {
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
          } else if (code !== 'silence') {
            socket.write(acknowledge({ header, code, text: 'said', now: 0, controlId: 'S' }));
          }
        }
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((done) => server.close(done));
  });

  const said: string[] = [];
  const send = (
    messages: Uint8Array[],
    faults: Partial<Parameters<typeof sendMessages>[2]> = {},
    port = (server.address() as AddressInfo).port,
  ): Promise<SendTotals> => {
    said.length = 0;
    return sendMessages(
      messages.map((bytes) => ({ bytes, dueMs: 0 })),
      { host: '127.0.0.1', port, tls: null },
      { splitBytes: null, repeats: 0, breakEvery: null, ...faults },
      { clock, signal: new AbortController().signal, say: (line) => said.push(line), timeoutMs: 300 },
    );
  };
  const bytesTaken = (): string[] =>
    frames.flatMap((frame) => (frame.kind === 'message' ? [Buffer.from(frame.bytes).toString('latin1')] : []));
  const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

  it.each(['AE', 'AR', 'CE', 'CR'] as const)('says that not all was taken after %s, and why', async (code) => {
    answers = ['AA', code];
    const totals = await send([message('1'), message('2')]);
    expect(isAllTaken(totals)).toBe(false);
    expect(said).toEqual([`2: ${code} said`]);
    expect(sendSummary(totals)[1]).toContain(`${code} 1`);
  });

  it('repeats the same bytes after a silence and after a lost connection, three times in all', async () => {
    answers = ['silence', 'end', 'AA', 'silence', 'silence', 'silence'];
    const totals = await send([message('1'), message('2')]);
    expect(bytesTaken()).toEqual([1, 1, 1, 2, 2, 2].map((id) => textOf(message(String(id)))));
    expect(totals).toMatchObject({ sent: 2, attempts: 4, unanswered: 1 });
    expect(isAllTaken(totals)).toBe(false);
  });

  it('ends early, and says why, if there is no listener', async () => {
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    const totals = await send([message('1'), message('2')], { repeats: 1 }, port);
    expect(totals).toMatchObject({ sent: 1, unanswered: 1 });
    expect(isAllTaken(totals)).toBe(false);
    expect(said).toEqual(Array(3).fill(`127.0.0.1:${port}: no connection`));
    server.listen(0);
  });

  it('sends each message after the answer to the one before, as whole frames', async () => {
    const totals = await send([message('1'), message('2')]);
    expect(bytesTaken()).toEqual([textOf(message('1')), textOf(message('2'))]);
    expect(isAllTaken(totals)).toBe(true);
    expect(sendSummary(totals)).toEqual([
      'Sent 2; sent again 0; broken frames 0',
      '  AA 2, AE 0, AR 0, CA 0, CE 0, CR 0',
      '  no answer: 0; none wanted: 0; to something else: 0',
    ]);
  });

  it('waits for no answer that the message does not want', async () => {
    answers = ['silence', 'CA'];
    const totals = await send([message('1', 'NE', 'NE'), message('2', 'AL', 'NE')]);
    expect(totals).toMatchObject({ unasked: 1, unanswered: 0, attempts: 0 });
    expect(isAllTaken(totals)).toBe(true);
  });

  it('splits, repeats and breaks on demand, without counting what answers a broken frame', async () => {
    const totals = await send([message('1'), message('2')], { splitBytes: 7, repeats: 1, breakEvery: 2 });
    expect(Math.max(...chunks.slice(0, 3))).toBeLessThan(40);
    expect(chunks.length).toBeGreaterThan(8);
    expect(bytesTaken()).toEqual([1, 1, 2, 2].map((id) => textOf(message(String(id)))));
    expect(frames.filter(({ kind }) => kind === 'fault')).toMatchObject([{ reason: 'no_end' }]);
    expect(totals).toMatchObject({ sent: 4, broken: 1, otherAnswers: 1 });
    expect(isAllTaken(totals)).toBe(true);
  });
});
