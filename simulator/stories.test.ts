import fc from 'fast-check';
import { kinds, type VitalKind } from '../lib/vitals/kinds';
import { cast } from './cast';
import type { Reading, Subject } from './course';
import { instants } from './history';
import { stories, type StoryName } from './stories';
import { subjectOf } from './measure';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const names = Object.keys(stories) as StoryName[];

const subjectsOf = (story: StoryName): Subject[] =>
  cast
    .flatMap(({ roles }) => roles)
    .filter((role) => role.story === story)
    .map(subjectOf);

const at = fc.integer({ min: -48 * 3_600, max: 48 * 3_600 }).map((seconds) => seconds * second);

/** What the story's devices measured in a window, each second. */
function told(story: StoryName, subject: Subject, from: number, to: number): { t: number; readings: Reading[] }[] {
  return instants(from, to, second).map((t) => ({ t, readings: stories[story].measure(subject, t) }));
}

function valuesOf(story: StoryName, subject: Subject, kind: VitalKind, from: number, to: number): Reading[] {
  return told(story, subject, from, to).flatMap(({ readings }) => readings.filter((reading) => reading.kind === kind));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}

const medianOf = (story: StoryName, subject: Subject, kind: VitalKind, from: number, to: number): number =>
  median(valuesOf(story, subject, kind, from, to).map(({ value }) => value));

