import type { Kysely } from 'kysely';
import { adjustableRules, type AdjustableRule, type LimitValues, type PatientLimits } from '../../lib/alerts/limits';
import type { StayKind } from '../../lib/chart/sections';
import { takenBackWithinMs } from '../../lib/alerts/technicalRules';
import { limitValues } from '../../lib/alerts/limitsSchema';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import type { ComfortCare, Standby } from '../../lib/alerts/pauses';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import type { AlertFaults } from './alertFaults';
import { noCheckIn, readCheckIns, type CheckInFacts } from './checkInFacts';
import { readOpenPauses } from './openPauses';

/** What the rules have to know of a patient beside values. */
export interface Holding {
  /** The patient's own limits over those of the site, for each side separately. */
  limits: PatientLimits;
  /** Who set the newest limits of a rule, the patient's own or the site's: who moved what holds, or took it back. */
  limitsBy?: Partial<Record<AdjustableRule, number>>;
  /** The patient's own limits alone. */
  ownLimits: PatientLimits;
  /** Pauses that were not ended; lib/alerts/pauses says whether they still run. */
  standby: Standby | null;
  comfortCare: ComfortCare | null;
  /** Since when a given handoff waits for its receiver, epoch milliseconds; null: none does. */
  handoffGivenAt: EpochMs | null;
  /** When they came back from a discharge without the monitor that it took off, epoch milliseconds; null: never. */
  monitorLostAt: EpochMs | null;
  checkIn: CheckInFacts;
  /** The time zone of the site, by which the age counts. */
  timeZone: string;
}

type Subject = Pick<PatientRow, 'id' | 'site_id' | 'spo2_scale'>;

/**
 * Resolves with the settings of these patients, by id. For more than one patient whole tables are read, as at start.
 * What cannot be read does not hold, and `faults` counts it.
 */
export async function readHolding(
  db: Kysely<Database>,
  patients: readonly Subject[],
  faults: AlertFaults | null,
): Promise<Map<number, Holding>> {
  const [only, ...others] = patients;
  if (only === undefined) {
    return new Map();
  }
  const one = others.length === 0 ? only : null;
  const limits = await readLimits(db, one, faults);
  const sites = await db.selectFrom('sites').select(['id', 'time_zone']).execute();
  const zones = new Map(sites.map(({ id, time_zone }) => [id, time_zone]));
  const handoffs = await readGivenHandoffs(db, one?.id ?? null);
  const lostMonitors = await readLostMonitors(db, one?.id ?? null);
  const checkIns = await readCheckIns(db, one?.id ?? null);
  const { standbys, comfortCares } = await readOpenPauses(db, one?.id ?? null, faults);
  return new Map(
    patients.map((patient) => [
      patient.id,
      {
        ...limits(patient),
        standby: standbys.get(patient.id) ?? null,
        comfortCare: comfortCares.get(patient.id) ?? null,
        handoffGivenAt: handoffs.get(patient.id) ?? null,
        monitorLostAt: lostMonitors.get(patient.id) ?? null,
        checkIn: checkIns.get(patient.id) ?? noCheckIn,
        timeZone: zones.get(patient.site_id) ?? 'UTC',
      },
    ]),
  );
}

/**
 * Resolves with the times of the handoffs that wait for their receivers, by patient: of one patient, or of all. A
 * question does not end the wait.
 */
async function readGivenHandoffs(db: Kysely<Database>, patientId: number | null): Promise<Map<number, EpochMs>> {
  const given = db
    .selectFrom('handoffs')
    .select(['patient_id', 'given_at'])
    .where('state', 'in', ['given', 'returned']);
  const rows = await (patientId === null ? given : given.where('patient_id', '=', patientId)).execute();
  return new Map(rows.flatMap(({ patient_id, given_at }) => (given_at === null ? [] : [[patient_id, given_at]])));
}

/**
 * Resolves with when patients came back without any monitor, by patient: of one patient, or of all. Their discharge
 * ended the assignment that ended last.
 */
