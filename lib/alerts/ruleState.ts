import type { EpochMs } from '../time/epochMs';
import { hasSignal, kinds, type VitalKind } from '../vitals/kinds';
import { roundVital } from '../vitals/roundVital';
import type { Quality } from '../vitals/schema';
import type { Alert, AlertChange } from './alert';
import { takeEpisode } from './takeEpisode';
import type { Evidence } from './evidence';
import type { StreamState } from './fold';
import { isNeverHeld } from './neverHeld';
import type { Entry, Plan } from './plan';
import type { Parameter } from './parameters';
import { signalOf } from './poorSignal';
import {
  evidenceLength,
  arrivedTooLate,
  type RetrospectiveEntry,
  type RetrospectiveEpisode,
  violatesAny,
} from './retrospective';
import { ruleVersion } from './ruleVersion';
import { retrospectiveAfterMs, readingRetrospectiveAfterMs } from './timing';
import {
  resetStream,
  episodesOf,
  createStream,
  resumeStream,
  takeEntriesOfStream,
  takeEntryOfStream,
  type Stream,
} from './stream';
import { byStream, planOf, streamNames, streams, type Setting, type StreamName } from './streams';
import { newestEntries } from './window';
import { withdrawValue } from './withdrawValue';

/** The rules' state for a continuously monitored patient: its streams. Immutable. */
export type RuleState = Readonly<Record<StreamName, Stream>>;

/** The plans of a patient's streams, kept until a setting changes. */
export type Plans = Readonly<Record<StreamName, Plan>>;

export interface RuleSample {
  kind: VitalKind;
  /** By our clock, epoch milliseconds. */
  measuredAt: EpochMs;
  /** Below zero: a user typed it in. */
  deviceId: number;
  /** The device is assigned to the patient. */
  isAssigned: boolean;
  value: number;
  quality: Quality;
  /** The device stated qualities before, and does no longer (clinical.md section 0, Q2). */
  hasStoppedStating: boolean;
  /** A person said that it was entered in error: it counts for nothing any more. */
  isWithdrawn?: true;
}

/** A change of a parameter's alert. */
export interface ParameterChange {
  parameter: Parameter;
  change: AlertChange;
}

/** Returns the last alert of a parameter, open or closed; null: none. The caller keeps the alerts. */
export type AlertOf = (parameter: Parameter) => Alert | null;

/** `isHeld`: the patient is in standby. */
export interface How {
  isHeld: boolean;
  alertOf: AlertOf;
}

export function plansOf(setting: Setting): Plans {
  return byStream((name) => planOf(name, setting));
}

/** Returns the state before a patient's first sample. */
export function createRuleState(plans: Plans): RuleState {
  return byStream((name) => createStream(plans[name]));
}

/** What was kept of the streams (`toKeep`). `isNow`: it already has what all samples say. */
export type StreamStates = Readonly<Record<StreamName, { state: StreamState; isNow: boolean }>>;

/** Earlier samples, and the last values of a kind's minutes, for `resumeStream`. */
export interface RuleStateHistory {
  samples: readonly { sample: RuleSample; receivedAt: EpochMs }[];
  minutes: (kind: VitalKind) => readonly { minute: number; last: number }[];
  /** When streams were last reset (`resetStreams`). */
  resetAt: Readonly<Partial<Record<StreamName, number>>>;
}

/**
 * Returns the rule state as it was before a restart, of what was kept last, and the samples and minutes as
 * `resumeStream` says.
 */
export function resumeRuleState(
  plans: Plans,
  kept: StreamStates,
  { samples, minutes, resetAt }: RuleStateHistory,
): RuleState {
  const valuesOf = (name: StreamName): { entry: Entry; receivedAt: EpochMs }[] =>
    samples.flatMap(({ sample, receivedAt }) => {
      const found = streamOfKind[sample.kind]?.stream === name ? entryOf(sample, receivedAt) : null;
      return found === null ? [] : [{ entry: found, receivedAt }];
    });
  const resume = (name: StreamName): Stream => {
    const { state, isNow } = kept[name];
    const values = valuesOf(name);
    const until = isNow ? Math.max(0, ...values.map(({ entry }) => entry.at + 1)) : 0;
    const from = Math.max(until, resetAt[name] ?? 0);
    return resumeStream(plans[name], state, values, streams[name].kinds.map(minutes), from);
  };
  return byStream(resume);
}

/**
 * Returns the state with some of its streams reset from `from` on, epoch milliseconds. The caller closes their alerts.
 */
export function resetStreams(
  ruleState: RuleState,
  plans: Plans,
  names: readonly StreamName[],
  from: number,
): RuleState {
  return names.reduce((after, name) => withStream(after, name, resetStream(after[name], plans[name], from)), ruleState);
}

/**
 * Returns the evidence of an alert that a stream raised: the patient's limits, and the last values, the newest first.
 */
