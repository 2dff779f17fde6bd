import type { EpochMs } from '../../lib/time/epochMs';
import { ageFrom } from '../../lib/vitals/deviceClock';
import type { Latest, Sample } from './sample';
import { isInvalid, isQuestionable } from './qualityCode';

interface Place {
  asOf: EpochMs;
  takenAt: EpochMs;
  deviceId: number;
}

/** Orders by age. Between equal ages the key decides, so that any order of arrival ends with the same newest value. */
function isNewer(a: Place, b: Place): boolean {
  if (a.asOf !== b.asOf) {
    return a.asOf > b.asOf;
  }
  return a.takenAt === b.takenAt ? a.deviceId > b.deviceId : a.takenAt > b.takenAt;
}

/**
 * Takes the newest values of a kind (undefined: none yet) and one more sample of it, and returns the newest of all. One
 * that was not stored gives way to the same sample when that is.
 */
export function newest(known: Latest | undefined, sample: Sample): Latest {
  const { value, takenAt, deviceId } = sample;
  const asOf = ageFrom(takenAt, sample.offsetMs, sample.receivedAt);
  const doubt = isQuestionable(sample.quality) ? { isUncertain: true as const } : {};
  const measured = isInvalid(sample.quality) ? null : { value, takenAt, deviceId, asOf, ...doubt };
  if (known === undefined) {
    return { sample, asOf, valid: measured };
  }
  const { valid } = known;
  const { sample: before } = known;
  const isStoredNow = before.isUnstored === true && before.takenAt === takenAt && before.deviceId === deviceId;
  const isLatest = isStoredNow || isNewer({ asOf, takenAt, deviceId }, placeOf(known));
  return {
    sample: isLatest ? sample : known.sample,
    asOf: isLatest ? asOf : known.asOf,
    valid: measured !== null && (valid === null || isStoredNow || isNewer(measured, valid)) ? measured : valid,
  };
}

/**
 * Takes what is known of a kind by device and returns the newest of all: the newest sample, and the newest that
 * measured something.
 */
export function newestOf(first: Latest, others: readonly Latest[]): Latest {
  return others.reduce((known, other) => {
    const isLatest = isNewer(placeOf(other), placeOf(known));
    const { sample, asOf } = isLatest ? other : known;
    const valid =
      known.valid === null || (other.valid !== null && isNewer(other.valid, known.valid)) ? other.valid : known.valid;
    return { sample, asOf, valid };
  }, first);
}

function placeOf({ sample, asOf }: Latest): Place {
  return { asOf, takenAt: sample.takenAt, deviceId: sample.deviceId };
}
