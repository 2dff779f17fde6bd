import { hasSignal, kinds, type VitalKind } from '../vitals/kinds';
import { roundVital } from '../vitals/roundVital';
import type { Quality } from '../vitals/schema';
import { takeEpisode, type Alert, type AlertEvent } from './alert';
import type { Evidence } from './evidence';
import type { Entry, Memory, Plan } from './fold';
import type { Parameter } from './parameters';
import { evidenceLength, isOfThePast, type PastEntry, type PastEpisode, violatesAny } from './past';
import { ruleVersion } from './ruleVersion';
import { lateMs, lateReadingMs } from './timing';
import { beginAnew, episodesOf, openTrack, resumeTrack, takeValue, toKeep, type Track } from './track';
import { planOf, trackNames, tracks, type Setting, type TrackName } from './tracks';
import { newestEntries } from './window';

/**
 * What is known of a continuously watched patient: where the rules stand, and the last alert of each parameter.
 * Immutable.
 */
export interface Watch extends Readonly<Record<TrackName, Track>> {
  alerts: Readonly<Partial<Record<Parameter, Alert>>>;
}

/** The plans of a patient's streams. Made once and kept until something of the setting changes. */
export type Plans = Readonly<Record<TrackName, Plan>>;

export interface WatchedSample {
  kind: VitalKind;
  /** By our clock, epoch milliseconds. */
  measuredAt: number;
  deviceId: number;
  value: number;
  quality: Quality;
}

/** A line for the log of a parameter's alert. */
export interface ParameterEvent {
  parameter: Parameter;
  event: AlertEvent;
}

export function plansOf(setting: Setting): Plans {
  return {
    oxygenation: planOf('oxygenation', setting),
    rate: planOf('rate', setting),
    perfusion: planOf('perfusion', setting),
  };
}

/** A patient of whom nothing has come yet. */
export function openWatch(plans: Plans): Watch {
  return {
    oxygenation: openTrack(plans.oxygenation),
    rate: openTrack(plans.rate),
    perfusion: openTrack(plans.perfusion),
    alerts: {},
  };
}

/** What the store has to keep of the three streams (`toKeep`). */
export type WatchMemory = Readonly<Record<TrackName, Memory>>;

export function watchToKeep({ oxygenation, rate, perfusion }: Watch): WatchMemory {
  return { oxygenation: toKeep(oxygenation), rate: toKeep(rate), perfusion: toKeep(perfusion) };
}

/** A sample that came in earlier, and the last values of a kind's minutes, as `resumeTrack` wants them. */
export interface WatchHistory {
  samples: readonly { sample: WatchedSample; receivedAt: number }[];
  minutes: (kind: VitalKind) => readonly { minute: number; last: number }[];
  /** From when on streams were begun anew (`beginTracksAnew`). */
  begunAt: Readonly<Partial<Record<TrackName, number>>>;
}

/**
 * The watch as it was before a restart: what was kept last, the samples and minutes as `resumeTrack` says, and the last
 * alert of each parameter.
 */
export function resumeWatch(
  plans: Plans,
  kept: WatchMemory | null,
  { samples, minutes, begunAt }: WatchHistory,
  alerts: Watch['alerts'],
): Watch {
  const valuesOf = (name: TrackName): { entry: Entry; receivedAt: number }[] =>
    samples.flatMap(({ sample, receivedAt }) => {
      const placed = isJudged(sample) && places[sample.kind]?.track === name ? entryOf(sample, receivedAt) : null;
      return placed === null ? [] : [{ entry: placed, receivedAt }];
    });
  const resume = (name: TrackName): Track =>
    resumeTrack(plans[name], kept?.[name] ?? null, valuesOf(name), tracks[name].kinds.map(minutes), begunAt[name]);
  return { oxygenation: resume('oxygenation'), rate: resume('rate'), perfusion: resume('perfusion'), alerts };
}

/**
 * The watch with some of its streams begun anew from `from` on, epoch milliseconds. Their alerts are the caller's to
 * close.
 */
export function beginTracksAnew(watch: Watch, plans: Plans, names: readonly TrackName[], from: number): Watch {
  return names.reduce((after, name) => withTrack(after, name, beginAnew(after[name], plans[name], from)), watch);
}

/**
 * What an alert of a stream's rule rests on: the limits as they held for the patient, and the last values, the newest
 * first.
 */
export function evidenceOf(watch: Watch, plans: Plans, parameter: Parameter, ruleId: string): Evidence {
  const name = trackNames.find((one) => plans[one].groups.some((group) => group.parameter === parameter));
  return name === undefined
    ? { ruleVersion, limits: null, samples: [] }
    : evidenceFrom(name, plans[name], { parameter, rule: ruleId, values: newestEntries(watch[name], evidenceLength) });
}

/** What an episode of a stream's past rests on. */
export function evidenceOfPast(name: TrackName, plan: Plan, { parameter, worst }: PastEpisode): Evidence {
  return evidenceFrom(name, plan, { parameter, ...worst });
}

function evidenceFrom(
  name: TrackName,
  plan: Plan,
  { parameter, rule, values }: { parameter: Parameter; rule: string; values: readonly Entry[] },
): Evidence {
  const { kinds: kindsOfTrack } = tracks[name];
  const rules = plan.groups.find((group) => group.parameter === parameter)?.rules ?? [];
  const samples = values.flatMap(({ source, value, measuredAt, deviceId, isDoubtful }) => {
    const kind = kindsOfTrack[source];
    return kind === undefined ? [] : [{ kind, value, measuredAt, deviceId, isDoubtful }];
  });
  return { ruleVersion, limits: rules.find(({ id }) => id === rule)?.limits ?? null, samples };
}