describe('the stories', () => {
  it('play all, on the cast', () => {
    expect(new Set(cast.flatMap(({ roles }) => roles.map(({ story }) => story)))).toEqual(new Set(names));
  });

  describe.each(names)('%s', (name) => {
    const subjects = subjectsOf(name);
    const anybody = fc.constantFrom(...subjects);

    it('has the same values in any order of calls', () => {
      fc.assert(
        fc.property(anybody, fc.array(at, { minLength: 1, maxLength: 20 }), (subject, times) => {
          const forwards = times.map((t) => stories[name].measure(subject, t));
          const backwards = times.toReversed().map((t) => stories[name].measure({ ...subject }, t));
          expect(backwards.reverse()).toEqual(forwards);
        }),
      );
    });

    it('is another course for another seed', () => {
      const [subject] = subjects;
      if (subject === undefined) {
        throw new Error('No patient plays this story');
      }
      const day = (seed: number) =>
        JSON.stringify(instants(-12 * hour, 0, minute).map((t) => stories[name].measure({ ...subject, seed }, t)));
      expect(day(1)).not.toBe(day(2));
    });

    it('sends nothing that no device could measure, each kind once, "no signal" as invalid', () => {
      fc.assert(
        fc.property(anybody, at, (subject, t) => {
          const readings = stories[name].measure(subject, t);
          expect(new Set(readings.map(({ kind }) => kind)).size).toBe(readings.length);
          for (const { kind, value, quality } of readings) {
            const { plausible, signalFrom } = kinds[kind];
            expect(value).toBeGreaterThanOrEqual(plausible.min);
            expect(value).toBeLessThanOrEqual(plausible.max);
            expect(quality === 'invalid').toBe(signalFrom !== null && value < signalFrom);
          }
        }),
        { numRuns: 300 },
      );
    });
  });

  it('keeps a steady bed within a few points and beats of itself for hours', () => {
    for (const subject of subjectsOf('steady')) {
      const spo2 = valuesOf('steady', subject, 'spo2', -3 * hour, 0).map(({ value }) => value);
      const rate = valuesOf('steady', subject, subject.rate, -3 * hour, 0).map(({ value }) => value);
      expect(Math.max(...spo2) - Math.min(...spo2)).toBeLessThanOrEqual(5);
      expect(Math.min(...spo2)).toBeGreaterThanOrEqual(92);
      expect(Math.max(...rate) - Math.min(...rate)).toBeLessThanOrEqual(20);
    }
  });

  it('lets the slow deterioration fall hour by hour while the rate climbs, and recover after treatment', () => {
    for (const subject of subjectsOf('slowDeterioration')) {
      const hours = [-5, -3.5, -2, -0.5, 1].map((from) => ({
        spo2: medianOf('slowDeterioration', subject, 'spo2', from * hour, (from + 0.5) * hour),
        rate: medianOf('slowDeterioration', subject, subject.rate, from * hour, (from + 0.5) * hour),
      }));
      for (const [index, { spo2, rate }] of hours.entries()) {
        const before = hours[index - 1];
        expect(before === undefined || (spo2 < before.spo2 && rate > before.rate)).toBe(true);
      }
      // At the opening of the ward it is well under way.
      expect(medianOf('slowDeterioration', subject, 'spo2', 0, 5 * minute)).toBeLessThanOrEqual(91);
      expect(medianOf('slowDeterioration', subject, 'spo2', 2 * hour, 2.4 * hour)).toBeLessThanOrEqual(88);
      expect(medianOf('slowDeterioration', subject, 'spo2', 4 * hour, 5 * hour)).toBeGreaterThanOrEqual(95);
    }
  });

  it('lets the fast desaturation fall below 85 within six minutes and recover, three times an hour', () => {
    for (const subject of subjectsOf('fastDesaturation')) {
      const lows = (from: number, to: number) =>
        valuesOf('fastDesaturation', subject, 'spo2', from, to).map(({ value }) => value);
      expect(Math.min(...lows(0, 6 * minute))).toBeLessThan(85);
      expect(Math.min(...lows(9 * minute, 20 * minute))).toBeGreaterThanOrEqual(93);
      for (const start of [-60, -40, -20, 20, 40].map((minutes) => minutes * minute)) {
        expect(Math.min(...lows(start, start + 20 * minute))).toBeLessThan(85);
        expect(Math.min(...lows(start + 9 * minute, start + 20 * minute))).toBeGreaterThanOrEqual(93);
      }
    }
  });

  it('keeps the COPD patients between 86 and 92, on oxygen and on scale 2', () => {
    for (const subject of subjectsOf('copd')) {
      const spo2 = valuesOf('copd', subject, 'spo2', -2 * hour, hour).map(({ value }) => value);
      expect(Math.min(...spo2)).toBeGreaterThanOrEqual(86);
      expect(Math.max(...spo2)).toBeLessThanOrEqual(92);
      expect(valuesOf('copd', subject, 'oxygenFlow', -8 * hour, 0).map(({ value }) => value)).toEqual([2, 2]);
    }
    const scales = cast.flatMap(({ roles }) =>
      roles.map(({ story, patient }) => (story === 'copd') === (patient.spo2Scale === 2)),
    );
    expect(scales).not.toContain(false);
  });

  it('lets sleep apnoea dip by four points or more 10 to 40 times an hour, from the first five minutes on', () => {
    for (const subject of subjectsOf('sleepApnoea')) {
      for (const from of [-6 * hour, 0, 9 * hour]) {
        const dips = countDips(valuesOf('sleepApnoea', subject, 'spo2', from, from + hour).map(({ value }) => value));
        expect(dips).toBeGreaterThanOrEqual(10);
        expect(dips).toBeLessThanOrEqual(40);
      }
      expect(
        countDips(valuesOf('sleepApnoea', subject, 'spo2', 0, 5 * minute).map(({ value }) => value)),
      ).toBeGreaterThanOrEqual(1);
    }
  });

  it('calls every implausible value of the artefact questionable, and every other one good', () => {
    for (const subject of subjectsOf('artefact')) {
      const spo2 = valuesOf('artefact', subject, 'spo2', 0, 6 * minute);
      const spikes = spo2.filter(({ value }) => value < 88);
      expect(spikes.length).toBeGreaterThan(20);
      expect(spo2.filter(({ value, quality }) => value < 88 !== (quality === 'questionable'))).toEqual([]);
      const beats = valuesOf('artefact', subject, subject.rate, 0, 6 * minute);
      expect(beats.filter(({ value, quality }) => value >= 150 !== (quality === 'questionable'))).toEqual([]);
    }
  });

  it('loses the probe’s signal at the start and for twelve minutes of every hour, not the electrodes’', () => {
    for (const subject of subjectsOf('sensorOff')) {
      const off = valuesOf('sensorOff', subject, 'spo2', 0, hour).filter(({ quality }) => quality === 'invalid');
      expect(off.every(({ value }) => value === 0)).toBe(true);
      expect(off.length / 60).toBeGreaterThan(11);
      expect(off.length / 60).toBeLessThanOrEqual(12);
      expect(valuesOf('sensorOff', subject, 'spo2', 0, 7 * minute).every(({ quality }) => quality === 'invalid')).toBe(
        true,
      );
      expect(
        valuesOf('sensorOff', subject, 'spo2', 9 * minute, 50 * minute).every(({ quality }) => quality === 'good'),
      ).toBe(true);
      expect(valuesOf('sensorOff', subject, 'heartRate', 0, 7 * minute).length).toBeGreaterThan(400);
    }
  });

  it('has no values of a silent gateway for five hours from 20 minutes before the opening on', () => {
    const roles = cast.filter(({ roles: ofGateway }) => ofGateway.some(({ story }) => story === 'silentGateway'));
    expect(roles).toHaveLength(1);
    expect(roles.flatMap(({ roles: ofGateway }) => ofGateway.filter(({ story }) => story !== 'silentGateway'))).toEqual(
      [],
    );
    for (const subject of subjectsOf('silentGateway')) {
      expect(told('silentGateway', subject, -20 * minute, 4.6 * hour).flatMap(({ readings }) => readings)).toEqual([]);
      expect(valuesOf('silentGateway', subject, 'spo2', -hour, -20 * minute).length).toBeGreaterThan(2_300);
    }
  });

  it('checks patients at home three times a day, at whole minutes, with nothing in between', () => {
    for (const subject of subjectsOf('homeSpotChecks')) {
      const checks = told('homeSpotChecks', subject, -24 * hour, 0).filter(({ readings }) => readings.length > 0);
      expect(checks).toHaveLength(3);
      expect(checks.every(({ t }) => t % minute === 0)).toBe(true);
      expect(checks.map(({ readings }) => readings.map(({ kind }) => kind))).toEqual(
        Array.from({ length: 3 }, () => ['spo2', 'pulseRate', 'temperature']),
      );
    }
  });
});

/** Falls of at least four points below the highest value since the last dip, each ended by a rise of at least three. */
function countDips(values: readonly number[]): number {
  let dips = 0;
  let isDown = false;
  let highest = -Infinity;
  let lowest = Infinity;
  for (const value of values) {
    if (isDown) {
      lowest = Math.min(lowest, value);
      if (value >= lowest + 3) {
        isDown = false;
        highest = value;
      }
    } else {
      highest = Math.max(highest, value);
      if (value <= highest - 4) {
        dips += 1;
        isDown = true;
        lowest = value;
      }
    }
  }
  return dips;
}
