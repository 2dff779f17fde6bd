import { randomInt } from 'node:crypto';
import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import { HttpError } from '../http/httpError';

/** 5,000 samples of 400 bytes (security.md H3). */
export const bodyLimit = 2 * 1_048_576;

/** The calls of devices that have no response yet, with their bodies. */
export const openLimits = {
  /** Of one device; a gateway needs a few. */
  callsOfDevice: 64,
  bytesOfDevice: 16 * 1_048_576,
  bytes: 64 * 1_048_576,
  /** Longer bodies than this are mostly a back-fill, and leave room for the others. */
  longBody: 65_536,
  bytesOfLongBodies: 48 * 1_048_576,
};

export interface CallLimits {
  /**
   * Counts the calls, and refuses one before its body is read: with 429 while the open bodies of its device are too
   * long together, with 503 while those of all are.
   */
  preParsing: preParsingHookHandler;
  /**
   * Throws 429 while many calls of this one's device are open: it must not take the thread from all others. Once the
   * body is read: clients close a connection on which the response came earlier, and new ones cost more than a body.
   */
  refuseTooMany(request: FastifyRequest): void;
}

/** Creates the limits for the calls of devices that are open at a time. */
export function limitCalls(retryAfter: () => number = () => randomInt(1, 6)): CallLimits {
  const open = new Map<number, { calls: number; bytes: number }>();
  const all = { bytes: 0, long: 0 };
  const forget = (deviceId: number, bytes: number): void => {
    all.bytes -= bytes;
    all.long -= bytes > openLimits.longBody ? bytes : 0;
    const own = open.get(deviceId);
    if (own !== undefined && own.calls > 1) {
      open.set(deviceId, { calls: own.calls - 1, bytes: own.bytes - bytes });
    } else {
      open.delete(deviceId);
    }
  };
  const tooMany = (): HttpError => {
    const message = `At most ${openLimits.callsOfDevice} calls and 16 MiB of a device at a time.`;
    return new HttpError(429, 'too_many_calls', message, { retryAfter: retryAfter() });
  };
  return {
    preParsing: (request, reply, _payload, done) => {
      const deviceId = request.device?.id ?? 0;
      const bytes = Number(request.headers['content-length'] ?? bodyLimit);
      const long = bytes > openLimits.longBody ? bytes : 0;
      const own = open.get(deviceId) ?? { calls: 0, bytes: 0 };
      if (reply.raw.destroyed) {
        // Its client has gone, and it closes no more.
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
      open.set(deviceId, { calls: own.calls + 1, bytes: own.bytes + bytes });
      all.bytes += bytes;
      all.long += long;
      // Also if its client goes away before: `onResponse` is not called then.
      reply.raw.once('close', () => {
        forget(deviceId, bytes);
      });
      done();
    },
    refuseTooMany: ({ device }) => {
      if ((open.get(device?.id ?? 0)?.calls ?? 0) > openLimits.callsOfDevice) {
        throw tooMany();
      }
    },
  };
}
