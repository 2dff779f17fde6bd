import { nextTiming, silentTiming, type Timing } from '../../lib/alerts/feeds';
import { steadyGapMs, steadyMs } from '../../lib/alerts/timing';
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
  validity: ValidityHistory;
}

type Key = Pick<Sample, 'patientId' | 'kind' | 'deviceId'>;

/** When each device measured each kind of each patient, and how far apart, since the start of the server. */
export class SourceTimings {
  private readonly bySeries = new Map<number, Map<number, Source>>();

  /** Adds a sample that counts from `at` on; one that is older than the newest of its source tells nothing new. */
  take(sample: Sample, at: EpochMs): void {
    const source = this.known(sample, at);
    const { timing } = source;
    if (timing.last !== null && at <= timing.last.at) {
      return;
    }
    const { value, quality } = sample;
    const isValid = !isInvalid(quality);
    const entry = { at, measuredAt: at, value, isDoubtful: isQuestionable(quality), isValid };
    source.validity.take(at, isValid);
    source.timing = nextTiming(timing, entry);
    if (isValid) {
      source.steadySince = timing.last !== null && at - timing.last.at > steadyGapMs ? at : source.steadySince;
      if (source.calls.last === null || sample.receivedAt > source.calls.last.at) {
        source.calls = nextTiming(source.calls, { ...entry, at: sample.receivedAt });
      }
    }
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
    const paceMs = Math.max(source.timing.paceMs, source.calls.paceMs ?? 0);
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

  private known(sample: Sample, at: EpochMs): Source {
    const key = seriesKey(sample.patientId, sample.kind);
    let devices = this.bySeries.get(key);
    if (devices === undefined) {
      devices = new Map();
      this.bySeries.set(key, devices);
    }
    let source = devices.get(sample.deviceId);
    if (source === undefined) {
      source = { timing: silentTiming, calls: silentTiming, steadySince: at, validity: new ValidityHistory() };
      devices.set(sample.deviceId, source);
    }
    return source;
  }
}
