import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ackCodes, isWanted, readAcknowledgement, type AckCode } from '../../lib/hl7/acknowledge';
import { createDeframer, maxMessageBytes, type Frame } from '../../lib/hl7/Deframer';
import { readHeader } from '../../lib/hl7/parseMessage';
import { toPlainLine } from '../../lib/plainText';
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
  /** What came back could not be read as an answer to the message. */
  notUnderstood: number;
  /** Sent again after a lost connection or a silence. */
  attempts: number;
  broken: number;
  /** Answers to a message before, or to a broken frame. */
  otherAnswers: number;
}

const attemptsInAll = 3;
const packetPauseMs = 1;
const reconnectPauseMs = 1_000;

type Faults = Pick<SendOptions, 'splitBytes' | 'repeats' | 'breakEvery'>;

interface Tools {
  /** Milliseconds by a clock that no one can set. */
  elapsed: () => number;
  sleep: Clock['sleep'];
  signal: AbortSignal;
  say: (line: string) => void;
  /** How long each attempt waits for its answer. */
  timeoutMs: number;
}

/** What came back. Without a code it is no answer, and `text` says what it is. */
interface Reply {
  code: AckCode | null;
  controlId: string;
  text: string;
}

const noAnswer = (text: string): Reply => ({ code: null, controlId: '', text });

/** Returns the replies in what has come; `bytesOutside` of it are in no frame yet. Bytes before a frame are none. */
function repliesIn(frames: readonly Frame[], bytesOutside: number): Reply[] {
  const replies = frames.flatMap((frame): Reply[] => {
    if (frame.kind === 'message') {
      return [readAcknowledgement(frame.bytes) ?? noAnswer('a message that is no answer')];
    }
    return frame.reason === 'bytes_outside' && !frame.hasEnd ? [] : [noAnswer('a broken frame')];
  });
  return bytesOutside === 0 ? replies : [...replies, noAnswer('bytes in no frame')];
}

/** Opens one connection, with what comes back by it. It never rejects. */
function createLink({ host, port, tls }: SendTarget, { elapsed, sleep, signal }: Tools) {
  const socket: Socket = tls === null ? connect({ host, port }) : connectTls({ host, port, ...tls });
  socket.setNoDelay(true);
  const deframer = createDeframer({ maxBytes: maxMessageBytes });
  const replies: Reply[] = [];
  const state = { isOpen: false, isOver: false };
  let wake = (): void => {};
  const change = (changed: Partial<typeof state>): void => {
    Object.assign(state, changed);
    wake();
  };
  signal.addEventListener('abort', () => wake(), { once: true });
  socket.on('error', () => change({ isOver: true }));
  socket.on('close', () => change({ isOver: true }));
  socket.on(tls === null ? 'connect' : 'secureConnect', () => change({ isOpen: true }));
  socket.on('data', (chunk: Buffer) => {
    const frames = deframer.push(chunk);
    // An answer ends with 0x1C, also where no 0x0D follows.
    frames.push(...(deframer.isEndUnsure ? deframer.push(Uint8Array.of(0x0d)) : []));
    replies.push(...repliesIn(frames, deframer.bytesOutside));
    wake();
  });
  /** Resolves with whether something is there before the connection is over, or the time `until` is reached. */
  const waitFor = async (isThere: () => boolean, until: number): Promise<boolean> => {
    while (!isThere() && !state.isOver && !signal.aborted && elapsed() < until) {
      const pause = new AbortController();
      wake = () => pause.abort();
      await sleep(until - elapsed(), pause.signal);
    }
    return isThere();
  };
  return { socket, state, replies, waitFor };
}

/** Returns the bytes of a message as a frame. */
function frameOf(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([0x0b, ...bytes, 0x1c, 0x0d]);
}

/**
 * Sends messages when they are due, each after the answer to the one before. Whatever comes back ends the wait for it,
 * also what cannot be read; only answers to a message before or to a broken frame do not. Without an answer in
 * `timeoutMs`, in which it connects as well, or if the connection is lost, it repeats the message, three times in all.
 * After that it ends early. `say` gets a line for each message that got no AA or CA.
 */
