import { nextTiming, silentTiming, type Timing } from '../../lib/alerts/feeds';
import { steadyGapMs, steadyMs } from '../../lib/alerts/timing';
import { getOrAdd } from '../../lib/getOrAdd';
import type { EpochMs } from '../../lib/time/epochMs';
import { ValidityHistory } from '../../lib/vitals/validity';
import { isInvalid, isQuestionable } from './qualityCode';
import { seriesKey, type Sample } from './sample';

/** What is known of a device that measures one kind of one patient. */
interface Source {
  timing: Timing;
  /** Of its calls with valid values. */
  calls: Timing;
  /** Since when its valid values have come without a gap over 2 min. */
  steadySince: EpochMs;
  /** How much of the gap before its next valid value is time in which the server was down, in milliseconds. */
  downMs: number;
  validity: ValidityHistory;
}

type Key = Pick<Sample, 'patientId' | 'kind' | 'deviceId'>;

/** A value of a source: the time from which its age counts, and when it arrived. Epoch milliseconds. */
export interface Arrived {
  at: EpochMs;
  receivedAt: EpochMs;
  value: number;
  isDoubtful: boolean;
  isValid: boolean;
}

/** When each device measured each kind of each patient, and how far apart. A start resumes what the store knows. */
export class SourceTimings {
  private readonly bySeries = new Map<number, Map<number, Source>>();

  /** Adds a sample that counts from `at` on; one that is older than the newest of its source tells nothing new. */
  take(sample: Sample, at: EpochMs): void {
    const { value, quality, receivedAt } = sample;
    const [isDoubtful, isValid] = [isQuestionable(quality), !isInvalid(quality)];
    add(this.known(sample, at), { at, receivedAt, value, isDoubtful, isValid });
  }

  /**
   * Takes the last values of a source, in the order of measuring, and since when it had been steady before a start, and
   * goes on from there if it knows less. `downMs`: for how long the server was down.
   */
  resume(key: Key, steadySince: EpochMs, arrived: readonly Arrived[], downMs: number): void {
    const known = this.find(key);
    if (known !== undefined && known.steadySince <= steadySince) {
      known.downMs = Math.max(known.downMs, downMs);
      return;
    }
    if (arrived.length === 0) {
      return;
    }
    const source = sourceFrom(steadySince);
    for (const one of arrived) {
      add(source, one);
    }
    // A gap among the last values counts for more than what was kept before it.
    this.put(key, { ...source, downMs });
  }

  /** Returns the timing of a source, or undefined if it has sent nothing since the start. */
  of(key: Key): Timing | undefined {
    return this.find(key)?.timing;
  }

  /**
   * Returns how far apart the values of a source come, in milliseconds and whole seconds; for bursts how far apart
   * these are. Null until it has kept that up for a quarter of an hour (clinical.md section 0, S2).
   */
  observedEveryMs(key: Key): number | null {
    const source = this.find(key);
    if (source === undefined || source.timing.last === null || source.timing.paceMs === null) {
      return null;
    }
    const isSteady = source.timing.last.at - source.steadySince >= steadyMs;
    if (source.calls.paceMs === null) {
      return null;
    }
    const paceMs = Math.max(source.timing.paceMs, source.calls.paceMs);
    return isSteady ? Math.ceil(paceMs / 1_000) * 1_000 : null;
  }

  /** Returns whether the probe of a source comes and goes (`ValidityHistory`); null: nothing came since the start. */
  isUnreliable(key: Key, was: boolean, expectedEveryMs: number, now: EpochMs): boolean | null {
    const source = this.find(key);
    return source?.validity.isUnreliable(was, source.timing.paceMs ?? expectedEveryMs, now) ?? null;
  }

  /** Moves with a step of the server's clock, in milliseconds. */
  moveClock(ms: number): void {
    const move = (timing: Timing): Timing => ({
      ...timing,
      last:
        timing.last === null
          ? null
          : { ...timing.last, at: timing.last.at + ms, measuredAt: timing.last.measuredAt + ms },
      invalidSince: timing.invalidSince === null ? null : timing.invalidSince + ms,
    });
    for (const source of [...this.bySeries.values()].flatMap((devices) => [...devices.values()])) {
      source.timing = move(source.timing);
      source.calls = move(source.calls);
      source.steadySince += ms;
      source.validity.moveClock(ms);
    }
  }

  private find({ patientId, kind, deviceId }: Key): Source | undefined {
    return this.bySeries.get(seriesKey(patientId, kind))?.get(deviceId);
  }

  private known(key: Key, at: EpochMs): Source {
    return this.find(key) ?? this.put(key, sourceFrom(at));
  }

  private put({ patientId, kind, deviceId }: Key, source: Source): Source {
    getOrAdd(this.bySeries, seriesKey(patientId, kind), () => new Map<number, Source>()).set(deviceId, source);
    return source;
  }
}

function sourceFrom(steadySince: EpochMs): Source {
  return { timing: silentTiming, calls: silentTiming, steadySince, downMs: 0, validity: new ValidityHistory() };
}

function add(source: Source, { at, receivedAt, value, isDoubtful, isValid }: Arrived): void {
  const { timing } = source;
  if (timing.last !== null && at <= timing.last.at) {
    return;
  }
  const entry = { at, measuredAt: at, value, isDoubtful, isValid };
  source.validity.take(at, isValid);
  source.timing = nextTiming(timing, entry);
  if (isValid) {
    const isGap = timing.last !== null && at - timing.last.at - source.downMs > steadyGapMs;
    source.steadySince = isGap ? at : source.steadySince;
    source.downMs = 0;
    if (source.calls.last === null || receivedAt > source.calls.last.at) {
      source.calls = nextTiming(source.calls, { ...entry, at: receivedAt });
    }
  }
}
