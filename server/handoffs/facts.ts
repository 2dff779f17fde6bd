import type { Kysely } from 'kysely';
import { limitValues } from '../../lib/alerts/limitsSchema';
import { comfortCareUntil } from '../../lib/alerts/pauses';
import { allergiesText } from '../../lib/chart/allergiesText';
import { codeStatusText } from '../../lib/chart/codeStatusText';
import { currentMarks } from '../../lib/chart/currentMarks';
import { groupBy } from '../../lib/groupBy';
import type { HandoffFacts } from '../../lib/handoffs/schema';
import { spreadOf } from '../../lib/handoffs/spreadOf';
import { defaultSpo2Targets } from '../../lib/patients/spo2TargetSchema';
import { readJson } from '../../lib/readJson';
import type { User } from '../../lib/session/schema';
import { firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { isVitalKind, vitalKinds, kindOfCode, kinds, type VitalKind } from '../../lib/vitals/kinds';
import { shownRecordOf } from '../alerts/alertRows';
import { presentAlerts } from '../alerts/queries';
import { shiftOf } from '../assignments/shiftOf';
import { readWritten } from '../chart/readWritten';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import { presentPatient } from '../patients/queries';
import type { Server } from '../server';
import { readOpenActions } from './actions';

/** What a monitor sends: spot values have no spread worth a line. */
const spreadKinds: readonly VitalKind[] = ['spo2', 'heartRate', 'pulseRate', 'respiratoryRate'];
const spreadMinutes = 12 * 60;

/**
 * Resolves with the extremes and the median of the closed minutes of the last 12 hours, by patient; the last minute or
 * two are not closed yet. All patients are read at once.
 */
async function readSpreads(
  db: Kysely<Database>,
  patientIds: readonly number[],
  now: EpochMs,
): Promise<Map<number, HandoffFacts['spreads']>> {
  const until = Math.floor(now / 60_000);
  const rows = await db
    .selectFrom('minutes')
    .select(['patient_id', 'kind', 'min', 'max', 'last'])
    .where('patient_id', 'in', patientIds)
    .where(
      'kind',
      'in',
      spreadKinds.map((kind) => kinds[kind].code),
    )
    .where('minute', '>', until - spreadMinutes)
    .where('minute', '<=', until)
    .execute();
  const closed = rows.flatMap(({ min, max, last, ...row }) =>
    min === null || max === null || last === null ? [] : [{ ...row, min, max, last }],
  );
  const series = groupBy(closed, ({ patient_id, kind }) => `${patient_id} ${kind}`);
  return new Map(
    patientIds.map((id) => [
      id,
      spreadKinds.flatMap((kind) => {
        const { code } = kinds[kind];
        const spread = spreadOf(series.get(`${id} ${code}`) ?? []);
        return spread === null ? [] : [{ kind: kindOfCode(code), ...spread }];
      }),
    ]),
  );
}

/** More alerts of one shift are counted by no one: this many of all patients are read. */
const mostRead = 500;

/**
 * Resolves with the alerts of patients since `since`, and the open ones of before, by patient: open ones first, then
 * the newest.
 */
async function readAlertsOf(
  server: Server,
  user: User,
  patientIds: readonly number[],
  { since, now }: { since: EpochMs; now: EpochMs },
): Promise<Map<number, HandoffFacts['alerts']>> {
  const { store, alerts } = server;
  const recent = await store.db
    .selectFrom('alert_history')
    .select('alert_id')
    .where('patient_id', 'in', patientIds)
    .where('raised_at', '>=', since)
    .orderBy('raised_at', 'desc')
    .limit(mostRead)
    .execute();
  const wanted = new Set(patientIds);
  const open = alerts
    .listOpen(user.siteId)
    .filter(({ patientId }) => patientId !== null && wanted.has(patientId))
    .map(({ id }) => id);
  const ids = [...new Set([...open, ...recent.map(({ alert_id }) => alert_id)])];
  const inMemory = ids.flatMap((id) => alerts.find(id) ?? []);
  const known = new Set(inMemory.map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id));
  const stored =
    others.length === 0 ? [] : await store.db.selectFrom('alerts').selectAll().where('id', 'in', others).execute();
  const records = [...inMemory, ...stored.flatMap((row) => shownRecordOf(row) ?? [])];
  const items = await presentAlerts(server, records, user, now);
  const order = (closedAt: string | null): number => (closedAt === null ? 0 : 1);
  const byPatient = new Map<number, HandoffFacts['alerts']>();
  for (const item of items.sort((a, b) =>
    firstDifference(order(a.closedAt) - order(b.closedAt), Date.parse(b.raisedAt) - Date.parse(a.raisedAt)),
  )) {
    if (item.patientId !== null) {
      const { id, priority, sentence, raisedAt, closedAt, accepted, outcome } = item;
      const owner = accepted?.by.name ?? null;
      const alert = { id, priority, sentence, raisedAt, closedAt, owner, outcome };
      byPatient.set(item.patientId, [...(byPatient.get(item.patientId) ?? []), alert]);
    }
  }
  return byPatient;
}

