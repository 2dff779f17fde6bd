import { inParts } from '../db/inParts';
import type { Sample } from '../vitals/sample';
import type { WriteRequest } from './writer';

/** A part takes the thread a few milliseconds, its evaluation included. */
export const rowsPerPart = 180;

export interface RequestPart {
  request: WriteRequest;
  isLate: boolean;
  rows: number;
  /** Where its samples are in the whole call. */
  places: readonly number[];
}

/**
 * Splits what one call writes into parts of at most `rowsPerPart` samples and rows of quarantine: first those with
 * samples that can sound, then those whose samples are all late. What a sample replaced goes with it.
 */
export function partsOf(request: WriteRequest, isLate: (sample: Sample) => boolean): RequestPart[] {
  const places: { live: number[]; late: number[] } = { live: [], late: [] };
  request.samples.forEach((sample, index) => places[isLate(sample) ? 'late' : 'live'].push(index));
  const isOnePart =
    Math.max(places.live.length, places.late.length) === request.samples.length &&
    Math.max(request.samples.length, request.quarantined.length) <= rowsPerPart;
  if (isOnePart) {
    const rows = request.samples.length + request.quarantined.length;
    return [{ request, isLate: places.live.length === 0, rows, places: [...places.live, ...places.late] }];
  }
  const ofSamples = [
    ...inParts(places.live, rowsPerPart).map((part) => ({ isLate: false, places: part })),
    ...inParts(places.late, rowsPerPart).map((part) => ({ isLate: true, places: part })),
  ];
  const ofQuarantine = inParts(request.quarantined, rowsPerPart);
  return Array.from({ length: Math.max(ofSamples.length, ofQuarantine.length) }, (_, index): RequestPart => {
    const part = ofSamples[index] ?? { isLate: true, places: [] };
    const quarantined = ofQuarantine[index] ?? [];
    const placeOf = new Map(part.places.map((place, position) => [place, position]));
    return {
      ...part,
      rows: part.places.length + quarantined.length,
      request: {
        ...request,
        samples: part.places.flatMap((place) => request.samples[place] ?? []),
        replaced: request.replaced.flatMap(({ sample, by }) => {
          const position = placeOf.get(by);
          return position === undefined ? [] : [{ sample, by: position }];
        }),
        quarantined,
        clocks: index === 0 ? request.clocks : [],
      },
    };
  });
}
