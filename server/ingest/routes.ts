import { readBattery } from '../../lib/devices/readBattery';
import { maxSamplesPerCall } from '../../lib/vitals/schema';
import type { App, Server } from '../server';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';

/** 5,000 samples of 400 bytes (security.md H3). */
const bodyLimit = 2 * 1_048_576;

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
    { bodyLimit },
  );
}
