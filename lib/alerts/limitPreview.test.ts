import fc from 'fast-check';
import { defaultBounds, type PatientLimits } from './limits';
import { compareLimits, coveredMs, totalOf } from './limitPreview';
import type { RetrospectiveEntry } from './retrospective';
import { planOf, streams } from './streams';

const second = 1_000;
const minute = 60 * second;
const start = Date.UTC(2026, 4, 1, 10);
const span = { from: start, to: start + 4 * 60 * minute };
const spo2 = streams.oxygenation.kinds.indexOf('spo2');

const planWith = (limits: PatientLimits) =>
  planOf('oxygenation', {
    scale: 1,
    limits,
    bounds: defaultBounds,
    isComfortCare: false,
    expectedEveryMs: () => second,
    evaluatesTrends: false,
  });
const present = planWith({});
const looser = planWith({ 'spo2.low': { low: 82 } });

/** SpO2 a second: its values, each for so many seconds. */
function play(parts: readonly (readonly [value: number, seconds: number])[], from = start): RetrospectiveEntry[] {
  return parts
    .flatMap(([value, seconds]) => Array.from({ length: seconds }, () => value))
    .map((value, place) => ({
      at: from + place * second,
      measuredAt: from + place * second,
      source: spo2,
      deviceId: 1,
      isAssigned: true,
      isValid: value > 0,
      value,
      isDoubtful: false,
      hasStoppedStating: false,
      isRetrospective: false,
    }));
}
const compare = (parts: Parameters<typeof play>[0], proposed = looser, standbys: (typeof span)[] = []) =>
  compareLimits({ now: present, proposed }, play(parts), span, standbys);

describe('a comparison of limits', () => {
  it('counts what would have been milder apart from what would not have been raised at all', () => {
    const off = planWith({ 'spo2.low': { low: 82 }, 'spo2.below': { low: 80 }, 'spo2.mild': { low: 80 } });
    const ill = [[97, 60], [85, 120], [97, 600]] as const; // prettier-ignore
    // Too short for the MEDIUM rule that watches the same values.
    expect(compare(ill)).toMatchObject({ now: { high: 1 }, missed: { high: 1 } });
    expect(compare(ill, off)).toMatchObject({ now: { high: 1 }, proposed: { high: 0 }, missed: { high: 1 } });
    const longer = [[97, 60], [85, 900], [97, 600]] as const; // prettier-ignore
    expect(compare(longer)).toEqual({
      now: { high: 1, medium: 0, low: 0 },
      proposed: { high: 0, medium: 1, low: 0 },
      missed: { high: 0, medium: 0, low: 0 },
      milder: { high: 1, medium: 0, low: 0 },
    });
  });

  it('leaves out what a whole standby covers, and nothing that goes on after it', () => {
    const ill = [[97, 60], [85, 120], [97, 600]] as const; // prettier-ignore
    const standby = { from: start, to: start + 10 * minute };
    expect(totalOf(compare(ill, looser, [standby]).now)).toBe(0);
    expect(totalOf(compare(ill, looser, [{ ...standby, to: start + 2 * minute }]).now)).toBe(1);
  });

  it('leaves out what had ended before, and counts what was active at the beginning', () => {
    const before = (minutes: number) =>
      compareLimits(
        { now: present, proposed: looser },
        play([[97, 60], [85, 300], [97, 600]], span.from - minutes * minute), // prettier-ignore
        span,
        [],
      ).now.high;
    expect([before(20), before(3)]).toEqual([0, 1]);
  });

  it('misses nothing and changes no number with the same limits', () => {
    const part = fc.tuple(fc.integer({ min: 70, max: 100 }), fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const { now, proposed, missed, milder } = compare(parts, planWith({ 'spo2.low': { low: 88 } }));
        expect(proposed).toEqual(now);
        expect(totalOf(missed) + totalOf(milder)).toBe(0);
      }),
    );
  });

  it('misses nothing with limits that are tighter', () => {
    const part = fc.tuple(fc.integer({ min: 70, max: 100 }), fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const { missed, milder } = compare(parts, planWith({ 'spo2.low': { low: 92 } }));
        expect(totalOf(missed) + totalOf(milder)).toBe(0);
      }),
    );
  });
});

describe('the time with readings', () => {
  const covered = (entries: RetrospectiveEntry[]): number => coveredMs(present, entries, span) / minute;

  it('counts no silence and no time without a signal', () => {
    expect(covered([])).toBe(0);
    expect(covered(play([[0, 3_600]]))).toBe(0);
    const hours = [...play([[97, 1_800]]), ...play([[97, 1_800]], start + 60 * minute)];
    // Each half hour, and the half minute after its last value.
    expect(Math.round(covered(hours))).toBe(61);
  });

  it('is never more than the time itself', () => {
    expect(covered(play([[97, 6 * 3_600]]))).toBe(240);
    expect(covered(play([[97, 3_600]], start - 30 * minute))).toBeCloseTo(30.5, 1);
  });
});
