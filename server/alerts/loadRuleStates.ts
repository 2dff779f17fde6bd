import { sql, type Kysely, type Selectable } from 'kysely';
import { alertFacts } from '../../lib/alerts/alertFacts';
import { evidence } from '../../lib/alerts/evidence';
import { storedRuleState, type StoredRuleState } from '../../lib/alerts/storedRuleState';
import type { Parameter } from '../../lib/alerts/parameters';
import { resumeSpotCheck, type SpotCheck } from '../../lib/alerts/spotCheck';
import { spotParameters, type SpotParameter } from '../../lib/alerts/spotRules';
import { retrospectiveAfterMs, readingRetrospectiveAfterMs } from '../../lib/alerts/timing';
import { resumesFrom } from '../../lib/alerts/stream';
import { streamNames, streams, trendKinds } from '../../lib/alerts/streams';
import { resumeRuleState, type RuleSample } from '../../lib/alerts/ruleState';
import { kindOfCode, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { Store } from '../db/open';
import type { AlertsTable } from '../db/alertTables';
import type { Database } from '../db/schema';
import { isSourceEvaluated } from '../vitals/shownSource';
import { areRulesOn } from '../site/areRulesOn';
import { hasStoppedStating, qualityOf } from '../vitals/qualityCode';
import { samplesOfMinutes, toSample, type PatientMinute } from '../vitals/samples';
import type { LiveState } from '../liveState';
import type { Sample } from '../vitals/sample';
import type { AlertRecord } from './alertWrites';
import { heartbeatSite } from './heartbeatPatient';
import { createDeviceRuleState, type DeviceRuleState } from './deviceRuleState';
import { readingOf, spotSetting, spotSources } from './home';
import type { PatientRuleState } from './patientRuleState';
import { partsOf } from './patientToKeep';

const minuteMs = 60_000;
const dayMinutes = 1_440;

/** What the rules need to know of a site. */
export interface RuleSite {
  rulesAreOn: boolean;
  /** Since when the rules are on, epoch milliseconds. */
  rulesSince: number;
  timeZone: string;
  shiftStarts: string;
}

/**
 * Resolves with every site by its id. Rules are on in a demo, and after an administrator has accepted the intended use.
 */
export async function readSites(db: Kysely<Database>): Promise<Map<number, RuleSite>> {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'time_zone', 'shift_starts', 'created_at', 'is_demo', 'intended_use_accepted_at'])
    .execute();
  const sites = new Map<number, RuleSite>([
    [heartbeatSite, { rulesAreOn: true, rulesSince: 0, timeZone: 'UTC', shiftStarts: '08:00,20:00' }],
  ]);
  for (const row of rows) {
    const rulesSince = row.intended_use_accepted_at ?? row.created_at;
    sites.set(row.id, {
      rulesAreOn: areRulesOn(row),
      rulesSince,
      timeZone: row.time_zone,
      shiftStarts: row.shift_starts,
    });
  }
  return sites;
}