const nothing: readonly ParameterEvent[] = [];

/**
 * Takes a patient's watch and a sample that came at `now` (epoch milliseconds, never going back), and returns the watch
 * after it and what has to be told; the same watch where the sample says nothing about the rules: kinds that they do
 * not judge, a signal that is not there, a repeat, or what comes too late. `isHeld`: the patient is in standby.
 */
export function takeSample(
  watch: Watch,
  plans: Plans,
  sample: WatchedSample,
  now: number,
  { isHeld }: { isHeld: boolean },
): { watch: Watch; events: readonly ParameterEvent[] } {
  const place = places[sample.kind];
  const entry = isJudged(sample) ? entryOf(sample, now) : null;
  if (place === null || entry === null) {
    return { watch, events: nothing };
  }
  const { track: name } = place;
  const plan = plans[name];
  const before = watch[name];
  const track = takeValue(before, plan, entry, now);
  if (track === before) {
    return { watch, events: nothing };
  }
  const after = withTrack(watch, name, track);
  return track.head.memory === before.head.memory
    ? { watch: after, events: nothing }
    : tell(after, plan, track, now, isHeld);
}

/** Takes a patient's watch when a standby has ended, and returns it with what was held back and is still so. */
export function tellHeld(watch: Watch, plans: Plans, now: number): { watch: Watch; events: readonly ParameterEvent[] } {
  return trackNames.reduce<{ watch: Watch; events: readonly ParameterEvent[] }>(
    (so, name) => {
      const { watch: after, events } = tell(so.watch, plans[name], watch[name], now, false);
      return { watch: after, events: [...so.events, ...events] };
    },
    { watch, events: nothing },
  );
}

/** Written out, because every sample comes this way and a computed key costs more. */
function withTrack({ oxygenation, rate, perfusion, alerts }: Watch, name: TrackName, track: Track): Watch {
  switch (name) {
    case 'oxygenation':
      return { oxygenation: track, rate, perfusion, alerts };
    case 'rate':
      return { oxygenation, rate: track, perfusion, alerts };
    case 'perfusion':
      return { oxygenation, rate, perfusion: track, alerts };
    default:
      return name satisfies never;
  }
}

function tell(
  watch: Watch,
  plan: Plan,
  track: Track,
  now: number,
  isHeld: boolean,
): { watch: Watch; events: readonly ParameterEvent[] } {
  let { alerts } = watch;
  let events: ParameterEvent[] | null = null;
  episodesOf(track).forEach((episode, place) => {
    const parameter = plan.groups[place]?.parameter;
    if (parameter === undefined || (episode === null && alerts[parameter] === undefined)) {
      return;
    }
    const told = takeEpisode(alerts[parameter] ?? null, parameter, episode, now, { isHeld });
    if (told !== null) {
      alerts = { ...alerts, [parameter]: told.alert };
      events = [...(events ?? []), ...told.events.map((event) => ({ parameter, event }))];
    }
  });
  return alerts === watch.alerts
    ? { watch, events: nothing }
    : { watch: { ...watch, alerts }, events: events ?? nothing };
}

const places: Record<VitalKind, { track: TrackName; source: number } | null> = {
  spo2: placeOf('spo2'),
  heartRate: placeOf('heartRate'),
  pulseRate: placeOf('pulseRate'),
  perfusionIndex: placeOf('perfusionIndex'),
  oxygenFlow: placeOf('oxygenFlow'),
  // Judged as spot checks, or by the early warning score.
  respiratoryRate: null,
  temperature: null,
  systolic: null,
  diastolic: null,
  consciousness: null,
  weight: null,
};

function placeOf(kind: VitalKind): { track: TrackName; source: number } | null {
  for (const track of trackNames) {
    const source = [...tracks[track].kinds].findIndex((known) => known === kind);
    if (source !== -1) {
      return { track, source };
    }
  }
  return null;
}

function isJudged({ kind, value, quality }: WatchedSample): boolean {
  return quality !== 'invalid' && hasSignal(kind, value);
}

function entryOf(sample: WatchedSample, now: number): Entry | null {
  const place = places[sample.kind];
  return place === null
    ? null
    : {
        at: orderOf(sample, now),
        measuredAt: sample.measuredAt,
        source: place.source,
        deviceId: sample.deviceId,
        value: roundVital(sample.kind, sample.value),
        isDoubtful: sample.quality === 'questionable',
      };
}

/**
 * A sample that came at `receivedAt` as a value of the past, at its own time, and the stream that it is of; null where
 * no rule judges it.
 */
export function pastEntryOf(sample: WatchedSample, receivedAt: number): { track: TrackName; entry: PastEntry } | null {
  const place = places[sample.kind];
  const entry = isJudged(sample) ? entryOf(sample, receivedAt) : null;
  const { measuredAt } = sample;
  return place === null || entry === null
    ? null
    : { track: place.track, entry: { ...entry, at: measuredAt, isLate: isOfThePast(measuredAt, receivedAt) } };
}

/** Whether a sample violates a rule about the patient (`violatesAny`). */
export function violatesSome(plans: Plans, sample: WatchedSample): boolean {
  const placed = pastEntryOf(sample, sample.measuredAt);
  return placed !== null && violatesAny(plans[placed.track], placed.entry);
}

/**
 * A spot reading that is known late counts from when it is known, so that it changes nothing that was judged without
 * it.
 */
function orderOf({ kind, measuredAt }: WatchedSample, now: number): number {
  const isSpot = !kinds[kind].continuous && measuredAt >= now - lateReadingMs;
  return isSpot ? Math.max(measuredAt, now - lateMs) : measuredAt;
}
