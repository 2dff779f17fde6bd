import type { Kysely } from 'kysely';
import { defaultEscalationTimes, type EscalationTimes } from '../../lib/alerts/escalationTimes';
import {
  rebuiltNews2,
  rebuiltResetAt,
  rebuiltSpots,
  rebuiltStream,
  rebuiltTechnical,
  type KnownAlerts,
} from '../../lib/alerts/rebuiltState';
import { resumeRuleState, type RuleSample } from '../../lib/alerts/ruleState';
import { resumeSpotCheck, type SpotCheck } from '../../lib/alerts/spotCheck';
import { spotParameters, type SpotParameter } from '../../lib/alerts/spotRules';
import {
  nothingKept,
  nothingRead,
  readDeviceState,
  readRuleState,
  type ReadRuleState,
  type StoredRuleState,
} from '../../lib/alerts/storedRuleState';
import { streamStateOf } from '../../lib/alerts/storedStream';
import { resumesFrom } from '../../lib/alerts/stream';
import { byStream, streamNames, streams, trendKinds } from '../../lib/alerts/streams';
import { retrospectiveAfterMs, readingRetrospectiveAfterMs } from '../../lib/alerts/timing';
import { groupBy } from '../../lib/groupBy';
import { kindOfCode, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import { areRulesOn } from '../site/areRulesOn';
import { hasStoppedStating, isWithdrawn, qualityOf } from '../vitals/qualityCode';
import { movedMs, type Sample } from '../vitals/sample';
import { samplesOfMinutes, toSample, type PatientMinute } from '../vitals/samples';
import { isSourceEvaluated } from '../vitals/shownSource';
import type { AlertFaults } from './alertFaults';
import { readRecords, type Records, type UnreadableAlert } from './alertRows';
import { createDeviceRuleState, type DeviceRuleState } from './deviceRuleState';
import { heartbeatSite } from './heartbeatPatient';
import { readingOf, spotSetting, spotSources } from './home';
import { withSetting, type PatientRuleState } from './patientRuleState';
import { partsOf } from './patientToKeep';
import { resumePaces } from './resumePaces';
import { readTimesOfSites } from './siteEscalation';

const minuteMs = 60_000;
const dayMinutes = 1_440;

/** What the rules need to know of a site. */
export interface RuleSite {
  rulesAreOn: boolean;
  /** Since when the rules are on, epoch milliseconds. */
  rulesSince: number;
  timeZone: string;
  shiftStarts: string;
  /** When check-ins from home are due, in the site's time. */
  checkInTimes: readonly string[];
  times: EscalationTimes;
}

/**
 * Resolves with every site by its id. Rules are on in a demo, and after an administrator has accepted the intended use.
 */
export async function readSites(db: Kysely<Database>, faults: AlertFaults): Promise<Map<number, RuleSite>> {
  const times = await readTimesOfSites(db, faults);
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'time_zone', 'shift_starts', 'check_in_times', 'created_at', 'is_demo', 'intended_use_accepted_at'])
    .execute();
  const sites = new Map<number, RuleSite>([
    [
      heartbeatSite,
      {
        rulesAreOn: true,
        rulesSince: 0,
        timeZone: 'UTC',
        shiftStarts: '08:00,20:00',
        checkInTimes: [],
        times: defaultEscalationTimes,
      },
    ],
  ]);
  for (const row of rows) {
    const rulesSince = row.intended_use_accepted_at ?? row.created_at;
    sites.set(row.id, {
      rulesAreOn: areRulesOn(row),
      rulesSince,
      timeZone: row.time_zone,
      shiftStarts: row.shift_starts,
      checkInTimes: row.check_in_times.split(','),
      times: times.get(row.id) ?? defaultEscalationTimes,
    });
  }
  return sites;
}

/** What was loaded, and the open alerts that cannot be read. */
export interface Loaded<Of> {
  subjects: Of[];
  unreadable: UnreadableAlert[];
}

/**
 * Takes new states of patients, and resolves with their states as the store has them. What cannot be read is rebuilt
 * from samples and alerts: it never stops a start (clinical.md section 0, P4). `downMs`: for how long the server was
 * down; 0 if it was not.
 */
export async function loadPatients(
  store: Store,
  liveState: LiveState,
  open: readonly PatientRuleState[],
  faults: AlertFaults,
  downMs: number,
): Promise<Loaded<PatientRuleState>> {
  const { db } = store;
  const ids = open.map(({ patientId }) => patientId);
  const isMany = ids.length > manyPatients;
  const { records, unreadable } = await readRecords(db, 'patient_id', isMany ? null : ids, faults);
  const kept = db.selectFrom('rule_states').select(['patient_id', 'state']).where('device_id', '=', 0);
  const rows = await (isMany ? kept : kept.where('patient_id', 'in', ids)).execute();
  const states = new Map(rows.map((row) => [row.patient_id, row.state]));
  // Minutes with samples that are not rolled up yet, most of all after a crash.
  const minutesToRedo = await db.selectFrom('minutes_to_redo').selectAll().execute();
  const waiting = groupBy(minutesToRedo, ({ patient_id }) => patient_id);
  const subjects: PatientRuleState[] = [];
  for (const patient of open) {
    const { patientId } = patient;
    const samples = await readRecent(store, liveState, patient, waiting.get(patientId) ?? []);
    const minutes = patient.profile === 'home' ? () => [] : await readMinutes(store, patient);
    const history = { samples, minutes, records: records.get(patientId) ?? {} };
    const resumed = resumeAlone(patient, states.get(patientId) ?? null, history, faults);
    resumePaces(liveState.sourceTimings, resumed, samples, downMs);
    subjects.push(resumed);
  }
  const loaded = new Set(ids);
  return { subjects, unreadable: unreadable.filter(({ patientId }) => patientId !== null && loaded.has(patientId)) };
}