export function evidenceOf(ruleState: RuleState, plans: Plans, parameter: Parameter, ruleId: string): Evidence {
  const name = streamNames.find((one) => plans[one].groups.some((group) => group.parameter === parameter));
  return name === undefined
    ? { ruleVersion, limits: null, samples: [] }
    : evidenceFrom(name, plans[name], {
        parameter,
        rule: ruleId,
        values: newestEntries(ruleState[name], evidenceLength, ({ isValid }) => isValid),
      });
}

/** Returns the evidence of an episode that a retrospective evaluation found. */
export function retrospectiveEvidence(
  name: StreamName,
  plan: Plan,
  { parameter, worst }: RetrospectiveEpisode,
): Evidence {
  return evidenceFrom(name, plan, { parameter, ...worst });
}

/** Returns the extremes of an episode's late values, each with its side. */
export function lateExtremes(
  name: StreamName,
  plan: Plan,
  { parameter, worst: { rule }, late }: RetrospectiveEpisode,
): Evidence['samples'] {
  return (['low', 'high'] as const).flatMap((side) => {
    const value = side === 'low' ? late?.lowest : late?.highest;
    const { samples } = evidenceFrom(name, plan, { parameter, rule, values: value == null ? [] : [value] });
    return samples.map((sample) => ({ ...sample, side }));
  });
}

function evidenceFrom(
  name: StreamName,
  plan: Plan,
  { parameter, rule, values }: { parameter: Parameter; rule: string; values: readonly Entry[] },
): Evidence {
  const { kinds: kindsOfStream } = streams[name];
  const rules = plan.groups.find((group) => group.parameter === parameter)?.rules ?? [];
  const samples = values.flatMap(({ source, value, measuredAt, deviceId, isDoubtful }) => {
    const kind = kindsOfStream[source];
    return kind === undefined ? [] : [{ kind, value, measuredAt, deviceId, isDoubtful }];
  });
  return { ruleVersion, limits: rules.find(({ id }) => id === rule)?.limits ?? null, samples };
}

const nothing: readonly ParameterChange[] = [];

/** A rule state after a sample, and what changed of alerts. */
interface Evaluated {
  ruleState: RuleState;
  changes: readonly ParameterChange[];
}

/**
 * Takes a patient's rule state and a sample that arrived at `now` (epoch milliseconds, never going back), and returns
 * the state after it with the changes of alerts. Returns the same state if no rule evaluates the kind, or if the sample
 * is a repeat or too late. One that was typed in and is withdrawn is taken back.
 */
export function evaluateSample(
  ruleState: RuleState,
  plans: Plans,
  sample: RuleSample,
  now: EpochMs,
  how: How,
): Evaluated {
  const position = streamOfKind[sample.kind];
  const isWithdrawn = sample.isWithdrawn === true;
  const entry = entryOf(isWithdrawn ? { ...sample, isWithdrawn: undefined } : sample, now);
  if (position === undefined || entry === null) {
    return { ruleState, changes: nothing };
  }
  const { stream: name } = position;
  const before = ruleState[name];
  const stream = (isWithdrawn ? withdrawValue : takeEntryOfStream)(before, plans[name], entry, now);
  if (stream === before) {
    return { ruleState, changes: nothing };
  }
  const after = withStream(ruleState, name, stream);
  return stream.head.state === before.head.state
    ? { ruleState: after, changes: nothing }
    : { ruleState: after, changes: changesOf(after, plans, name, now, how) };
}

/** Returns the streams that evaluate some of these kinds. */
export function streamsOf(measured: ReadonlySet<VitalKind>): StreamName[] {
  return streamNames.filter((name) => streams[name].kinds.some((kind) => measured.has(kind)));
}

/**
 * Returns what `evaluateSample` returns after some streams were evaluated again from the values that are left of the
 * last hours, in the order in which they arrived: others were withdrawn. An alert that none of these values justifies
 * ends as withdrawn.
 */
export function replayStreams(
  ruleState: RuleState,
  plans: Plans,
  names: readonly StreamName[],
  values: readonly { sample: RuleSample; receivedAt: EpochMs }[],
  now: EpochMs,
  how: How,
): Evaluated {
  return names.reduce<Evaluated>(
    (before, name) => {
      const plan = plans[name];
      let stream = createStream(plan);
      for (const { sample, receivedAt } of values) {
        const entry = streamOfKind[sample.kind]?.stream === name ? entryOf(sample, receivedAt) : null;
        stream = entry === null ? stream : takeEntryOfStream(stream, plan, entry, receivedAt);
      }
      return {
        ruleState: withStream(before.ruleState, name, stream),
        changes: [...before.changes, ...changesOf(withStream(before.ruleState, name, stream), plans, name, now, how)],
      };
    },
    { ruleState, changes: nothing },
  );
}

/** Returns whether a sample lies before the newest one of its stream, so that later ones are evaluated again. */
export function isBehind(ruleState: RuleState, sample: RuleSample, now: EpochMs): boolean {
  const position = streamOfKind[sample.kind];
  const newest = position === undefined ? undefined : ruleState[position.stream].newest?.newest.entry;
  return newest !== undefined && orderOf(sample, now) < newest.at;
}

/**
 * Does what `evaluateSample` does with each of some samples that arrived together and lie before others, at the cost of
 * one: a device that sends its buffer with the newest value first must not hold up the evaluation of all patients.
 */
