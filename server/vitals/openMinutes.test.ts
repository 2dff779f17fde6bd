import { startOfTest } from '../../test/testServer';
import type { Sample } from './sample';
import { OpenMinutes, openMinutesAhead } from './openMinutes';
import { qualityCode, withdrawnCode } from './qualityCode';
import { emptyRollup } from './rollUp';

const minute = Math.floor(startOfTest / 60_000);

function sampleAt(second: number, more: Partial<Sample> = {}): Sample {
  const takenAt = startOfTest + second * 1_000;
  return {
    minute: Math.floor(takenAt / 60_000),
    patientId: 1,
    kind: 1,
    takenAt,
    deviceId: 1,
    siteId: 1,
    value: 97,
    quality: qualityCode('good', true),
    receivedAt: takenAt,
    offsetMs: 0,
    ...more,
  };
}

/** The minutes of a run of samples, collected when they are over. */
function collect(...samples: Sample[]) {
  const open = new OpenMinutes(minute, minute);
  samples.forEach((sample) => {
    open.take(sample, true);
  });
  return open.collect(minute + 10);
}

describe('an open minute', () => {
  it('is a gap that has to be computed once something of it was withdrawn', () => {
    const open = new OpenMinutes(minute, minute);
    open.take(sampleAt(0, { value: 71 }), true);
    open.take(sampleAt(0, { value: 71, quality: withdrawnCode(qualityCode('good', true)) }), false);
    expect(open.of(1, 1).map(({ rollup, unclear }) => [rollup, unclear])).toEqual([[emptyRollup(), true]]);
  });

  it('counts its samples, each kind and patient for itself', () => {
    const minutes = collect(
      sampleAt(0),
      sampleAt(1, { value: 90 }),
      sampleAt(1, { kind: 2 }),
      sampleAt(1, { patientId: 2 }),
      sampleAt(60),
    );
    expect(
      minutes.map(({ minute: at, patientId, kind, rollup, unclear }) => [
        at - minute,
        patientId,
        kind,
        rollup.min,
        rollup.count,
        unclear,
      ]),
    ).toEqual([
      [0, 1, 1, 90, 2, false],
      [0, 1, 2, 97, 1, false],
      [0, 2, 1, 97, 1, false],
      [1, 1, 1, 97, 1, false],
    ]);
  });

  it('counts questionable samples as values, and invalid ones only as such', () => {
    const [entry] = collect(
      sampleAt(0),
      sampleAt(1, { value: 80, quality: qualityCode('questionable', true) }),
      sampleAt(2, { value: 0, quality: qualityCode('invalid', true) }),
    );
    expect(entry?.rollup).toEqual({ min: 80, max: 97, last: 80, count: 2, questionable: 1, invalid: 1 });
  });

  it.each<[string, Sample[]]>([
    ['out of order', [sampleAt(5), sampleAt(4)]],
    ['at the same time from another device', [sampleAt(5), sampleAt(5, { deviceId: 2 })]],
  ])('is unclear after a sample that came %s', (_, samples) => {
    expect(collect(...samples).map(({ unclear }) => unclear)).toEqual([true]);
  });

  it('is unclear after a correction, and after a sample that may or may not be stored', () => {
    const open = new OpenMinutes(minute, minute);
    open.take(sampleAt(0), true);
    open.take(sampleAt(1), false);
    open.doubt(sampleAt(60));
    open.take(sampleAt(120), true);
    expect(open.collect(minute + 3).map(({ unclear }) => unclear)).toEqual([true, true, false]);
  });

  it('is unclear if samples came for it while it lay too far ahead to be open', () => {
    const open = new OpenMinutes(minute, minute);
    open.take(sampleAt(60 * openMinutesAhead), true);
    open.open(minute + 1);
    open.take(sampleAt(60 * openMinutesAhead + 1), true);
    expect(open.collect(minute + 2)).toEqual([]);
    open.take(sampleAt(60 * openMinutesAhead + 61), true);
    expect(open.collect(minute + 10).map((entry) => [entry.minute - minute, entry.unclear])).toEqual([
      [openMinutesAhead, true],
      [openMinutesAhead + 1, false],
    ]);
  });

  it('is handed out once, when it is over, and what comes for it later is not counted', () => {
    const open = new OpenMinutes(minute, minute);
    open.take(sampleAt(-1), true);
    open.take(sampleAt(0), true);
    open.take(sampleAt(60), true);
    expect(open.collect(minute + 1).map((entry) => entry.minute)).toEqual([minute]);
    open.take(sampleAt(59), true);
    open.doubt(sampleAt(58));
    expect(open.collect(minute + 2).map((entry) => entry.minute)).toEqual([minute + 1]);
  });
});
