import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { VitalKind } from '../lib/vitals/kinds';
import { readRecording } from '../server/replay/readRecording';
import { cast } from './cast';
import type { Reading } from './course';
import { instants } from './history';
import { stories, type StoryName } from './stories';
import { subjectOf } from './measure';

/**
 * Real recordings of de-identified patients, which are not part of this repository: the simulator is measured against
 * them.
 */
const folder = process.env.RECORDINGS_DIR ?? resolve(process.cwd(), '../shared/data');
const second = 1_000;
const minute = 60 * second;

function describeIfThere(name: string): typeof describe {
  if (existsSync(join(folder, name))) {
    return describe;
  }
  process.stderr.write(
    `simulator: ${name} skipped, because ${join(folder, name)} is not there (RECORDINGS_DIR names another folder)\n`,
  );
  return describe.skip;
}

interface Timed {
  at: number;
  value: number;
}

/** The values of one kind in the recordings of a folder that hold a signal, a list for each file. */
function recorded(name: string, isFile: (file: string) => boolean, kind: VitalKind): Timed[][] {
  return readdirSync(join(folder, name))
    .filter(isFile)
    .map((file) =>
      readRecording(readFileSync(join(folder, name, file), 'utf8'), {}).samples.flatMap((sample) =>
        sample.kind === kind && sample.quality === 'good' && typeof sample.value === 'number'
          ? [{ at: sample.atMs, value: sample.value }]
          : [],
      ),
    );
}

/** What the simulator measures on all patients of a story, second by second. */
function simulated(story: StoryName, take: (reading: Reading) => boolean, lastsMs: number): Timed[][] {
  return cast
    .flatMap(({ roles }) => roles)
    .filter((role) => role.story === story)
    .map((role) => {
      const subject = subjectOf(role);
      return instants(0, lastsMs, second).flatMap((at) =>
        stories[story]
          .measure(subject, at)
          .filter(take)
          .map(({ value }) => ({ at, value })),
      );
    });
}

const ordered = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const quantile = (numbers: readonly number[], share: number): number =>
  ordered(numbers)[Math.round(share * (numbers.length - 1))] ?? NaN;
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

/** How far the value moves from one second to the next, on average. */
function step(series: readonly Timed[]): number {
  const steps = series.flatMap(({ at, value }, index) => {
    const before = series[index - 1];
    return before !== undefined && at - before.at === second ? [Math.abs(value - before.value)] : [];
  });
  return mean(steps);
}

/** The spread (standard deviation) within a minute, the middle one of all minutes. */
function spread(series: readonly Timed[]): number {
  const minutes = byMinute(series);
  return quantile(
    [...minutes.values()]
      .filter((values) => values.length > 50)
      .map((values) => {
        const middle = mean(values);
        return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
      }),
    0.5,
  );
}

function byMinute(series: readonly Timed[]): Map<number, number[]> {
  const minutes = new Map<number, number[]>();
  for (const { at, value } of series) {
    const place = Math.floor(at / minute);
    minutes.set(place, [...(minutes.get(place) ?? []), value]);
  }
  return minutes;
}

/** Falls of four points or more from one charted value to the next. */
function drops(series: readonly Timed[]): number[] {
  return series.flatMap(({ value }, index) => {
    const before = series[index - 1];
    return before !== undefined && before.value - value >= 4 ? [before.value - value] : [];
  });
}

/** Every simulated bed lies where nine tenths of the recorded ones do, and their middles are not far apart. */
function expectAlike(ours: readonly number[], theirs: readonly number[], withinFactor: number): void {
  for (const one of ours) {
    expect(one).toBeGreaterThanOrEqual(quantile(theirs, 0.05));
    expect(one).toBeLessThanOrEqual(quantile(theirs, 0.95));
  }
  const ratio = quantile(ours, 0.5) / quantile(theirs, 0.5);
  expect(ratio).toBeGreaterThan(1 / withinFactor);
  expect(ratio).toBeLessThan(withinFactor);
}

