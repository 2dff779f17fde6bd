import { randomInt } from 'node:crypto';
import type { FastifyRequest, onSendHookHandler, preParsingHookHandler } from 'fastify';
import { HttpError } from '../http/httpError';
import { createReadTurns } from './readTurns';

/** 5,000 samples of 400 bytes (security.md H3). */
export const bodyLimit = 2 * 1_048_576;

/** The calls of devices that have no response yet, with their bodies. */
export const openLimits = {
  /** Of one device; a gateway needs a few. */
  callsOfDevice: 64,
  bytesOfDevice: 16 * 1_048_576,
  bytes: 64 * 1_048_576,
  /**
   * Longer bodies than this are mostly a back-fill, and leave room for the others: a second of 500 patients is shorter.
   */
  longBody: 131_072,
  bytesOfLongBodies: 48 * 1_048_576,
  longBodiesRead: 4,
  /** So long a long body keeps others waiting to be read, in milliseconds. */
  longBodyMs: 100,
};

export interface CallLimits {
  /**
   * Counts the calls, and refuses one before its body is read: with 429 while the open bodies of its device are too
   * long together, with 503 while those of all are. A long body waits for its turn to be read.
   */
  preParsing: preParsingHookHandler;
  /**
   * Takes the length of a body once it is read: without a Content-Length it has counted for the longest that there is.
   * Throws 429 for a call that came while many of its device were open: it must not take the thread from all others.
   * Not earlier: clients close a connection on which the response came before, and new ones cost more than a body.
   */
  bodyRead(request: FastifyRequest, length: number): void;
  /**
   * Forgets a call when its work is over, whether or not its client waits for the response: until then its body is
   * kept. Neither `onResponse` nor the response's close comes for a response that waits behind another one on a
   * connection that breaks.
   */
  onSend: onSendHookHandler;
}

interface Call {
  deviceId: number;
  bytes: number;
  isTooMany: boolean;
  endReading: () => void;
}

/** Creates the limits for the calls of devices that are open at a time. */
export function limitCalls(retryAfter: () => number = () => randomInt(1, 6)): CallLimits {
  const calls = new WeakMap<FastifyRequest, Call>();
  const open = new Map<number, { calls: number; bytes: number }>();
  const toRead = createReadTurns(openLimits.longBodiesRead, openLimits.longBodyMs);
  const all = { bytes: 0, long: 0 };
  const longOf = (bytes: number): number => (bytes > openLimits.longBody ? bytes : 0);
  /** Counts a call, or takes it off again (-1). */
  const count = ({ deviceId, bytes, isTooMany }: Call, times: 1 | -1): void => {
    all.bytes += times * bytes;
    all.long += times * longOf(bytes);
    const own = open.get(deviceId) ?? { calls: 0, bytes: 0 };
    const next = { calls: own.calls + (isTooMany ? 0 : times), bytes: own.bytes + times * bytes };
    if (next.calls === 0 && next.bytes === 0) {
      open.delete(deviceId);
    } else {
      open.set(deviceId, next);
    }
  };
  const forget = (request: FastifyRequest): void => {
    const call = calls.get(request);
    if (call !== undefined) {
      calls.delete(request);
      call.endReading();
      count(call, -1);
    }
  };
  const tooMany = (): HttpError => {
    const message = `At most ${openLimits.callsOfDevice} calls and 16 MiB of a device at a time.`;
    return new HttpError(429, 'too_many_calls', message, { retryAfter: retryAfter() });
  };
  return {
    preParsing: (request, _reply, _payload, done) => {
      const deviceId = request.device?.id ?? 0;
      // What is longer is refused with 413, unread.
      const bytes = Math.min(Number(request.headers['content-length'] ?? bodyLimit), bodyLimit);
      const long = longOf(bytes);
      const own = open.get(deviceId) ?? { calls: 0, bytes: 0 };
      if (hasGone(request)) {
        // Its client has gone: it may get no further.
        done();
        return;
      }
      if (own.bytes + bytes > openLimits.bytesOfDevice) {
        done(tooMany());
        return;
      }
      if (all.bytes + bytes > openLimits.bytes || (long > 0 && all.long + long > openLimits.bytesOfLongBodies)) {
        const message = 'More arrives than can be stored at this moment. Send it again.';
        done(new HttpError(503, 'busy', message, { retryAfter: retryAfter() }));
        return;
      }
      const isTooMany = own.calls >= openLimits.callsOfDevice;
      const call: Call = { deviceId, bytes, isTooMany, endReading: () => undefined };
      calls.set(request, call);
      count(call, 1);
      if (long === 0) {
        done();
        return;
      }
      call.endReading = toRead(() => {
        if (hasGone(request)) {
          forget(request);
        }
        done();
      });
    },
    bodyRead: (request, length) => {
      const call = calls.get(request);
      if (call === undefined) {
        return;
      }
      call.endReading();
      count(call, -1);
      const read = { ...call, bytes: length };
      calls.set(request, read);
      count(read, 1);
      if (call.isTooMany) {
        throw tooMany();
      }
    },
    onSend: (request, _reply, payload, done) => {
      forget(request);
      done(null, payload);
    },
  };
}

function hasGone({ raw }: FastifyRequest): boolean {
  return raw.destroyed || raw.socket.destroyed;
}