/** The most unread notes that a draft names. */
const maxNotes = 20;

/** Resolves with what the product knows of patients at `now`, for the handoffs that `user` writes, by patient. */
export async function readFacts(
  server: Server,
  user: User,
  patients: readonly PatientRow[],
  now: EpochMs,
): Promise<Map<number, HandoffFacts>> {
  const { store, liveState } = server;
  const ids = patients.map(({ id }) => id);
  if (ids.length === 0) {
    return new Map();
  }
  const { start: since } = shiftOf(user.site, 'current', now);
  const spreads = await readSpreads(store.db, ids, now);
  const alerts = await readAlertsOf(server, user, ids, { since, now });
  const targets = await readTargets(store.db, ids);
  const limits = await readOwnLimits(store.db, patients);
  const tasks = await readOpenActions(store.db, ids);
  const notes = await readUnreadNotes(store.db, ids, user.id);
  const charts = await readWritten(store.db, ids);
  return new Map(
    patients.map((row) => {
      const written = charts.get(row.id) ?? null;
      const marks = written === null ? null : currentMarks(written.entries);
      const pauses = { standby: liveState.standbyOf(row.id, now), comfortCare: liveState.comfortCareOf(row.id, now) };
      return [
        row.id,
        {
          asOf: toInstant(now),
          patient: presentIdentity(liveState, row),
          // A chart that cannot be read holds up no handoff, and is not one in which nothing is recorded.
          codeStatus: marks === null ? unreadable : codeStatusText(marks.codeStatus, user.site.timeZone),
          allergies: marks === null ? unreadable : allergiesText(marks.allergies),
          spo2: { scale: row.spo2_scale, ...(targets.get(row.id) ?? defaultSpo2Targets[row.spo2_scale]) },
          values: valuesOf(liveState, row, now),
          spreads: spreads.get(row.id) ?? [],
          since: toInstant(since),
          alertCount: alerts.get(row.id)?.length ?? 0,
          alerts: (alerts.get(row.id) ?? []).slice(0, maxAlerts),
          limits: limits.get(row.id) ?? [],
          standbyUntil: pauses.standby === null ? null : toInstant(pauses.standby.until),
          comfortCareUntil: pauses.comfortCare === null ? null : toInstant(comfortCareUntil(pauses.comfortCare)),
          tasks: tasks.get(row.id) ?? [],
          notes: notes.get(row.id) ?? [],
        },
      ];
    }),
  );
}

const unreadable = 'could not be read from the chart';

/** The most alerts that a handoff names; it counts the others. */
const maxAlerts = 20;

/** Returns the two identifiers of a patient and their place. */
export function presentIdentity(liveState: LiveState, row: PatientRow): HandoffFacts['patient'] {
  return {
    mrn: row.mrn,
    givenName: row.given_name,
    familyName: row.family_name,
    isTrial: row.is_trial === 1,
    dateOfBirth: row.date_of_birth,
    sex: row.sex,
    unit: liveState.unitNameOf(row),
    bed: row.bed,
  };
}