describeIfThere('bidmc-numerics')('the variation of a steady bed', () => {
  const isRecord = (file: string): boolean => file.startsWith('bidmc_');
  const eightMinutes = 8 * minute;

  it.each([
    ['SpO2 from second to second', 'spo2', step],
    ['SpO2 within a minute', 'spo2', spread],
    ['heart rate from second to second', 'heartRate', step],
    ['heart rate within a minute', 'heartRate', spread],
  ] as const)('is that of recorded beds: %s', (_, kind, measure) => {
    const ours = simulated(
      'steady',
      (reading) => (kind === 'spo2' ? reading.kind === 'spo2' : reading.kind.endsWith('Rate')),
      eightMinutes,
    );
    expectAlike(ours.map(measure), recorded('bidmc-numerics', isRecord, kind).map(measure), 2.5);
  });

  it('has gaps as often and as long as recorded beds', () => {
    const gapsOf = (all: Timed[][], lengthMs: (series: Timed[]) => number) => {
      const gaps = all.flatMap((series) =>
        series.flatMap(({ at }, index) => {
          const before = series[index - 1];
          return before !== undefined && at - before.at > second ? [(at - before.at) / second - 1] : [];
        }),
      );
      const total = all.reduce((sum, series) => sum + lengthMs(series) / second, 0);
      return { share: gaps.reduce((sum, length) => sum + length, 0) / total, length: mean(gaps) };
    };
    const lengthOf = (series: Timed[]): number => (series.at(-1)?.at ?? 0) - (series[0]?.at ?? 0) + second;
    const theirs = gapsOf(recorded('bidmc-numerics', isRecord, 'spo2'), lengthOf);
    const ours = gapsOf(
      simulated('steady', ({ kind }) => kind === 'spo2', 12 * 60 * minute),
      lengthOf,
    );
    expect(ours.length).toBeCloseTo(theirs.length, 0);
    expect(ours.share / theirs.share).toBeGreaterThan(0.5);
    expect(ours.share / theirs.share).toBeLessThan(2);
  });
});

describeIfThere('physionet-2019')('the depth of drops', () => {
  const charted = (): number[] => recorded('physionet-2019', (file) => file.endsWith('.psv'), 'spo2').flatMap(drops);

  it('is in sleep apnoea that of most charted drops', () => {
    const dips = simulated('sleepApnoea', ({ kind }) => kind === 'spo2', 60 * minute).flatMap(depths);
    expect(quantile(dips, 0.1)).toBeGreaterThanOrEqual(quantile(charted(), 0.1));
    expect(quantile(dips, 0.9)).toBeLessThanOrEqual(quantile(charted(), 0.9));
    expect(Math.abs(quantile(dips, 0.5) - quantile(charted(), 0.5))).toBeLessThanOrEqual(2);
  });

  it('is in fast desaturations that of the deepest tenth, no deeper than what was ever charted', () => {
    const falls = simulated('fastDesaturation', ({ kind }) => kind === 'spo2', 180 * minute)
      .flatMap(depths)
      .filter((depth) => depth > 8);
    expect(falls.length).toBeGreaterThan(15);
    expect(quantile(falls, 0.1)).toBeGreaterThanOrEqual(quantile(charted(), 0.9) - 1);
    expect(quantile(falls, 0.9)).toBeLessThanOrEqual(quantile(charted(), 0.96) + 1);
  });

  /** How deep each fall of four points or more goes below the value that it began from. */
  function depths(series: Timed[]): number[] {
    const found: number[] = [];
    let highest = -Infinity;
    let lowest: number | null = null;
    for (const { value } of series) {
      if (lowest === null) {
        highest = Math.max(highest, value);
        lowest = value <= highest - 4 ? value : null;
      } else if (value >= lowest + 3) {
        found.push(highest - lowest);
        highest = value;
        lowest = null;
      } else {
        lowest = Math.min(lowest, value);
      }
    }
    return found;
  }
});

describeIfThere('mimic-waveform-numerics')('a probe that is off', () => {
  it('is off as large a share of the time, and as long at a time, as on a recorded bed', () => {
    const [file = 'no csv there'] = readdirSync(join(folder, 'mimic-waveform-numerics')).filter((name) =>
      name.endsWith('.csv'),
    );
    const { samples } = readRecording(readFileSync(join(folder, 'mimic-waveform-numerics', file), 'utf8'), {});
    const signal = samples.filter(({ kind }) => kind === 'spo2').map(({ quality }) => quality === 'good');
    const runs = signal.reduce<number[]>((lengths, isThere, index) => {
      if (isThere) {
        return lengths;
      }
      return index > 0 && signal[index - 1] === false ? lengths.with(-1, (lengths.at(-1) ?? 0) + 1) : [...lengths, 1];
    }, []);
    const offMinutes = simulated(
      'sensorOff',
      ({ kind, quality }) => kind === 'spo2' && quality === 'invalid',
      60 * minute,
    ).map((series) => series.length / 60);
    for (const minutes of offMinutes) {
      expect(Math.abs(minutes / 60 - signal.filter((isThere) => !isThere).length / signal.length)).toBeLessThan(0.05);
      expect(minutes).toBeGreaterThanOrEqual(quantile(runs, 0.25));
      expect(minutes).toBeLessThanOrEqual(quantile(runs, 0.75));
    }
  });
});