/** A sample of the store as the rules see it. */
interface Arrived {
  sample: RuleSample;
  receivedAt: number;
}

/** For more patients than this, whole tables are read. */
const manyPatients = 50;

interface History {
  samples: readonly Arrived[];
  minutes: (kind: VitalKind) => readonly { minute: number; last: number }[];
  records: Records;
}

/** Resumes a patient from what was kept; if that throws, without it; if that throws too, with the alerts alone. */
function resumeAlone(
  patient: PatientRuleState,
  kept: string | null,
  history: History,
  faults: AlertFaults,
): PatientRuleState {
  const { patientId, deviceId } = patient;
  const { state, unread } = kept === null ? { state: nothingKept, unread: [] } : readRuleState(kept);
  if (unread.length > 0) {
    faults.rebuilt({ patientId, deviceId }, unread);
  }
  for (const read of [state, nothingRead]) {
    try {
      const resumed = resume(patient, read, history);
      // What was rebuilt is not what the store has.
      return unread.length > 0 || read !== state ? resumed : { ...resumed, kept: partsOf(resumed) };
    } catch (error) {
      faults.failedOnce({ patientId, deviceId }, 'start', error);
    }
  }
  return { ...patient, records: history.records };
}

function resume(
  created: PatientRuleState,
  read: ReadRuleState,
  { samples, minutes, records }: History,
): PatientRuleState {
  // Which source counts is kept with the alert.
  const patient = withSetting({ ...created, records }, {});
  const known: KnownAlerts = Object.fromEntries(
    Object.values(records).map(({ alert, evidence }) => [
      alert.parameter,
      { alert, kind: evidence.samples[0]?.kind ?? null },
    ]),
  );
  const shared = {
    records,
    technical: read.technical ?? rebuiltTechnical(known),
    news2: read.news2 ?? rebuiltNews2(known),
    signalsFrom: read.signalsFrom ?? patient.signalsFrom,
    resetAt: read.resetAt ?? rebuiltResetAt(known),
  };
  if (patient.profile === 'home') {
    const spots = resumeSpots({ ...patient, ...shared }, read.spot ?? rebuiltSpots(known), samples, {
      isNow: read.spot === null,
    });
    return { ...patient, ...shared, spots };
  }
  const kept = byStream((name) => {
    const stream = read.streams[name] ?? rebuiltStream(name, known);
    return { state: streamStateOf(name, patient.plans[name], stream), isNow: read.streams[name] === undefined };
  });
  const history = { samples, minutes, resetAt: shared.resetAt };
  return { ...patient, ...shared, ruleState: resumeRuleState(patient.plans, kept, history) };
}

const withdrawn = { isWithdrawn: true } as const;

/** Returns a sample as the rules see it. */
export function ruleSampleOf(
  { assigned }: { assigned: ReadonlyMap<number, number> },
  sample: Omit<Sample, 'minute' | 'siteId' | 'receivedAt'>,
): RuleSample {
  return {
    kind: kindOfCode(sample.kind),
    deviceId: sample.deviceId,
    isAssigned: assigned.get(sample.deviceId) === sample.patientId,
    value: sample.value,
    measuredAt: sample.takenAt + sample.offsetMs,
    quality: qualityOf(sample.quality),
    hasStoppedStating: hasStoppedStating(sample.quality),
    ...(isWithdrawn(sample.quality) ? withdrawn : {}),
  };
}

function resumeSpots(
  patient: PatientRuleState,
  kept: StoredRuleState['spot'],
  samples: readonly Arrived[],
  { isNow }: { isNow: boolean },
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
      spots[parameter] = resumeSpotCheck(spotSetting(patient, parameter), state, readings, { isNow });
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
    const offsetMs = latest.sample.offsetMs - movedMs(latest.sample);
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
    .filter(({ deviceId }) => !liveState.isEarlier(deviceId))
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

/** Resolves with every device that has had an alert. */
export async function loadDevices(db: Kysely<Database>, faults: AlertFaults): Promise<Loaded<DeviceRuleState>> {
  const { records, unreadable } = await readRecords(db, 'device_id', null, faults);
  const rows = await db
    .selectFrom('rule_states')
    .select(['device_id', 'state'])
    .where('patient_id', '=', 0)
    .where('device_id', '<>', 0)
    .execute();
  const states = new Map(rows.map((row) => [row.device_id, row.state]));
  const sites = new Map(
    [...unreadable, ...[...records.values()].flatMap((known) => Object.values(known))].map((alert) => [
      alert.deviceId ?? 0,
      alert.siteId,
    ]),
  );
  const subjects = [...sites].map(([deviceId, siteId]) => {
    const known = records.get(deviceId) ?? {};
    const kept = states.get(deviceId);
    const read = kept === undefined ? null : readDeviceState(kept);
    if (kept !== undefined && read === null) {
      faults.rebuilt({ patientId: null, deviceId }, ['technical']);
    }
    const alerts: KnownAlerts = Object.fromEntries(
      Object.values(known).map(({ alert }) => [alert.parameter, { alert, kind: null }]),
    );
    const technical = read ?? rebuiltTechnical(alerts);
    return { ...createDeviceRuleState(siteId, deviceId), records: known, technical, kept: [read] };
  });
  return { subjects, unreadable };
}
