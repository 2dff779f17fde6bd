import { system } from '../audit/actor';
import type { PatientRow } from '../db/rows';
import type { Writer } from '../patients/writerOf';
import type { Server } from '../server';
import { requireUser } from '../session/users';

/** A clinician of the demo ward. */
export type Who = 'nurse' | 'physician' | 'ward_lead';

/** The people and patients of the demo ward. */
interface Ward {
  writerOf: (who: Who) => Promise<Writer>;
  patientOf: (number: number) => PatientRow;
}

/** Returns the people and patients of a demo ward, as those who write about them need them. */
export function wardOf(server: Server, siteId: number): Ward {
  const { store, liveState, now } = server;
  return {
    writerOf: async (who) => {
      const { id } = await store.db
        .selectFrom('users')
        .select('id')
        .where('site_id', '=', siteId)
        .where('type', '=', who)
        .orderBy('id')
        .executeTakeFirstOrThrow();
      const at = now();
      const user = await requireUser(store.db, at, id);
      return { store, liveState, now: at, actor: { ...system, siteId }, user, scope: { siteId, unitIds: null } };
    },
    patientOf: (number) => {
      const patient = liveState.patientByMrn(`DEMO-${String(number).padStart(3, '0')}`, siteId);
      if (patient === null) {
        throw new Error('The demo ward misses a patient of its cast');
      }
      return patient;
    },
  };
}
