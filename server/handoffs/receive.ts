import type { Kysely } from 'kysely';
import { handOver } from '../../lib/alerts/actions';
import { canHold } from '../../lib/assignments/canHold';
import { holders } from '../../lib/assignments/holders';
import type { Alerts } from '../alerts/alerts';
import { writeAssignment } from '../assignments/commands';
import { shiftOf } from '../assignments/shiftOf';
import { auditDone } from '../audit';
import { hold } from '../db/hold';
import type { Database } from '../db/schema';
import type { PatientRow, UnitRow } from '../db/rows';
import { requireAuthor, requireVersion } from '../notes/documents';
import { requireActivePatient } from '../patients/requirePatient';
import {
  auditHandoff,
  changeHandoff,
  findHandoff,
  holdHandoff,
  type HandoffRow,
  type HandoffWriter,
} from './findHandoff';
import { requireGivenByOther } from './give';

/** The nurse's place that the receiver takes. */
interface Place {
  unit: UnitRow;
  shiftStart: number;
  /** Who has it now. */
  before: number | null;
}

/**
 * Receives a handoff with a read-back. In the same transaction the receiver becomes the patient's nurse, if they can be
 * a nurse there, and the owner of the open alerts that the giver or the nurse before had (clinical.md section 0, E6);
 * what was received before is superseded. Receiving it again, after a lost response, resolves with it. Rejects with
 * 404, 409 `handoff_changed`, `handoff_received` and the like, and 409 `own_handoff` for the giver.
 */
export async function receiveHandoff(
  writer: HandoffWriter,
  alerts: Alerts,
  { id, version, readBack }: { id: number; version: number; readBack: string },
): Promise<HandoffRow> {
  const { store, liveState, now, user, scope } = writer;
  const known = await findHandoff(writer, store.db, id);
  requireAuthor(writer, writer.authorId);
  if (isRepeated(writer, known, version)) {
    return known;
  }
  requireGivenByOther(writer, known);
  await requireVersion(writer, store.db, 'handoff', known, version);
  const patient = requireActivePatient(liveState, known.patient_id, scope);
  const place = placeOf(writer, patient);

  let received: HandoffRow | null = null;
  let assigned: number | null = null;
  const write = async (transaction: Kysely<Database>): Promise<void> => {
    const row = await holdHandoff(writer, transaction, id);
    requireGivenByOther(writer, row);
    await requireVersion(writer, transaction, 'handoff', row, version);
    await transaction
      .updateTable('handoffs')
      .set((before) => ({ state: 'superseded', version: before('version', '+', 1), changed_at: now }))
      .where('patient_id', '=', row.patient_id)
      .where('state', 'in', ['given', 'returned', 'received'])
      .where('id', '!=', id)
      .execute();
    received = await changeHandoff(writer, transaction, row, {
      state: 'received',
      received_by: user.id,
      received_at: now,
      read_back: readBack,
    });
    if (place !== null && place.before !== user.id) {
      assigned = await assign(writer, transaction, patient.id, place);
    }
    await auditHandoff(writer, transaction, 'receive_handoff', received);
  };

  const from = new Set([known.giver_id, place?.before ?? null].filter((each) => each !== null));
  const to = { to: user.id, unitId: liveState.unitOf(patient)?.id ?? null };
  const open = alerts.listOpen(patient.site_id).filter(({ patientId }) => patientId === patient.id);
  await alerts.handle(
    open.map((record) => ({ id: record.id, action: (alert, at) => handOver(alert, from, to, at) })),
    async (transaction, done) => {
      await write(transaction);
      for (const each of done) {
        await auditDone(transaction, now, writer.actor, 'accept_alert', ['alert', each.id]);
      }
    },
  );
  // No alert changed owner, so there was no transaction.
  if (received === null) {
    await store.db.transaction().execute(write);
  }
  if (place !== null && assigned !== null) {
    const { unit, shiftStart } = place;
    const assignment = {
      role: 'nurse',
      patientId: patient.id,
      shiftStart,
      userId: user.id,
      version: assigned,
    } as const;
    liveState.putAssignment(unit, assignment, now);
  }
  return await findHandoff(writer, store.db, id);
}

function isRepeated({ user }: HandoffWriter, row: HandoffRow, version: number): boolean {
  return row.state === 'received' && row.received_by === user.id && row.version === version + 1;
}

/** Returns the nurse's place of a patient in the present shift; null if the receiver cannot have it. */
function placeOf({ liveState, user, now }: HandoffWriter, patient: PatientRow): Place | null {
  const unit = liveState.unitOf(patient);
  if (unit === null || !canHold('nurse', user, unit.id)) {
    return null;
  }
  const { start: shiftStart } = shiftOf(user.site, 'current', now);
  const held = holders(liveState.assignmentsOf(unit.id), shiftStart);
  const before = held.find(({ role, patientId }) => role === 'nurse' && patientId === patient.id)?.userId ?? null;
  return { unit, shiftStart, before };
}

async function assign(
  { user, now, actor }: HandoffWriter,
  transaction: Kysely<Database>,
  patientId: number,
  { unit, shiftStart }: Place,
): Promise<number> {
  await hold(transaction, 'units', unit.id);
  const to = { unit, role: 'nurse', patientId, userId: user.id, shiftStart, now, by: user.id } as const;
  const version = await writeAssignment(transaction, to);
  await auditDone(transaction, now, actor, 'assign', ['patient', patientId], {
    role: 'nurse',
    unitId: unit.id,
    shiftStart,
    userId: user.id,
  });
  return version;
}
