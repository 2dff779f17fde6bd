import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ackCodes, isWanted, readAcknowledgement, type AckCode } from '../../lib/hl7/acknowledge';
import { createDeframer, maxMessageBytes } from '../../lib/hl7/Deframer';
import { parseMessage } from '../../lib/hl7/parseMessage';
import type { Clock } from '../replay/sendSamples';
import type { SendOptions } from './parseSendOptions';
import type { PlannedMessage } from './planMessages';

/** The listener; `tls` holds the contents of the PEM files. */
export interface SendTarget {
  host: string;
  port: number;
  tls: { ca: string; cert?: string; key?: string } | null;
}

/** What came of the messages. */
export interface SendTotals {
  sent: number;
  answers: Map<AckCode, number>;
  /** Sent and wanted no answer (MSH-15 and MSH-16 are NE). */
  unasked: number;
  /** No answer after all attempts. */
  unanswered: number;
  /** Sent again after a lost connection or a silence. */
  attempts: number;
  broken: number;
  /** Answers to something else than the message that was waited for. */
  otherAnswers: number;
}

const attemptsInAll = 3;
const packetPauseMs = 1;

type Faults = Pick<SendOptions, 'splitBytes' | 'repeats' | 'breakEvery'>;
interface Answer {
  code: AckCode;
  controlId: string;
  text: string;
}

/** One connection, with the answers that came over it. Never rejects: a lost connection is the answer null. */
interface Link {
  write: (bytes: Uint8Array) => Promise<void>;
  /** Resolves with the next answer, or null if the connection or the time is over. */
  nextAnswer: (timeoutMs: number, signal: AbortSignal) => Promise<Answer | null>;
  close: () => void;
}

function openLink(
  target: SendTarget,
  splitBytes: number | null,
  clock: Clock,
  signal: AbortSignal,
): Promise<Link | null> {
  return new Promise((resolve) => {
    const { host, port, tls } = target;
    const socket: Socket = tls === null ? connect({ host, port }) : connectTls({ host, port, ...tls });
    socket.setNoDelay(true);
    const deframer = createDeframer({ maxBytes: maxMessageBytes });
    const answers: Answer[] = [];
    let isOver = false;
    let wake: () => void = () => {};
    const end = (): void => {
      isOver = true;
      wake();
      resolve(null);
    };
    socket.on('error', end);
    socket.on('close', end);
    socket.on('data', (chunk: Buffer) => {
      for (const frame of deframer.push(chunk)) {
        const parsed = frame.kind === 'message' ? parseMessage(frame.bytes) : null;
        const answer = parsed?.ok === true ? readAcknowledgement(parsed.message) : null;
        if (answer !== null) {
          answers.push(answer);
        }
      }
      wake();
    });
    socket.on(tls === null ? 'connect' : 'secureConnect', () =>
      resolve({
        write: async (bytes) => {
          const step = splitBytes ?? bytes.length;
          for (let from = 0; from < bytes.length && !isOver; from += step) {
            socket.write(bytes.subarray(from, from + step));
            if (splitBytes !== null) {
              await clock.sleep(packetPauseMs, signal);
            }
          }
        },
        nextAnswer: async (timeoutMs, stop) => {
          const deadline = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
          while (answers.length === 0 && !isOver && !deadline.aborted) {
            await new Promise<void>((done) => {
              wake = done;
              deadline.addEventListener('abort', () => done(), { once: true });
            });
          }
          return answers.shift() ?? null;
        },
        close: () => socket.destroy(),
      }),
    );
  });
}

/** Returns the bytes of a message as a frame. */
function frameOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([0x0b, ...bytes, 0x1c, 0x0d]);
}

/**
 * Sends messages when they are due, each after the answer to the one before. Without an answer in `timeoutMs`, or if
 * the connection is lost, it connects again and repeats the message, three times in all. It ends early if the third
 * attempt finds no listener. `say` gets a line for each
 * answer that is no AA or CA.
 */
