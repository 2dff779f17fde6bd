import type { Episode } from '../../lib/alerts/episode';
import { activeTimers } from '../../lib/alerts/evaluateGroups';
import type { RuleInput, RuleLimits } from '../../lib/alerts/continuousRules';
import { news2LimitsOf } from '../../lib/alerts/limits';
import { news2RuleIds } from '../../lib/alerts/news2Rules';
import type { Parameter } from '../../lib/alerts/parameters';
import type { SentenceFacts } from '../../lib/alerts/sentenceParts';
import { spotCheckAt } from '../../lib/alerts/spotCheck';
import { spotLimits, spotParameters, type SpotParameter } from '../../lib/alerts/spotRules';
import { episodesOf } from '../../lib/alerts/stream';
import { isUnconfirmed } from '../../lib/alerts/stepSpotRule';
import { streamNames, streams, type StreamName } from '../../lib/alerts/streams';
import { spotEveryMs } from '../../lib/alerts/timing';
import { mediansOf } from '../../lib/alerts/trend';
import { news2 } from '../../lib/vitals/news2';
import type { EpochMs } from '../../lib/time/epochMs';
import { disagree } from '../../lib/vitals/disagreement';
import { freshnessOf } from '../../lib/vitals/freshness';
import { news2Kinds } from '../../lib/vitals/news2Kinds';
import { kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import { roundVital } from '../../lib/vitals/roundVital';
import type { Server } from '../server';
import { presentPatient } from '../patients/queries';
import { newestOf as newestOfDevices } from '../vitals/newest';
import type { Latest } from '../vitals/sample';
import { expectedEveryMs, shownLatest, sourceName, type Shown } from '../vitals/shownSource';
import { isInvalid, isQuestionable } from '../vitals/qualityCode';
import type { LiveState } from '../liveState';
import type { PatientRow } from '../db/rows';
import type { AlertRecord } from './alertWrites';
import { spotSetting, spotSources } from './home';
import { poorSignalOf } from './monitored';
import type { PatientRuleState } from './patientRuleState';

/** The kinds of each parameter, in the order in which they are preferred. None: no value belongs to it. */
const kindsOf: Partial<Record<Parameter, readonly VitalKind[]>> = {
  spo2: ['spo2'],
  rate: ['heartRate', 'pulseRate'],
  respiratoryRate: ['respiratoryRate'],
  temperature: ['temperature'],
  weight: ['weight'],
  readings: vitalKinds,
  reporting: ['spo2', 'heartRate', 'pulseRate'],
  sensor: ['spo2', 'heartRate', 'pulseRate'],
  perfusion: ['perfusionIndex'],
};

/** Those that no sentence names, but a row shows. */
const besides: Partial<Record<Parameter, readonly VitalKind[]>> = {
  news2: news2Kinds,
  spo2Quality: kindsOf.spo2,
  rateQuality: kindsOf.rate,
  readings: [],
};

/** Returns the kinds whose newest values a row shows beside the sentence of an alert. */
export function kindsBeside(parameter: Parameter): readonly VitalKind[] {
  return besides[parameter] ?? kindsOf[parameter] ?? [];
}

/**
 * Returns what the sentence of an alert needs beside the alert at `now` (epoch milliseconds). `report` is that of an
 * alert about symptoms; `nameOf` knows the users of `namedIn`.
 */
export function sentenceFactsOf(
  { liveState, alerts }: Server,
  record: AlertRecord,
  { report, nameOf }: { report: SentenceFacts['report']; nameOf: (userId: number) => { name: string } },
  now: EpochMs,
): SentenceFacts {
  const { alert, evidence, patientId, deviceId, siteId } = record;
  const { limitMoved: moved, settled } = alert;
  const row = patientId === null ? undefined : liveState.patients.get(patientId);
  const patientRules = patientId === null ? null : alerts.ruleStateOf(patientId);
  const rules = patientRules === null ? null : rulesOf(patientRules, alert.parameter, alert.rule, now);
  const isOfThis = rules?.episode?.since === alert.since;
  // The rules may no longer know an ended episode: another one may have followed.
  const extremes = alert.condition === 'ended' ? alert : isOfThis ? rules.episode : null;
  const call = deviceId === null ? null : alerts.callOf(deviceId);
  const besideOf = (raisedBy: VitalKind, kind: VitalKind): number | null =>
    row === undefined || !isOfThis || rules.kind !== raisedBy ? null : liveValueOf(liveState, row, kind, now);
  return {
    timeZone: alerts.timeZoneOf(siteId),
    limits: (alert.condition === 'active' ? rules?.limits : null) ?? evidence.limits,
    worst: evidence.worst ?? null,
    samples: evidence.samples,
    newest: row === undefined ? null : newestOf(liveState, row, alert.parameter, isOfThis ? rules : null, now),
    ecg: besideOf('pulseRate', 'heartRate'),
    pulse: besideOf('heartRate', 'pulseRate'),
    violation: alert.condition === 'active' && isOfThis ? rules.violation : null,
    medians: isOfThis ? rules.medians : null,
    lowest: extremes?.lowest ?? null,
    highest: extremes?.highest ?? null,
    isConfirmed: isOfThis ? rules.isConfirmed : null,
    poor: patientRules === null || alert.parameter !== 'sensor' ? null : poorSignalOf(patientRules, now),
    news2:
      row === undefined || alert.parameter !== 'news2'
        ? null
        : news2(presentPatient(liveState, row, now).latest, row.spo2_scale, now),
    report,
    limitMoved: moved && { ...moved, by: moved.by === null ? null : nameOf(moved.by).name },
    settled: settled && { ...settled, by: nameOf(settled.by).name },
    standby: alert.parameter === 'standby' ? standbyOf(patientRules, nameOf) : null,
    device: {
      // The call is forgotten by a restart, and what came before is not.
      lastSeenAt: (deviceId === null ? null : liveState.silentGateways.sinceOf(deviceId)) ?? call?.at ?? null,
      battery: call?.battery ?? null,
      offsetMs: call?.offsetMs ?? null,
    },
  };
}

/** Returns the users whose names the sentence of an alert needs: of a standby, a moved limit, a settled source. */
export function namedIn({ alerts }: Server, { patientId, alert }: AlertRecord): number[] {
  const rules = patientId === null || alert.parameter !== 'standby' ? null : alerts.ruleStateOf(patientId);
  return [rules?.holding.standby?.by, alert.limitMoved?.by, alert.settled?.by].flatMap((by) => by ?? []);
}

function standbyOf(
  patientRules: PatientRuleState | null,
  nameOf: (userId: number) => { name: string },
): SentenceFacts['standby'] {
  const standby = patientRules?.holding.standby ?? null;
  return standby === null ? null : { by: nameOf(standby.by).name, until: standby.until };
}

interface Rules extends Pick<SentenceFacts, 'violation' | 'medians'> {
  limits: RuleLimits | null;
  episode: Episode | null;
  isConfirmed: boolean | null;
  /** The kind whose values raised it; null if that is unknown. */
  kind: VitalKind | null;
  /** The devices whose values hold it; -1: what users typed in. */
  devices?: readonly number[];
}

/** Returns the present episode of a parameter, and the limits of one of its rules. */
function rulesOf(patientRules: PatientRuleState, parameter: Parameter, ruleId: string, now: EpochMs): Rules {
  if (parameter === 'news2') {
    return { ...scoreRules(patientRules, ruleId), isConfirmed: isConfirmed(patientRules.news2, now), kind: null };
  }
  const read = patientRules.profile === 'home' ? spotParameters.find((known) => known === parameter) : undefined;
  if (read !== undefined) {
    return readingRules(patientRules, read, now);
  }
  for (const name of streamNames) {
    const index = patientRules.plans[name].groups.findIndex((group) => group.parameter === parameter);
    const rule = patientRules.plans[name].groups[index]?.rules.find(({ id }) => id === ruleId);
    if (rule !== undefined) {
      const episode = episodesOf(patientRules.ruleState[name])[index] ?? null;
      return {
        limits: rule.limits,
        episode,
        isConfirmed: isConfirmed({ episode }, now),
        kind: streams[name].kinds[episode?.source ?? -1] ?? null,
        devices: holdersOf(patientRules, name, index, episode?.source ?? null),
        violation: violationOf(patientRules, name, index, ruleId),
        medians: mediansOfStream(patientRules, name, episode?.source ?? null, rule.input),
      };
    }
  }
  return { limits: null, episode: null, isConfirmed: null, kind: null };
}

/** Returns whether a second reading, or the lack of one in time, has confirmed a single one; null: none was needed. */
function isConfirmed({ episode }: { episode: Episode | null }, now: EpochMs): boolean | null {
  return episode === null || episode.unconfirmedUntil === null ? null : !isUnconfirmed(episode, now);
}

/** Returns the episode of the score, and what is known of one of its rules. */
function scoreRules({ news2: state, holding, row, isComfortCare }: PatientRuleState, ruleId: string) {
  const id = news2RuleIds.find((known) => known === ruleId);
  const since = id === undefined ? 0 : (state.timers[id]?.violatedSince ?? 0);
  const limits = news2LimitsOf({ ...holding, scale: row.spo2_scale, isComfortCare });
  return {
    limits: id === undefined ? null : limits[id],
    episode: state.episode,
    violation: since === 0 ? null : { since, isAtLeast: false },
  };
}

/** Returns the devices of a source for which a rule of a group is active. */
function holdersOf(
  { plans, ruleState }: PatientRuleState,
  name: StreamName,
  group: number,
  source: number | null,
): number[] {
  return activeTimers(plans[name], ruleState[name].head.state, group).flatMap(({ rule, feed }) =>
    rule.input !== 'disagreement' && feed.counts && feed.source === source ? (feed.deviceId ?? []) : [],
  );
}

/** Returns since when a rule of a stream is violated by the values that count. */
function violationOf(
  { plans, ruleState }: PatientRuleState,
  name: StreamName,
  group: number,
  ruleId: string,
): SentenceFacts['violation'] {
  const [first] = activeTimers(plans[name], ruleState[name].head.state, group)
    .filter(({ timer, rule, feed }) => rule.id === ruleId && feed.counts && timer.from > 0)
    .sort((a, b) => a.timer.from - b.timer.from);
  return first === undefined ? null : { since: first.timer.from, isAtLeast: first.timer.hasGap };
}

/** Returns the medians that a rule about a trend compares now; null for other rules. */
function mediansOfStream(
  { ruleState }: PatientRuleState,
  name: StreamName,
  source: number | null,
  input: RuleInput,
): SentenceFacts['medians'] {
  const { timings, state } = ruleState[name].head;
  const ofSource = state.feeds.flatMap((feed, index) => (feed.source === source ? (timings[index]?.trend ?? []) : []));
  const [trend] = input === 'drop' || input === 'jump' ? ofSource : [];
  return trend === undefined ? null : mediansOf(trend);
}

function readingRules(patientRules: PatientRuleState, parameter: SpotParameter, now: EpochMs): Rules {
  const check = patientRules.spots[parameter];
  if (check === undefined) {
    return { limits: null, episode: null, isConfirmed: null, kind: null };
  }
  const { priority, episode, isConfirmed } = spotCheckAt(check, spotSetting(patientRules, parameter), now);
  return { limits: spotLimits(parameter, patientRules.row.spo2_scale, priority), episode, isConfirmed, kind: null };
}

/** Returns what is shown of a kind, or the newest value of the devices that hold an alert, if that is another one's. */
function heldBy(
  liveState: LiveState,
  row: PatientRow,
  kind: VitalKind,
  devices: readonly number[],
  shown: Pick<Shown, 'latest' | 'isSubstitute'>,
): Pick<Shown, 'latest' | 'isSubstitute'> {
  const holds = ({ sample }: Latest): boolean => devices.includes(Math.max(sample.deviceId, -1));
  const [first, ...others] = liveState
    .latestOfDevices(row.id, kinds[kind].code)
    .filter((latest) => holds(latest) && latest.valid !== null);
  return first === undefined || holds(shown.latest)
    ? shown
    : { latest: newestOfDevices(first, others), isSubstitute: true };
}

/** Returns the value of a kind that is shown as the present one, or null. */
function liveValueOf(liveState: LiveState, row: PatientRow, kind: VitalKind, now: EpochMs): number | null {
  const { valid = null, sample } = liveState.latestOf(row.id).get(kinds[kind].code) ?? {};
  const isLive =
    valid !== null &&
    sample !== undefined &&
    freshnessOf(now - valid.asOf, expectedEveryMs(liveState, row, kind, sample.deviceId)) === 'live';
  return isLive ? roundVital(kind, valid.value) : null;
}

/**
 * Returns the newest valid value of a parameter, of the kind and of a device that hold it if they are known: it is not
 * well again while another device says so. For a missing signal, that of the signal that is missing longest.
 */
function newestOf(
  liveState: LiveState,
  row: PatientRow,
  parameter: Parameter,
  raisedBy: Pick<Rules, 'kind' | 'devices'> | null,
  now: EpochMs,
): SentenceFacts['newest'] {
  const kindsOfIt = raisedBy?.kind == null ? (kindsOf[parameter] ?? []) : [raisedBy.kind];
  const isSilence = parameter === 'reporting' || parameter === 'sensor';
  const found = kindsOfIt.flatMap((kind) => {
    const newest = liveState.latestOf(row.id).get(kinds[kind].code);
    if (newest === undefined) {
      return [];
    }
    // A missing signal is named by its last value, whatever another device shows now.
    const present = shownLatest(liveState, row, kind, newest, now);
    const shown = isSilence
      ? { latest: newest, isSubstitute: false }
      : heldBy(liveState, row, kind, raisedBy?.devices ?? [], present);
    const { sample, asOf, valid } = shown.latest;
    const other = shown.latest === present.latest ? present.other : present.latest;
    const isMeasured = !isInvalid(sample.quality);
    const known = isMeasured ? { value: sample.value, asOf } : valid;
    if (known === null) {
      return [];
    }
    const every = expectedEveryMs(liveState, row, kind, sample.deviceId);
    return [
      {
        kind,
        value: known.value,
        at: known.asOf,
        freshness: freshnessOf(now - known.asOf, every),
        isSingle: every >= spotEveryMs,
        isDoubtful: isMeasured && isQuestionable(sample.quality),
        ...(shown.isSubstitute && isMeasured ? { source: sourceName(liveState, sample.deviceId) } : {}),
        ...(other !== null && !isInvalid(other.sample.quality) && disagree(kind, known.value, other.sample.value)
          ? { other: roundVital(kind, other.sample.value) }
          : {}),
      },
    ];
  });
  if (isSilence) {
    return found.filter(({ freshness }) => freshness === 'off').sort((a, b) => a.at - b.at)[0] ?? null;
  }
  const isReading =
    parameter === 'readings' || (row.profile === 'home' && spotSources[found[0]?.kind ?? 'spo2'] !== undefined);
  return isReading
    ? (found.sort((a, b) => b.at - a.at)[0] ?? null)
    : (found.find(({ freshness }) => freshness !== 'off') ?? found[0] ?? null);
}
