import { releaseResult, type HeldValues } from '../../lib/heldValues/schema';
import { readJson } from '../../lib/readJson';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import { actorOf } from '../audit/actor';
import type { BedReleaseRow, PatientRow } from '../db/rows';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { requireActivePatient, requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { readNames } from '../users/readNames';
import { releaseValues, takeBackRelease } from './commands';
import { readHeld } from './readHeld';

/** Values of a patient's bed that are held because the patient of the bed has just changed, and their release. */
export function heldValuesRoutes(app: App, server: Server): void {
  const { store, liveState, hl7Replay, auditView, now } = server;
  const present = async (patient: PatientRow): Promise<{ patientId: number; items: HeldValues[] }> => {
    const moves = await readHeld(server, patient);
    const nameOf = await readNames(
      store.db,
      moves.flatMap(({ release }) => release?.released_by ?? []),
    );
    const presentRelease = (row: BedReleaseRow): NonNullable<HeldValues['release']> => ({
      ...{ id: row.id, by: nameOf(row.released_by), releasedAt: toInstant(row.released_at), at: toInstant(row.at) },
      read:
        (row.result === null ? null : readJson(releaseResult, row.result)) ??
        (hl7Replay.isKeyMissing() ? 'key_missing' : 'reading'),
    });
    return {
      patientId: patient.id,
      items: moves.map(({ stay, change, unitId, bed, first, last, release }) => ({
        ...{ unit: liveState.unitNameOf({ unit_id: unitId }) ?? '', bed, change },
        stay: { from: instantOrNull(stay.from), until: instantOrNull(stay.until) },
        ...{ first: toInstant(first), last: toInstant(last) },
        release: release === null ? null : presentRelease(release),
      })),
    };
  };

  on(app, 'listHeldValues', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'readPatients', now()));
    await auditView(request, { action: 'read_patient', patientId: patient.id });
    return await present(patient);
  });
  on(app, 'releaseValues', async (request) => {
    const patient = requireActivePatient(liveState, request.params.id, requireScope(request, 'writePatients', now()));
    await releaseValues(server, actorOf(request), sessionOf(request).user.id, patient, request.body);
    return await present(patient);
  });
  on(app, 'takeBackRelease', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'writePatients', now()));
    await takeBackRelease(server, actorOf(request), sessionOf(request).user.id, patient, request.body.release);
    return await present(patient);
  });
}