function valuesOf(liveState: LiveState, row: PatientRow, now: EpochMs): HandoffFacts['values'] {
  const { latest } = presentPatient(liveState, row, now);
  return vitalKinds.filter(isVitalKind).flatMap((kind) => {
    const newest = latest[kind];
    const valid = newest?.quality === 'invalid' ? newest.lastValid : newest;
    return valid === undefined || valid === null ? [] : [{ kind, value: valid.value, asOf: valid.asOf }];
  });
}

async function readTargets(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<Map<number, { low: number; high: number }>> {
  const newest = db
    .selectFrom('spo2_targets')
    .select((select) => select.fn.max('id').as('newest'))
    .where('patient_id', 'in', ids)
    .groupBy('patient_id');
  const rows = await db
    .selectFrom('spo2_targets')
    .select(['patient_id', 'low', 'high'])
    .where('id', 'in', newest)
    .execute();
  return new Map(rows.map(({ patient_id, low, high }) => [patient_id, { low, high }]));
}

async function readOwnLimits(
  db: Kysely<Database>,
  patients: readonly PatientRow[],
): Promise<Map<number, HandoffFacts['limits']>> {
  const ids = patients.map(({ id }) => id);
  const newest = db
    .selectFrom('alert_limits')
    .select((select) => select.fn.max('id').as('newest'))
    .where('patient_id', 'in', ids)
    .groupBy(['patient_id', 'rule', 'scale']);
  const rows = await db
    .selectFrom('alert_limits')
    .innerJoin('users', 'users.id', 'alert_limits.set_by')
    .select(['patient_id', 'rule', 'scale', 'limit_values', 'set_at', 'users.fname', 'users.lname'])
    .where('alert_limits.id', 'in', newest)
    .orderBy('alert_limits.id', 'desc')
    .execute();
  return new Map(
    patients.map(({ id, spo2_scale }) => [
      id,
      rows
        .filter(({ patient_id, scale }) => patient_id === id && (scale === null || scale === spo2_scale))
        .flatMap(({ rule, limit_values, set_at, fname, lname }) => {
          const values = readJson(limitValues, limit_values) ?? {};
          // An empty one went back to the limits of the site.
          return Object.keys(values).length === 0
            ? []
            : [{ rule, values, setBy: `${fname} ${lname}`, setAt: toInstant(set_at) }];
        }),
    ]),
  );
}

async function readUnreadNotes(
  db: Kysely<Database>,
  ids: readonly number[],
  userId: number,
): Promise<Map<number, HandoffFacts['notes']>> {
  const rows = await db
    .selectFrom('notes')
    .innerJoin('users', 'users.id', 'notes.author_id')
    .innerJoin('users as reader', (join) => join.on('reader.id', '=', userId))
    .leftJoin('note_reads', (join) =>
      join.onRef('note_reads.note_id', '=', 'notes.id').on('note_reads.user_id', '=', userId),
    )
    .select(['notes.id', 'notes.patient_id', 'notes.type', 'notes.event_at', 'users.fname', 'users.lname'])
    .where('notes.patient_id', 'in', ids)
    .where('notes.signed_at', 'is not', null)
    .where('notes.in_error', '=', 0)
    .where('notes.changed_by', '!=', userId)
    .whereRef('notes.changed_at', '>=', 'reader.created_at')
    .where((where) =>
      where.or([where('note_reads.version', 'is', null), where('note_reads.version', '<', where.ref('notes.version'))]),
    )
    .orderBy('notes.event_at', 'desc')
    .limit(maxNotes * ids.length)
    .execute();
  return new Map(
    ids.map((id) => [
      id,
      rows
        .filter(({ patient_id }) => patient_id === id)
        .slice(0, maxNotes)
        .map((row) => ({
          id: row.id,
          type: row.type,
          author: `${row.fname} ${row.lname}`,
          eventTime: toInstant(row.event_at),
        })),
    ]),
  );
}
