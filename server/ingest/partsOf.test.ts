import fc from 'fast-check';
import type { Sample } from '../vitals/sample';
import { partsOf, rowsPerPart } from './partsOf';
import { newRequest } from './writer';

const sampleAt = (takenAt: number): Sample => ({
  minute: 0,
  patientId: 1,
  kind: 1,
  takenAt,
  deviceId: 1,
  siteId: 1,
  value: 97,
  quality: 0,
  receivedAt: 0,
  offsetMs: 0,
});
const isLate = ({ takenAt }: Sample): boolean => takenAt % 3 === 0;
const anyRequest = fc
  .record({ samples: fc.nat(1_300), quarantined: fc.nat(1_300), corrected: fc.array(fc.nat(1_299), { maxLength: 5 }) })
  .map(({ samples, quarantined, corrected }) =>
    newRequest({
      samples: Array.from({ length: samples }, (_, index) => sampleAt(index)),
      replaced: corrected.filter((by) => by < samples).map((by) => ({ sample: sampleAt(by), by })),
      quarantined: Array.from({ length: quarantined }, (_, index) => ({
        siteId: 1,
        deviceId: 1,
        receivedAt: 0,
        code: String(index),
        sample: '',
      })),
      isClockEstablished: true,
    }),
  );

describe('the parts of a call', () => {
  it('hold every row once, few in each, live samples first, and what a sample replaced beside it', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const parts = partsOf(request, isLate);
        const places = parts.flatMap((part) => part.places);
        expect([...places].sort((a, b) => a - b)).toEqual(request.samples.map((_, index) => index));
        expect(parts.flatMap((part) => part.request.samples)).toEqual(places.map((place) => request.samples[place]));
        expect(parts.flatMap((part) => part.request.quarantined)).toEqual(request.quarantined);
        const replaced = parts.flatMap((part) =>
          part.request.replaced.map(({ sample, by }) => [sample, part.request.samples[by]]),
        );
        expect(replaced).toHaveLength(request.replaced.length);
        for (const [sample, by] of replaced) {
          expect(by?.takenAt).toBe(sample?.takenAt);
        }
        for (const part of parts) {
          expect(part.rows).toBe(part.request.samples.length + part.request.quarantined.length);
          expect(part.request.samples.length).toBeLessThanOrEqual(rowsPerPart);
          expect(part.request.quarantined.length).toBeLessThanOrEqual(rowsPerPart);
          expect(part.request.samples.every((sample) => isLate(sample) === part.isLate)).toBe(true);
        }
        const lateness = parts.filter((part) => part.places.length > 0).map((part) => part.isLate);
        expect(lateness).toEqual([...lateness].sort());
      }),
      { numRuns: 50 },
    );
  });
});
