import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseInstant } from '../../lib/time/parseInstant';
import type { App, Server } from '../server';
import { isInCharge } from '../assignments/queries';
import type { PatientRow } from '../db/rows';
import { createTurns } from '../db/turns';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { presentPatient } from '../patients/queries';
import { requirePatient } from '../patients/requirePatient';
import { writerOf } from '../patients/writerOf';
import { chartWindow } from './chartWindow';
import { addReadings } from './manualReadings';
import { readVitals } from './queries';
import { readSparks } from './sparks';
import { listTypedSets, withdrawTyped } from './withdrawals';

/** A patient's vitals in a window of time, the last hour of a list of patients, and readings that people type in. */
export function vitalsRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, recorder, rollups, now, env, auditView } = server;
  const inTurn = createTurns(store.engine);

  // Serialised without a second check of the schema, as below: a thousand texts.
  on(
    app,
    'listSparks',
    async (request) => {
      const scope = requireScope(request, 'readPatients', now());
      const patientIds = request.query.ids.filter((id) => liveState.patientInScope(id, scope) !== null);
      const [first, ...others] = patientIds;
      const isOne = first !== undefined && others.length === 0;
      await auditView(request, { action: 'read_sparks', ...(isOne ? { patientId: first } : { patientIds }) });
      return readSparks(rollups, patientIds, now());
    },
    { onSend: compress, serializerCompiler: () => JSON.stringify },
  );

  on(app, 'addReadings', async (request) => {
    const writer = writerOf(server, request, 'recordObservations');
    const row = await addReadings(writer, recorder, request.params.id, request.body);
    await alerts.scored(row.id);
    return presentPatient(liveState, row, now());
  });

  /** Returns whether the caller may withdraw what others typed in for a patient (clinical.md section 00, A5). */
  const isOverAll = (request: FastifyRequest, { unit_id }: PatientRow): boolean => {
    const { user } = sessionOf(request);
    return user.type === 'ward_lead' || isInCharge(liveState, user, unit_id, now());
  };

  on(app, 'listTypedSets', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'recordObservations', now()));
    await auditView(request, { action: 'read_vitals', patientId: patient.id });
    const author = isOverAll(request, patient) ? null : sessionOf(request).user.id;
    return await listTypedSets({ store }, patient, author, now());
  });

  on(app, 'withdrawReadings', async (request) => {
    const writer = writerOf(server, request, 'recordObservations');
    const patient = requirePatient(liveState, request.params.id, writer.scope);
    const { userId, takenAt, reason } = request.body;
    const mayWithdraw = userId === writer.user.id || isOverAll(request, patient);
    const set = { userId, takenAt: parseInstant(takenAt) ?? writer.now, reason, mayWithdraw };
    await withdrawTyped(writer, patient, set);
  });

  // The response is built field by field and has a few thousand points: checking it again would take longer than
  // reading it.
  on(
    app,
    'getVitals',
    async (request) => {
      const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
      const { kind, points } = request.query;
      const { from, to } = chartWindow(request.query, now());
      await auditView(request, { action: 'read_vitals', patientId: patient.id });
      return await readVitals(
        store,
        inTurn,
        rollups,
        { patientId: patient.id, kinds: kind, from: Math.max(0, from), to, points },
        now(),
        env.rawDays,
      );
    },
    { onSend: compress, serializerCompiler: () => JSON.stringify },
  );
}

const compressAsync = promisify(gzip);

/** Compresses a response: a thousand points shrink to a tenth. Zlib's threads do it, not the one that ingests. */
async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (
    typeof payload !== 'string' ||
    payload.length < 2_048 ||
    !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  ) {
    return payload;
  }
  void reply.header('Content-Encoding', 'gzip').header('Vary', 'Accept-Encoding').removeHeader('Content-Length');
  return await compressAsync(payload, { level: 1 });
}