export function evaluateSamplesBehind(
  ruleState: RuleState,
  plans: Plans,
  samples: readonly RuleSample[],
  now: EpochMs,
  how: How,
): { ruleState: RuleState; changes: readonly ParameterChange[] } {
  let after = ruleState;
  const changes: ParameterChange[] = [];
  for (const name of streamNames) {
    const entries = samples.flatMap((sample) => {
      const entry = streamOfKind[sample.kind]?.stream === name ? entryOf(sample, now) : null;
      return entry === null ? [] : [entry];
    });
    const before = after[name];
    const stream = takeEntriesOfStream(before, plans[name], entries, now);
    after = stream === before ? after : withStream(after, name, stream);
    if (stream.head.state !== before.head.state) {
      changes.push(...changesOf(after, plans, name, now, how));
    }
  }
  return { ruleState: after, changes };
}

/** Returns the changes that raise what was held back and what still applies. */
export function raiseHeld(ruleState: RuleState, plans: Plans, now: EpochMs, how: How): readonly ParameterChange[] {
  return streamNames.flatMap((name) => changesOf(ruleState, plans, name, now, how));
}

/** Written out, because every sample runs through here and a computed key costs more. */
function withStream({ oxygenation, rate, perfusion }: RuleState, name: StreamName, stream: Stream): RuleState {
  switch (name) {
    case 'oxygenation':
      return { oxygenation: stream, rate, perfusion };
    case 'rate':
      return { oxygenation, rate: stream, perfusion };
    case 'perfusion':
      return { oxygenation, rate, perfusion: stream };
    default:
      return name satisfies never;
  }
}

function changesOf(
  ruleState: RuleState,
  plans: Plans,
  name: StreamName,
  now: EpochMs,
  { isHeld, alertOf }: How,
): readonly ParameterChange[] {
  const [plan, stream] = [plans[name], ruleState[name]];
  let changes: ParameterChange[] | null = null;
  episodesOf(stream).forEach((episode, position) => {
    const parameter = plan.groups[position]?.parameter;
    const alert = parameter === undefined ? null : alertOf(parameter);
    if (parameter === undefined || (episode === null && alert === null)) {
      return;
    }
    const place = { plan, stream, group: position, perfusion: ruleState.perfusion };
    const held = isHeld && !isNeverHeld(plan, stream, position);
    const change = takeEpisode(alert, parameter, episode, now, { isHeld: held, signal: () => signalOf(place) });
    if (change !== null) {
      changes = [...(changes ?? []), { parameter, change }];
    }
  });
  return changes ?? nothing;
}

/** The other kinds are evaluated as spot checks, or in the early warning score. */
const streamOfKind: Readonly<Partial<Record<VitalKind, { stream: StreamName; source: number }>>> = Object.fromEntries(
  streamNames.flatMap((stream) => streams[stream].kinds.map((kind, source) => [kind, { stream, source }])),
);

function entryOf(sample: RuleSample, now: EpochMs): Entry | null {
  const position = streamOfKind[sample.kind];
  return position === undefined || sample.isWithdrawn === true
    ? null
    : {
        at: orderOf(sample, now),
        measuredAt: sample.measuredAt,
        source: position.source,
        deviceId: sample.deviceId,
        isAssigned: sample.isAssigned,
        isValid: sample.quality !== 'invalid' && hasSignal(sample.kind, sample.value),
        value: roundVital(sample.kind, sample.value),
        isDoubtful: sample.quality === 'questionable',
        hasStoppedStating: sample.hasStoppedStating,
      };
}

/**
 * Returns a sample that arrived at `receivedAt` as a value of a retrospective evaluation, and its stream; null if no
 * rule evaluates it.
 */
export function retrospectiveEntryOf(
  sample: RuleSample,
  receivedAt: EpochMs,
): { stream: StreamName; entry: RetrospectiveEntry } | null {
  const position = streamOfKind[sample.kind];
  const entry = entryOf(sample, receivedAt);
  const { measuredAt } = sample;
  return position === undefined || entry === null
    ? null
    : {
        stream: position.stream,
        entry: { ...entry, at: measuredAt, isRetrospective: arrivedTooLate(measuredAt, receivedAt) },
      };
}

/** Returns whether a sample violates a rule about the patient (`violatesAny`). */
export function violatesSome(plans: Plans, sample: RuleSample): boolean {
  const found = retrospectiveEntryOf(sample, sample.measuredAt);
  return found !== null && violatesAny(plans[found.stream], found.entry);
}

/**
 * A reading of a spot kind, or one that was typed in, that arrives late takes its place by its arrival, so that it
 * changes nothing that was evaluated without it.
 */
function orderOf({ kind, measuredAt, deviceId }: RuleSample, now: EpochMs): number {
  const isSpot = !kinds[kind].continuous || deviceId < 0;
  return isSpot && measuredAt >= now - readingRetrospectiveAfterMs
    ? Math.max(measuredAt, now - retrospectiveAfterMs)
    : measuredAt;
}
