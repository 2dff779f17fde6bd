import { randomInt } from 'node:crypto';
import type { FastifyRequest, RouteShorthandOptions } from 'fastify';
import { readBattery } from '../../lib/devices/readBattery';
import { maxSamplesPerCall } from '../../lib/vitals/schema';
import type { App, Server } from '../server';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';

/** 5,000 samples of 400 bytes (security.md H3). */
const bodyLimit = 2 * 1_048_576;

/** Calls of one device that are read at a time. A gateway needs a few. */
const callsAtOnce = 64;

/**
 * Returns hooks that refuse a device's further calls with 429 while many of it are read, before a body costs anything:
 * one device with hundreds of connections must not take the thread from all others.
 */
function limitCalls(): Pick<RouteShorthandOptions, 'preParsing' | 'onResponse'> {
  const open = new Map<number, number>();
  const counted = new WeakMap<FastifyRequest, number>();
  return {
    preParsing: (request, _reply, _payload, done) => {
      const id = request.device?.id ?? 0;
      const count = open.get(id) ?? 0;
      if (count >= callsAtOnce) {
        const message = `At most ${callsAtOnce} calls of a device at a time.`;
        done(new HttpError(429, 'too_many_calls', message, { retryAfter: randomInt(1, 6) }));
        return;
      }
      open.set(id, count + 1);
      counted.set(request, id);
      done();
    },
    onResponse: (request, _reply, done) => {
      const id = counted.get(request);
      const count = id === undefined ? undefined : open.get(id);
      if (id !== undefined && count !== undefined) {
        if (count > 1) {
          open.set(id, count - 1);
        } else {
          open.delete(id);
        }
      }
      done();
    },
  };
}

/** The call of devices. The response is sent after the commit. */
export function ingestRoutes(app: App, { recorder, metrics, now }: Server): void {
  on(
    app,
    'ingestVitals',
    async (request) => {
      const { device, body } = request;
      if (device === null) {
        throw new HttpError(401, 'device_refused', 'Send the device token as "Authorization: Bearer ...".');
      }
      if (body.samples.length > maxSamplesPerCall) {
        throw new HttpError(413, 'too_many_samples', `samples: at most ${maxSamplesPerCall} go into one call`, {
          fields: { samples: `holds more than ${maxSamplesPerCall}` },
        });
      }
      const { battery, fault } = readBattery(body.battery);
      const response = await recorder.record({
        deviceId: device.id,
        siteId: device.siteId,
        receivedAt: now(),
        sentAt: body.sentAt,
        battery,
        samples: body.samples,
        connection: {
          bytes: Number(request.headers['content-length'] ?? bodyLimit),
          isGone: () => request.raw.socket.destroyed,
        },
      });
      metrics.samples.inc({ outcome: 'accepted' }, response.accepted);
      metrics.samples.inc({ outcome: 'duplicate' }, response.duplicates);
      metrics.samples.inc({ outcome: 'rejected' }, response.rejected.length);
      return fault === undefined ? response : { ...response, batteryFault: fault };
    },
    { bodyLimit, ...limitCalls() },
  );
}