export async function newestAlertId(db: Kysely<Database>): Promise<number> {
  const newest = await db
    .selectFrom('alerts')
    .select('id')
    .where('id', '>', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.id ?? 0;
}

/** Resolves with the patients who have an alert that is not closed. */
export async function patientsWithOpenAlerts(db: Kysely<Database>): Promise<number[]> {
  const rows = await db
    .selectFrom('alerts')
    .select('patient_id')
    .where('closed_at', 'is', null)
    .where(sql<boolean>`coalesce(patient_id, -1) >= 0`)
    .execute();
  return rows.flatMap(({ patient_id }) => patient_id ?? []);
}

const rowsPerQuery = 500;

type Records = Partial<Record<Parameter, AlertRecord>>;

/** Resolves with the last alert of each parameter of some patients, or of every device, by their ids. */
async function readRecords(
  db: Kysely<Database>,
  of: 'patient_id' | 'device_id',
  ids: readonly number[] | null,
): Promise<Map<number, Records>> {
  const groups = db
    .selectFrom('alerts')
    .select((select) => select.fn.max('id').as('newest'))
    .where('is_retrospective', '=', 0)
    .groupBy([of, 'parameter']);
  const newest = await (ids === null ? groups.where(of, '>=', 0) : groups.where(of, 'in', ids)).execute();
  const rows: Selectable<AlertsTable>[] = [];
  for (let first = 0; first < newest.length; first += rowsPerQuery) {
    const part = newest.slice(first, first + rowsPerQuery).map((row) => row.newest);
    rows.push(...(await db.selectFrom('alerts').selectAll().where('id', 'in', part).execute()));
  }
  const found = new Map<number, Records>();
  for (const row of rows) {
    const id = row[of];
    if (id !== null) {
      found.set(id, { ...found.get(id), [row.parameter]: recordOf(row) });
    }
  }
  return found;
}

/** Parses an alert from its row. Throws if something else wrote it. */
export function recordOf(row: {
  id: number;
  site_id: number;
  patient_id: number | null;
  device_id: number | null;
  facts: string;
  evidence: string;
  raised_at: number;
}): AlertRecord {
  return {
    id: row.id,
    siteId: row.site_id,
    patientId: row.patient_id,
    deviceId: row.device_id,
    alert: alertFacts.parse(JSON.parse(row.facts)),
    evidence: evidence.parse(JSON.parse(row.evidence)),
    raisedAt: row.raised_at,
  };
}

/** Takes new states of patients, and resolves with their states as the store has them. */
export async function loadPatients(
  store: Store,
  liveState: LiveState,
  open: readonly PatientRuleState[],
): Promise<PatientRuleState[]> {
  const { db } = store;
  const ids = open.map(({ patientId }) => patientId);
  const records = await readRecords(db, 'patient_id', ids.length > manyPatients ? null : ids);
  const kept = db.selectFrom('rule_states').select(['patient_id', 'state']).where('device_id', '=', 0);
  const rows = await (ids.length > manyPatients ? kept : kept.where('patient_id', 'in', ids)).execute();
  const states = new Map(rows.map((row) => [row.patient_id, storedRuleState.parse(JSON.parse(row.state))]));
  // Minutes with samples that are not rolled up yet, most of all after a crash.
  const waiting = new Map<number, PatientMinute[]>();
  for (const row of await db.selectFrom('minutes_to_redo').selectAll().execute()) {
    waiting.set(row.patient_id, [...(waiting.get(row.patient_id) ?? []), row]);
  }
  const loaded: PatientRuleState[] = [];
  for (const patient of open) {
    const { patientId } = patient;
    const samples = await readRecent(store, liveState, patient, waiting.get(patientId) ?? []);
    loaded.push(await resume(store, patient, samples, states.get(patientId) ?? null, records.get(patientId) ?? {}));
  }
  return loaded;
}

/** A sample of the store as the rules see it. */
interface Arrived {
  sample: RuleSample;
  receivedAt: number;
}

/** For more patients than this, whole tables are read. */
const manyPatients = 50;

async function resume(
  store: Store,
  patient: PatientRuleState,
  samples: readonly Arrived[],
  state: StoredRuleState | null,
  records: Records,
): Promise<PatientRuleState> {
  const alerts = Object.fromEntries(Object.values(records).map(({ alert }) => [alert.parameter, alert]));
  const shared = {
    records,
    technical: state?.technical ?? patient.technical,
    news2: state?.news2 ?? patient.news2,
    signalsFrom: state?.signalsFrom ?? patient.signalsFrom,
    resetAt: state?.resetAt ?? patient.resetAt,
  };
  let resumed: PatientRuleState;
  if (patient.profile === 'home') {
    resumed = {
      ...patient,
      ...shared,
      ruleState: { ...patient.ruleState, alerts },
      spots: resumeSpots({ ...patient, ...shared }, state?.spot ?? {}, samples),
    };
  } else {
    const minutes = await readMinutes(store, patient);
    const history = { samples, minutes, resetAt: shared.resetAt };
    resumed = {
      ...patient,
      ...shared,
      ruleState: resumeRuleState(patient.plans, state?.streams ?? null, history, alerts),
    };
  }
  return { ...resumed, kept: partsOf(resumed) };
}

/** Returns a sample as the rules see it. */
export function ruleSampleOf(liveState: LiveState, sample: Sample): RuleSample {
  return {
    kind: kindOfCode(sample.kind),
    deviceId: sample.deviceId,
    isAssigned: liveState.assigned.get(sample.deviceId) === sample.patientId,
    value: sample.value,
    measuredAt: sample.takenAt + sample.offsetMs,
    quality: qualityOf(sample.quality),
    hasStoppedStating: hasStoppedStating(sample.quality),
  };
}

function resumeSpots(
  patient: PatientRuleState,
  kept: StoredRuleState['spot'],
  samples: readonly Arrived[],
): PatientRuleState['spots'] {
  const spots: Partial<Record<SpotParameter, SpotCheck>> = {};
  for (const parameter of spotParameters) {
    const readings = samples.flatMap(({ sample, receivedAt }) => {
      const placed = readingOf(sample);
      const isCounted = placed?.parameter === parameter && receivedAt > (patient.resetAt.readings ?? 0);
      return isCounted ? [{ reading: placed.reading, receivedAt }] : [];
    });
    const state = kept[parameter] ?? null;
    if (state !== null || readings.length > 0) {
      spots[parameter] = resumeSpotCheck(spotSetting(patient, parameter), state, readings);
    }
  }
  return spots;
}

/**
 * After a time with invalid values alone, the last ones that count are in earlier minutes: values that may be evaluated
 * again are in three, and the two before may have one each.
 */
const minutesBefore = 5;

/** Resolves with the samples that may be evaluated again, and at least two of each source before them. */
async function readRecent(
  { db }: Store,
  liveState: LiveState,
  patient: PatientRuleState,
  waiting: readonly PatientMinute[],
): Promise<Arrived[]> {
  const isHome = patient.profile === 'home';
  const evaluatedKinds: readonly VitalKind[] = isHome
    ? spotKinds
    : streamNames.flatMap((name): readonly VitalKind[] => streams[name].kinds);
  const keys: PatientMinute[] = [];
  for (const kind of evaluatedKinds) {
    const code = kinds[kind].code;
    const latest = liveState.latestOf(patient.patientId).get(code);
    if (latest === undefined) {
      continue;
    }
    const { offsetMs } = latest.sample;
    const newestAt = Math.max(
      ...liveState.latestOfDevices(patient.patientId, code).map(({ sample }) => sample.receivedAt),
    );
    const from = isHome
      ? newestAt - readingRetrospectiveAfterMs - 60 * minuteMs
      : resumesFrom(newestAt) - retrospectiveAfterMs;
    const first = Math.floor((from - offsetMs) / minuteMs) - 1;
    const last = Math.max(Math.floor((newestAt - offsetMs) / minuteMs), latest.sample.minute) + 1;
    for (let minute = first; minute <= last; minute += 1) {
      keys.push({ minute, patient_id: patient.patientId, kind: code });
    }
    const earlier = await db
      .selectFrom('minutes')
      .select('minute')
      .where('patient_id', '=', patient.patientId)
      .where('kind', '=', code)
      .where('minute', '<', first)
      .where('count', '>', 0)
      .orderBy('minute', 'desc')
      .limit(minutesBefore)
      .execute();
    // What was typed in may have been measured long before it arrived.
    const late = liveState
      .latestOfDevices(patient.patientId, code)
      .map(({ sample }) => sample)
      .filter(({ minute, receivedAt }) => minute < first && receivedAt >= from);
    const unrolled = waiting.filter((row) => row.kind === code && row.minute < first);
    const minutes = new Set([...late, ...earlier, ...unrolled].map(({ minute }) => minute));
    keys.push(...[...minutes].map((minute) => ({ minute, patient_id: patient.patientId, kind: code })));
  }
  if (keys.length === 0) {
    return [];
  }
  const { rows } = await samplesOfMinutes(keys).execute(db);
  return rows
    .map(toSample)
    .filter((sample) => !isHome || isSourceEvaluated(liveState, patient.row, kindOfCode(sample.kind), sample))
    .map((sample) => ({ sample: ruleSampleOf(liveState, sample), receivedAt: sample.receivedAt }));
}

const spotKinds: readonly VitalKind[] = vitalKinds.filter((kind) => spotSources[kind] !== undefined);

/**
 * Resolves with the last values of the last day's minutes, by kind. These are a million rows for 250 patients, so no
 * other column is read.
 */
async function readMinutes(
  { db }: Store,
  { patientId }: PatientRuleState,
): Promise<(kind: VitalKind) => { minute: number; last: number }[]> {
  const ofPatient = db.selectFrom('minutes').where('patient_id', '=', patientId);
  const codes = trendKinds.map((kind) => kinds[kind].code);
  const { newest } = await ofPatient
    .select((select) => select.fn.max('minute').as('newest'))
    .where('kind', 'in', codes)
    .executeTakeFirstOrThrow();
  if (newest === null) {
    return () => [];
  }
  const found = new Map<VitalKind, { minute: number; last: number }[]>();
  for (const kind of trendKinds) {
    const rows = await ofPatient
      .select(['minute', 'last'])
      .where('kind', '=', kinds[kind].code)
      .where('minute', '>=', newest - dayMinutes)
      .where('last', 'is not', null)
      .orderBy('minute')
      .$narrowType<{ last: number }>()
      .execute();
    found.set(kind, rows);
  }
  return (kind) => found.get(kind) ?? [];
}

/** Resolves with every device that has had an alert, by its id. */
export async function loadDevices(db: Kysely<Database>): Promise<DeviceRuleState[]> {
  const records = await readRecords(db, 'device_id', null);
  const rows = await db
    .selectFrom('rule_states')
    .select(['device_id', 'site_id', 'state'])
    .where('patient_id', '=', 0)
    .where('device_id', '<>', 0)
    .execute();
  const states = new Map(
    rows.map((row) => [row.device_id, storedRuleState.pick({ technical: true }).parse(JSON.parse(row.state))]),
  );
  return [...records].map(([deviceId, known]) => {
    const siteId = Object.values(known)[0]?.siteId ?? heartbeatSite;
    const technical = states.get(deviceId)?.technical ?? {};
    return { ...createDeviceRuleState(siteId, deviceId), records: known, technical, kept: [technical] };
  });
}
