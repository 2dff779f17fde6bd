import type { FastifyRequest } from 'fastify';
import { readBattery } from '../../lib/devices/readBattery';
import type { EpochMs } from '../../lib/time/epochMs';
import { maxSamplesPerCall, type IngestResponse } from '../../lib/vitals/schema';
import type { App, Server } from '../server';
import type { Connections } from '../http/connections';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import { parseJson, textOf } from '../http/parseJson';
import { createBodyTurns } from './bodyTurns';
import { isOfPatient } from './checkSample';
import { bodyLimit, limitCalls, openLimits } from './limitCalls';

/** So many characters hold some dozens of samples. */
const beginning = 4_096;

/** Answers alike for a patient who is another's, of another site, discharged or not known: a token learns of none. */
function sameForAll(rejection: IngestResponse['rejected'][number]): IngestResponse['rejected'][number] {
  return isOfPatient(rejection.code)
    ? { index: rejection.index, code: 'unknown_patient', message: 'this device sends for no such patient at that time' }
    : rejection;
}

/** The call of devices. The response is sent after the commit. */
export async function ingestRoutes(
  app: App,
  { recorder, liveState, metrics, now, elapsed }: Server,
  connections: Pick<Connections, 'letIn'>,
): Promise<void> {
  const inTurn = createBodyTurns(connections.letIn);
  const limits = limitCalls();
  /** When the body of a call had arrived, by `elapsed`. */
  const arrivedAt = new WeakMap<FastifyRequest, number>();
  /** Its wait for a turn makes no value younger, and no device's clock slow. */
  const receivedAt = (request: FastifyRequest): EpochMs =>
    Math.round(now() - (elapsed() - (arrivedAt.get(request) ?? elapsed())));
  /** Not while the body is read: Fastify closes the connection of a client whose body is refused then. */
  const parseBody = async (request: FastifyRequest): Promise<void> => {
    arrivedAt.set(request, elapsed());
    const { device, body } = request;
    limits.bodyRead(request, Buffer.isBuffer(body) ? body.length : 0);
    if (!Buffer.isBuffer(body)) {
      return;
    }
    const text = textOf(body);
    // A gateway of many patients sends long bodies of live values, and waits behind no back-fill.
    const isLong =
      text.length > openLimits.longBody &&
      (device === null || recorder.beginsLate(device.id, receivedAt(request), text.slice(0, beginning)));
    request.body = await inTurn({ deviceId: device?.id ?? 0, isLong }, () => {
      if (device !== null) {
        recorder.refuseUnparsed(device.id, receivedAt(request), text);
      }
      return parseJson(text);
    });
  };
  await app.register((scope, _options, registered) => {
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    on(
      scope,
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
        liveState.replaying[body.isRecording === true ? 'add' : 'delete'](device.id);
        const response = await recorder.record({
          deviceId: device.id,
          siteId: device.siteId,
          token: device.row,
          receivedAt: receivedAt(request),
          sentAt: body.sentAt,
          battery,
          samples: body.samples,
          connection: { isGone: () => request.raw.socket.destroyed },
        });
        metrics.samples.inc({ outcome: 'accepted' }, response.accepted);
        metrics.samples.inc({ outcome: 'duplicate' }, response.duplicates);
        metrics.samples.inc({ outcome: 'rejected' }, response.rejected.length);
        const rejected = response.rejected.map(sameForAll);
        return { ...response, rejected, ...(fault === undefined ? {} : { batteryFault: fault }) };
      },
      { bodyLimit, preParsing: limits.preParsing, preValidation: parseBody, onSend: limits.onSend },
    );
    registered();
  });
}
