import type { Kysely } from 'kysely';
import {
  adjustableRules,
  defaultBounds,
  type LimitBounds,
  type LimitValues,
  type PatientLimits,
} from '../../lib/alerts/limits';
import { limitValues } from '../../lib/alerts/limitsSchema';
import type { ComfortCare, Standby } from '../../lib/alerts/pauses';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import { readOpenPauses } from './openPauses';

/** What the rules have to know of a patient beside values. */
export interface Holding {
  /** The patient's own limits over those of the site, for each side separately. */
  limits: PatientLimits;
  /** The patient's own limits alone. */
  ownLimits: PatientLimits;
  bounds: LimitBounds;
  /** Pauses that were not ended; lib/alerts/pauses says whether they still run. */
  standby: Standby | null;
  comfortCare: ComfortCare | null;
  /** The time zone of the site, by which the age counts. */
  timeZone: string;
}

type Subject = Pick<PatientRow, 'id' | 'site_id' | 'spo2_scale'>;

/**
 * Resolves with the settings of these patients, by id. For more than one patient whole tables are read, as at start.
 */
export async function readHolding(db: Kysely<Database>, patients: readonly Subject[]): Promise<Map<number, Holding>> {
  const [only, ...others] = patients;
  if (only === undefined) {
    return new Map();
  }
  const one = others.length === 0 ? only : null;
  const limits = await readLimits(db, one);
  const sites = await db.selectFrom('sites').select(['id', 'time_zone']).execute();
  const zones = new Map(sites.map(({ id, time_zone }) => [id, time_zone]));
  const { standbys, comfortCares } = await readOpenPauses(db, one?.id ?? null);
  return new Map(
    patients.map((patient) => [
      patient.id,
      {
        ...limits(patient),
        bounds: defaultBounds,
        standby: standbys.get(patient.id) ?? null,
        comfortCare: comfortCares.get(patient.id) ?? null,
        timeZone: zones.get(patient.site_id) ?? 'UTC',
      },
    ]),
  );
}

interface LimitRow {
  rule: string;
  scale: Subject['spo2_scale'] | null;
  limit_values: string;
}

/** Reads the limits of one patient, or of all, and resolves with a function that returns a patient's limits. */
async function readLimits(
  db: Kysely<Database>,
  one: Subject | null,
): Promise<(patient: Subject) => Pick<Holding, 'limits' | 'ownLimits'>> {
  const ids = db
    .selectFrom('alert_limits')
    .select((select) => select.fn.max('id').as('newest'))
    .groupBy(['site_id', 'patient_id', 'rule', 'scale']);
  const ofOne = (patient: Subject) =>
    ids
      .where('site_id', '=', patient.site_id)
      .where((where) => where.or([where('patient_id', 'is', null), where('patient_id', '=', patient.id)]));
  const rows = await db
    .selectFrom('alert_limits')
    .select(['site_id', 'patient_id', 'rule', 'scale', 'limit_values'])
    .where('id', 'in', one === null ? ids : ofOne(one))
    .orderBy('id', 'desc')
    .execute();
  const bySubject = new Map<string, LimitRow[]>();
  for (const row of rows) {
    const key = subjectKey(row.site_id, row.patient_id);
    bySubject.set(key, [...(bySubject.get(key) ?? []), row]);
  }
  return (patient) => {
    const own = bySubject.get(subjectKey(patient.site_id, patient.id)) ?? [];
    const ofSite = bySubject.get(subjectKey(patient.site_id, null)) ?? [];
    const limits: PatientLimits = {};
    const ownLimits: PatientLimits = {};
    for (const rule of adjustableRules) {
      const ofPatient = newestOf(own, rule, patient.spo2_scale);
      const values = { ...newestOf(ofSite, rule, patient.spo2_scale), ...ofPatient };
      if (Object.keys(values).length > 0) {
        limits[rule] = values;
      }
      if (Object.keys(ofPatient).length > 0) {
        ownLimits[rule] = ofPatient;
      }
    }
    return { limits, ownLimits };
  };
}

const subjectKey = (siteId: number, patientId: number | null): string => `${siteId} ${patientId ?? 'all'}`;

/** Returns the newest limits of a rule on this scale; `rows` come newest first. */
function newestOf(rows: readonly LimitRow[], rule: string, onScale: Subject['spo2_scale']): LimitValues {
  const newest = rows.find((row) => row.rule === rule && (row.scale === null || row.scale === onScale));
  return newest === undefined ? {} : limitValues.parse(JSON.parse(newest.limit_values));
}