export async function sendMessages(
  messages: readonly PlannedMessage[],
  target: SendTarget,
  { splitBytes, repeats, breakEvery }: Faults,
  tools: Tools,
): Promise<SendTotals> {
  const { elapsed, sleep, signal, say, timeoutMs } = tools;
  const totals: SendTotals = {
    ...{ sent: 0, answers: new Map(), unasked: 0, unanswered: 0, notUnderstood: 0 },
    ...{ attempts: 0, broken: 0, otherAnswers: 0 },
  };
  const startedAt = elapsed();
  /** MSH-10 of all that was sent: what answers a message before may come late. */
  const sentIds = new Set<string>();
  let link: ReturnType<typeof createLink> | null = null;
  const close = (): void => {
    link?.socket.destroy();
    link = null;
  };

  /** Resolves with whether something came back, or nothing had to. */
  const tryOnce = async (bytes: Uint8Array, broken: Uint8Array): Promise<boolean> => {
    const { controlId, isAnswered } = headerOf(bytes);
    let endsAt = elapsed() + timeoutMs;
    const { socket, state, replies, waitFor } = (link ??= createLink(target, tools));
    if (!(await waitFor(() => state.isOpen, endsAt))) {
      close();
      say(`${target.host}:${target.port}: no connection`);
      await sleep(Math.max(0, Math.min(reconnectPauseMs, endsAt - elapsed())), signal);
      return false;
    }
    // What came before and is no answer cannot be the answer to this.
    replies.splice(0, Infinity, ...replies.filter(({ code }) => code !== null));
    const begunAt = elapsed();
    const all = Buffer.concat([broken, frameOf(bytes)]);
    const step = splitBytes ?? all.length;
    for (let from = 0; from < all.length && !state.isOver; from += step) {
      socket.write(all.subarray(from, from + step));
      if (splitBytes !== null) {
        await sleep(packetPauseMs, signal);
      }
    }
    endsAt += elapsed() - begunAt;
    if (!isAnswered) {
      totals.unasked += 1;
      return true;
    }
    let mayBeOfBroken = broken.length > 0;
    while (await waitFor(() => replies.length > 0, endsAt)) {
      const { code, controlId: answered, text } = replies.shift() ?? noAnswer('');
      // What answers a broken frame names no message, or another.
      if (answered !== controlId && (mayBeOfBroken || sentIds.has(answered))) {
        mayBeOfBroken = false;
        totals.otherAnswers += 1;
      } else if (code !== null && answered === controlId) {
        totals.answers.set(code, (totals.answers.get(code) ?? 0) + 1);
        if (!code.endsWith('A')) {
          say(toPlainLine(`${controlId}: ${code} ${text}`));
        }
        return true;
      } else {
        totals.notUnderstood += 1;
        const what = code === null ? text : `${code} to "${answered}"`;
        say(toPlainLine(`${controlId}: not an answer to it: ${what}`));
        // More of what is no answer may follow by it.
        close();
        return true;
      }
    }
    close();
    return false;
  };

  for (const [index, { bytes, dueMs }] of messages.entries()) {
    await sleep(Math.max(0, startedAt + dueMs - elapsed()), signal);
    for (let repeat = 0; repeat <= repeats && !signal.aborted; repeat += 1) {
      const isBroken = repeat === 0 && breakEvery !== null && (index + 1) % breakEvery === 0;
      totals.sent += 1;
      totals.broken += isBroken ? 1 : 0;
      let isDone = false;
      for (let attempt = 0; attempt < attemptsInAll && !isDone && !signal.aborted; attempt += 1) {
        totals.attempts += attempt === 0 ? 0 : 1;
        const half = isBroken && attempt === 0 ? 1 + Math.floor(bytes.length / 2) : 0;
        isDone = await tryOnce(bytes, frameOf(bytes).subarray(0, half));
      }
      const { controlId } = headerOf(bytes);
      sentIds.add(controlId);
      if (!isDone && !signal.aborted) {
        totals.unanswered += 1;
        say(toPlainLine(`${controlId}: no answer`));
        return totals;
      }
    }
  }
  close();
  return totals;
}

/** Returns MSH-10 of a message, and whether it wants an answer. */
function headerOf(bytes: Uint8Array): { controlId: string; isAnswered: boolean } {
  const header = readHeader(bytes);
  return { controlId: header?.controlId ?? '', isAnswered: isWanted(header, 'AA') || isWanted(header, 'CA') };
}

/** Returns the lines at the end. */
export function sendSummary(totals: SendTotals): string[] {
  const answers = ackCodes.map((code) => `${code} ${totals.answers.get(code) ?? 0}`).join(', ');
  return [
    `Sent ${totals.sent}; sent again ${totals.attempts}; broken frames ${totals.broken}`,
    `  ${answers}`,
    `  no answer: ${totals.unanswered}; not understood: ${totals.notUnderstood}`,
    `  no answer wanted: ${totals.unasked}; answers to something else: ${totals.otherAnswers}`,
  ];
}

/** Returns whether each message was taken: with AA or CA, or without an answer where none was wanted. */
export function isAllTaken({ sent, answers, unasked }: SendTotals): boolean {
  return (answers.get('AA') ?? 0) + (answers.get('CA') ?? 0) + unasked === sent;
}