export async function sendMessages(
  messages: readonly PlannedMessage[],
  target: SendTarget,
  { splitBytes, repeats, breakEvery }: Faults,
  {
    clock,
    signal,
    say,
    timeoutMs,
  }: { clock: Clock; signal: AbortSignal; say: (line: string) => void; timeoutMs: number },
): Promise<SendTotals> {
  const totals: SendTotals = {
    sent: 0,
    answers: new Map(),
    unasked: 0,
    unanswered: 0,
    attempts: 0,
    broken: 0,
    otherAnswers: 0,
  };
  const startedAt = clock.now();
  let isReachable = true;
  let link: Link | null = null;

  const sendOnce = async (bytes: Uint8Array, before: Uint8Array | null): Promise<void> => {
    const parsed = parseMessage(bytes);
    const header = parsed.ok ? parsed.message.header : parsed.header;
    const isAnswered = isWanted(header, 'AA') || isWanted(header, 'CA');
    totals.sent += 1;
    for (let attempt = 0; attempt < attemptsInAll && !signal.aborted; attempt += 1) {
      totals.attempts += attempt === 0 ? 0 : 1;
      link ??= await openLink(target, splitBytes, clock, signal);
      isReachable = link !== null;
      if (link === null) {
        say(`${target.host}:${target.port}: no connection`);
        await clock.sleep(Math.min(1_000, timeoutMs), signal);
        continue;
      }
      if (before !== null && attempt === 0) {
        await link.write(before);
      }
      await link.write(frameOf(bytes));
      if (!isAnswered) {
        totals.unasked += 1;
        return;
      }
      for (;;) {
        const answer = await link.nextAnswer(timeoutMs, signal);
        if (answer === null) {
          break;
        }
        // What answers a broken frame names no message, or another.
        if (answer.controlId !== (header?.controlId ?? '')) {
          totals.otherAnswers += 1;
          continue;
        }
        totals.answers.set(answer.code, (totals.answers.get(answer.code) ?? 0) + 1);
        if (!answer.code.endsWith('A')) {
          say(`${answer.controlId}: ${answer.code} ${answer.text}`);
        }
        return;
      }
      link.close();
      link = null;
    }
    totals.unanswered += signal.aborted ? 0 : 1;
  };

  for (const [index, { bytes, dueMs }] of messages.entries()) {
    const waitMs = startedAt + dueMs - clock.now();
    if (waitMs > 0) {
      await clock.sleep(waitMs, signal);
    }
    if (signal.aborted || !isReachable) {
      break;
    }
    const isBroken = breakEvery !== null && (index + 1) % breakEvery === 0;
    totals.broken += isBroken ? 1 : 0;
    await sendOnce(bytes, isBroken ? frameOf(bytes).slice(0, 1 + Math.floor(bytes.length / 2)) : null);
    for (let repeat = 0; repeat < repeats && isReachable; repeat += 1) {
      await sendOnce(bytes, null);
    }
  }
  // TypeScript does not see that sendOnce assigned it.
  closeLink(link);
  return totals;
}

function closeLink(link: Link | null): void {
  link?.close();
}

/** Returns the lines at the end. */
export function sendSummary(totals: SendTotals): string[] {
  const answers = ackCodes.map((code) => `${code} ${totals.answers.get(code) ?? 0}`).join(', ');
  return [
    `Sent ${totals.sent}; sent again ${totals.attempts}; broken frames ${totals.broken}`,
    `  ${answers}`,
    `  no answer: ${totals.unanswered}; none wanted: ${totals.unasked}; to something else: ${totals.otherAnswers}`,
  ];
}

/** Returns whether each message was taken: with AA or CA, or without an answer where none was wanted. */
export function isAllTaken({ sent, answers, unasked }: SendTotals): boolean {
  return (answers.get('AA') ?? 0) + (answers.get('CA') ?? 0) + unasked === sent;
}
