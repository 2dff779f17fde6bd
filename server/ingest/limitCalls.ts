import { randomInt } from 'node:crypto';
import type { FastifyRequest, RouteShorthandOptions } from 'fastify';
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
   * Count the calls, and refuse one before its body is read: with 429 while the open bodies of its device are too long
   * together, with 503 while those of all are.
   */
  hooks: Pick<RouteShorthandOptions, 'preParsing' | 'onResponse'>;
  /**
   * Throws 429 while many calls of this one's device are open: it must not take the thread from all others. Once the
   * body is read: clients close a connection on which the response came earlier, and new ones cost more than a body.
   */
  refuseTooMany(request: FastifyRequest): void;
}

/** Creates the limits for the calls of devices that are open at a time. */
export function limitCalls(retryAfter: () => number = () => randomInt(1, 6)): CallLimits {
  const open = new Map<number, { calls: number; bytes: number }>();
  const counted = new WeakMap<FastifyRequest, { deviceId: number; bytes: number }>();
  const all = { bytes: 0, long: 0 };
  const tooMany = (): HttpError => {
    const message = `At most ${openLimits.callsOfDevice} calls and 16 MiB of a device at a time.`;
    return new HttpError(429, 'too_many_calls', message, { retryAfter: retryAfter() });
  };
  return {
    hooks: {
      preParsing: (request, _reply, _payload, done) => {
        const deviceId = request.device?.id ?? 0;
        const bytes = Number(request.headers['content-length'] ?? bodyLimit);
        const long = bytes > openLimits.longBody ? bytes : 0;
        const own = open.get(deviceId) ?? { calls: 0, bytes: 0 };
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
        counted.set(request, { deviceId, bytes });
        done();
      },
      onResponse: (request, _reply, done) => {
        const call = counted.get(request);
        const own = call === undefined ? undefined : open.get(call.deviceId);
        if (call !== undefined && own !== undefined) {
          counted.delete(request);
          all.bytes -= call.bytes;
          all.long -= call.bytes > openLimits.longBody ? call.bytes : 0;
          if (own.calls > 1) {
            open.set(call.deviceId, { calls: own.calls - 1, bytes: own.bytes - call.bytes });
          } else {
            open.delete(call.deviceId);
          }
        }
        done();
      },
    },
    refuseTooMany: ({ device }) => {
      if ((open.get(device?.id ?? 0)?.calls ?? 0) > openLimits.callsOfDevice) {
        throw tooMany();
      }
    },
  };
}