async function readLostMonitors(db: Kysely<Database>, patientId: number | null): Promise<Map<number, EpochMs>> {
  const last = db
    .selectFrom('device_assignments as had')
    .select(({ selectFrom }) => {
      const move = (kind: StayKind) =>
        selectFrom('patient_moves as move')
          .whereRef('move.patient_id', '=', 'had.patient_id')
          .where('move.kind', '=', kind)
          .orderBy('move.id', 'desc')
          .limit(1);
      return [
        'had.patient_id',
        'had.ended_at',
        move('admitted').select('move.moved_at').as('backAt'),
        move('discharged')
          .select(({ fn }) => fn.coalesce('move.recorded_at', 'move.moved_at').as('at'))
          .as('leftAt'),
      ];
    })
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('device_assignments as later')
            .select('later.id')
            .whereRef('later.patient_id', '=', 'had.patient_id')
            .where((later) =>
              later.or([later('later.ended_at', 'is', null), later('later.ended_at', '>', later.ref('had.ended_at'))]),
            ),
        ),
      ),
    );
  const rows = await (patientId === null ? last : last.where('had.patient_id', '=', patientId)).execute();
  return new Map(
    rows.flatMap(({ patient_id, ended_at, leftAt, backAt }) =>
      ended_at !== null && ended_at === leftAt && backAt !== null && backAt - leftAt <= takenBackWithinMs
        ? [[patient_id, backAt] as const]
        : [],
    ),
  );
}

interface KnownLimits {
  id: number;
  rule: string;
  scale: Subject['spo2_scale'] | null;
  values: LimitValues;
  by: number;
}

/** Reads the limits of one patient, or of all, and resolves with a function that returns a patient's limits. */
async function readLimits(
  db: Kysely<Database>,
  one: Subject | null,
  faults: AlertFaults | null,
): Promise<(patient: Subject) => Pick<Holding, 'limits' | 'ownLimits' | 'limitsBy'>> {
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
    .select(['id', 'site_id', 'patient_id', 'rule', 'scale', 'limit_values', 'set_by'])
    .where('id', 'in', one === null ? ids : ofOne(one))
    .orderBy('id', 'desc')
    .execute();
  const bySubject = new Map<string, KnownLimits[]>();
  for (const { id, site_id, patient_id, rule, scale, limit_values, set_by: by } of rows) {
    const key = subjectKey(site_id, patient_id);
    const values = readJson(limitValues, limit_values);
    if (values === null) {
      faults?.unread('limits', { patientId: patient_id, deviceId: null });
    } else {
      bySubject.set(key, [...(bySubject.get(key) ?? []), { id, rule, scale, values, by }]);
    }
  }
  return (patient) => {
    const own = bySubject.get(subjectKey(patient.site_id, patient.id)) ?? [];
    const ofSite = bySubject.get(subjectKey(patient.site_id, null)) ?? [];
    const limits: PatientLimits = {};
    const ownLimits: PatientLimits = {};
    const limitsBy: Holding['limitsBy'] = {};
    for (const rule of adjustableRules) {
      const [beneath, ofPatient] = [ofSite, own].map((rows) => newestOf(rows, rule, patient.spo2_scale));
      const values = { ...beneath?.values, ...ofPatient?.values };
      if (Object.keys(values).length > 0) {
        limits[rule] = values;
      }
      limitsBy[rule] = ((ofPatient?.id ?? 0) > (beneath?.id ?? 0) ? ofPatient : beneath)?.by;
      if (ofPatient !== undefined && Object.keys(ofPatient.values).length > 0) {
        ownLimits[rule] = ofPatient.values;
      }
    }
    return { limits, ownLimits, limitsBy };
  };
}

const subjectKey = (siteId: number, patientId: number | null): string => `${siteId} ${patientId ?? 'all'}`;

/** Returns the newest limits of a rule on this scale; `rows` come newest first. */
export function newestOf<Row extends Pick<KnownLimits, 'rule' | 'scale'>>(
  rows: readonly Row[],
  rule: string,
  onScale: Subject['spo2_scale'],
): Row | undefined {
  return rows.find((row) => row.rule === rule && (row.scale === null || row.scale === onScale));
}
