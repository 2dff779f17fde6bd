import fc from 'fast-check';
import { fuzzRuns } from '../../test/fuzzRuns';
import { activeRule, current, entryOf, planOf, play, settingOf, start, steady } from '../../test/stream';
import { type RedFlag, redFlags, type SymptomAnswer } from '../symptoms/symptoms';
import { toInstant } from '../time/schema';
import { news2 } from '../vitals/news2';
import type { LatestValues } from '../vitals/schema';
import type { Episode } from './episode';
import { changedSymptoms, type EvaluatedReport } from './evaluateSymptoms';
import { isBeyondAll } from './limit';
import {
  defaultNews2Limits,
  type News2Limits,
  type News2RuleId,
  news2RuleIds,
  news2RuleOf,
  news2Rules,
  withoutScore,
} from './news2Rules';
import { type News2PartName, news2PartNames, type News2Value, type News2Values, news2ValuesOf } from './news2Values';
import type { Entry } from './plan';
import type { Priority } from './priority';
import {
  arrivedTooLate,
  createRetrospective,
  evaluateRecording,
  evidenceLength,
  type RetrospectiveEntry,
  retrospectiveEpisodes,
  retrospectivePlanOf,
  stepRetrospective,
  violatesAny,
} from './retrospective';
import {
  createSpotCheck,
  evaluateMissedReadings,
  type Reading,
  resumeSpotCheck,
  type SpotCheck,
  spotCheckAt,
  type SpotSetting,
  spotToKeep,
  takeReading,
  takeReadings,
  withdrawReading,
} from './spotCheck';
import { type SpotParameter, spotPriority } from './spotRules';
import { forgetNews2Parts, idleNews2, type News2State, stepNews2 } from './stepNews2';
import { isUnconfirmed } from './stepSpotRule';
import { answeredTo, nextSymptomEpisode, openRedFlags, symptomsFrom } from './symptomEpisode';

describe('spotCheck', () => {
  const start = Date.parse('2026-03-07T12:00:00Z');
  const minute = 60_000;
  const hour = 60 * minute;

  const settingOf = (parameter: SpotParameter, scale: 1 | 2 = 1, baseline: number | null = null): SpotSetting => ({
    parameter,
    scale,
    baseline,
  });
  const reading = (minutes: number, value: number): Reading => ({
    at: start + minutes * minute,
    source: 0,
    deviceId: 1,
    value,
  });
  const play = (setting: SpotSetting, readings: readonly Reading[]): SpotCheck =>
    readings.reduce((check, one) => takeReading(check, setting, one, one.at), createSpotCheck());
  /** What is raised a number of minutes after the start: priority and whether it is confirmed. */
  const change = (setting: SpotSetting, readings: readonly [number, number][], at: number): string => {
    const fold = spotCheckAt(
      play(
        setting,
        readings.map(([minutes, value]) => reading(minutes, value)),
      ),
      setting,
      start + at * minute,
    );
    return fold.phase === 'raised' ? `${fold.priority} ${fold.isConfirmed ? 'confirmed' : 'unconfirmed'}` : fold.phase;
  };

  describe('the limits at home', () => {
    it.each<[SpotParameter, 1 | 2, number, Priority | null]>([
      ['spo2', 1, 92, 'high'],
      ['spo2', 1, 93, 'medium'],
      ['spo2', 1, 94, 'medium'],
      ['spo2', 1, 95, null],
      ['spo2', 2, 85, 'high'],
      ['spo2', 2, 86, 'medium'],
      ['spo2', 2, 87, 'medium'],
      ['spo2', 2, 88, null],
      ['rate', 1, 0, 'high'],
      ['rate', 1, 40, 'high'],
      ['rate', 1, 41, 'medium'],
      ['rate', 1, 50, 'medium'],
      ['rate', 1, 51, null],
      ['rate', 1, 110, null],
      ['rate', 1, 111, 'medium'],
      ['rate', 1, 130, 'medium'],
      ['rate', 1, 131, 'high'],
      ['respiratoryRate', 1, 8, 'high'],
      ['respiratoryRate', 1, 9, null],
      ['respiratoryRate', 1, 20, null],
      ['respiratoryRate', 1, 21, 'medium'],
      ['respiratoryRate', 1, 24, 'medium'],
      ['respiratoryRate', 1, 25, 'high'],
      ['temperature', 1, 35, 'medium'],
      ['temperature', 1, 35.1, null],
      ['temperature', 1, 38, null],
      ['temperature', 1, 38.1, 'low'],
      ['temperature', 1, 39, 'low'],
      ['temperature', 1, 39.1, 'medium'],
    ])('of %s on scale %d call %d %s', (parameter, scale, value, priority) => {
      expect(spotPriority(parameter, value, { scale, baseline: null })).toBe(priority);
    });

    it.each([
      [89, 'medium'],
      [90, null],
    ])('on scale 2 call %d %s if the patient’s own is 92', (value, priority) => {
      expect(spotPriority('spo2', value, { scale: 2, baseline: 92 })).toBe(priority);
      expect(spotPriority('spo2', value === 89 ? 95 : 96, { scale: 1, baseline: 99 })).toBeNull();
    });
  });

  describe('a red reading', () => {
    const spo2 = settingOf('spo2');

    it('is raised at once; the second reading only governs its words', () => {
      expect(change(spo2, [[0, 92]], 0)).toBe('high unconfirmed');
      expect(change(spo2, [[0, 92], [4, 91]], 4)).toBe('high confirmed'); // prettier-ignore
    });

    it('is confirmed when no second one has come in 15 minutes', () => {
      expect(change(spo2, [[0, 92]], 14.99)).toBe('high unconfirmed');
      expect(change(spo2, [[0, 92]], 15)).toBe('high confirmed');
    });

    it('is over when the second one is fine, and milder when that is amber', () => {
      expect(change(spo2, [[0, 92], [4, 95]], 20)).toBe('fine'); // prettier-ignore
      expect(change(spo2, [[0, 92], [4, 94]], 20)).toBe('medium confirmed'); // prettier-ignore
    });

    it('of a rate is not confirmed, nor over, before five minutes of rest', () => {
      const rate = settingOf('rate');
      expect(change(rate, [[0, 131], [4.9, 135]], 4.9)).toBe('high unconfirmed'); // prettier-ignore
      expect(change(rate, [[0, 131], [4.9, 80]], 4.9)).toBe('high unconfirmed'); // prettier-ignore
      expect(change(rate, [[0, 131], [5, 135]], 5)).toBe('high confirmed'); // prettier-ignore
      expect(change(rate, [[0, 131], [5, 80]], 5)).toBe('fine'); // prettier-ignore
    });

    it('that is breathing needs no second one', () => {
      expect(change(settingOf('respiratoryRate'), [[0, 25]], 0)).toBe('high confirmed');
    });
  });

  describe('many readings of a minute', () => {
    const spo2 = settingOf('spo2');
    const each = (seconds: number, valueOf: (second: number) => number): [number, number][] =>
      Array.from({ length: seconds }, (_, second) => [second / 60, valueOf(second)]);

    it('raise once by the lowest of them, whatever lies between', () => {
      for (const other of [93, 94, 96, 99]) {
        const setting = spo2;
        let check = createSpotCheck();
        const raised = new Set<string>();
        for (const [minutes, value] of each(420, (second) => (second % 2 === 0 ? 92 : other))) {
          const one = reading(minutes, value);
          check = takeReading(check, setting, one, one.at);
          const { phase, priority, episode } = spotCheckAt(check, setting, one.at);
          raised.add(`${phase} ${priority} ${episode?.count} ${episode?.endedAt}`);
        }
        expect([...raised]).toEqual(['raised high 1 null']);
      }
    });

    it('are evaluated at once if they are worse, and at the end of the minute if they are better', () => {
      expect(change(spo2, [[0, 97], [0.5, 92]], 0.5)).toBe('high unconfirmed'); // prettier-ignore
      expect(change(spo2, [[0, 92], [0.5, 97]], 0.99)).toBe('high unconfirmed'); // prettier-ignore
      expect(change(spo2, [[0, 92], [0.5, 97]], 1)).toBe('fine'); // prettier-ignore
      expect(change(spo2, [[0, 92], [0.2, 97], [0.5, 91]], 1)).toBe('high confirmed'); // prettier-ignore
    });
  });

  describe('a milder tier', () => {
    it('is taken 10 min after the last reading that was worse, not before', () => {
      const spo2 = settingOf('spo2');
      expect(change(spo2, [[0, 92], [4, 91], [6, 93]], 13.99)).toBe('high confirmed'); // prettier-ignore
      expect(change(spo2, [[0, 92], [4, 91], [6, 93]], 14)).toBe('medium confirmed'); // prettier-ignore
      expect(change(spo2, [[0, 92], [4, 91], [6, 93], [8, 92]], 17.99)).toBe('high confirmed'); // prettier-ignore
      expect(change(spo2, [[0, 92], [4, 91], [15, 93]], 15)).toBe('medium confirmed'); // prettier-ignore
    });
  });

  describe('an amber reading', () => {
    const spo2 = settingOf('spo2');

    it('is rechecked before it is raised', () => {
      expect(change(spo2, [[0, 94]], 59.99)).toBe('rechecking');
      expect(change(spo2, [[0, 94], [30, 95]], 120)).toBe('fine'); // prettier-ignore
      expect(change(spo2, [[0, 94], [30, 93]], 30)).toBe('medium confirmed'); // prettier-ignore
    });

    it('is raised without a second reading within an hour', () => {
      expect(change(spo2, [[0, 94]], 60)).toBe('medium confirmed');
    });

    it('gives way to a red one at once, also before the rest is over', () => {
      expect(change(spo2, [[0, 94], [1, 92]], 1)).toBe('high unconfirmed'); // prettier-ignore
      expect(change(settingOf('rate'), [[0, 115], [1, 140]], 1)).toBe('high unconfirmed'); // prettier-ignore
    });

    it('of a temperature is raised at once', () => {
      expect(change(settingOf('temperature'), [[0, 39.1]], 0)).toBe('medium confirmed');
      expect(change(settingOf('temperature'), [[0, 38.1]], 0)).toBe('low confirmed');
    });
  });

  describe('a gain of weight', () => {
    const weight = settingOf('weight');

    it.each([
      [82, 'fine'],
      [82.1, 'medium confirmed'],
    ])('from 80 to %d kg in three days is %s', (value, expected) => {
      expect(change(weight, [[0, 80], [72 * 60, value]], 72 * 60)).toBe(expected); // prettier-ignore
    });

    it('counts from the least of three days, and no longer', () => {
      expect(change(weight, [[0, 82], [1_440, 80], [2_880, 82.1]], 2_880)).toBe('medium confirmed'); // prettier-ignore
      expect(change(weight, [[0, 80], [72 * 60 + 1, 85]], 72 * 60 + 1)).toBe('fine'); // prettier-ignore
    });
  });

  describe('readings', () => {
    const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 600 }), fc.constantFrom(84, 86, 88, 92, 93, 94, 95, 97)), {
      minLength: 1,
      maxLength: 12,
    });

    it('end the same however they come: shuffled, twice, up to two hours late', () => {
      const delays = fc.infiniteStream(fc.tuple(fc.integer({ min: 0, max: 120 }), fc.boolean()));
      fc.assert(
        fc.property(some, delays, fc.constantFrom<1 | 2>(1, 2), (list, way, scale) => {
          const setting = settingOf('spo2', scale, 90);
          const readings = [
            ...new Map(list.map(([minutes, value]) => [minutes, reading(minutes, value)])).values(),
          ].sort((a, b) => a.at - b.at);
          const arrived = readings
            .flatMap((one) => {
              const [takes, again] = way.next().value as [number, boolean];
              const at = one.at + takes * minute;
              return again
                ? [
                    { one, at },
                    { one, at: at + hour },
                  ]
                : [{ one, at }];
            })
            .sort((a, b) => a.at - b.at);
          const end = start + 2_000 * minute;
          const delivered = arrived.reduce(
            (check, { one, at }) => takeReading(check, setting, one, at),
            createSpotCheck(),
          );
          expect(spotCheckAt(delivered, setting, end)).toEqual(spotCheckAt(play(setting, readings), setting, end));
        }),
        fuzzRuns,
      );
    });

    it('leave what would be without those that are withdrawn, whenever and in whatever order', () => {
      const typed = fc.record({
        gap: fc.integer({ min: 1, max: 30 }),
        late: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 })),
        value: fc.integer({ min: 84, max: 98 }),
        isWithdrawn: fc.boolean(),
        after: fc.nat(6),
      });
      const parameters = fc.constantFrom<SpotParameter>('spo2', 'rate', 'weight');
      fc.assert(
        fc.property(fc.array(typed, { minLength: 1, maxLength: 10 }), parameters, (list, parameter) => {
          const setting = settingOf(parameter);
          let minutes = 0;
          const all = list.map(({ gap, late, value, ...how }) => {
            minutes += gap;
            const shown = parameter === 'rate' ? (value - 84) * 10 : value;
            return { ...how, one: { ...reading(minutes - late, shown), deviceId: -7 }, now: start + minutes * minute };
          });
          const end = start + minutes * minute;
          // Each moment has one reading.
          const once = all.filter(({ one }, index) => all.findIndex((other) => other.one.at === one.at) === index);
          const steps = once.filter(({ one }) => one.at > end - 2 * hour);
          let check = createSpotCheck();
          steps.forEach(({ one, now }, index) => {
            check = takeReading(check, setting, one, now);
            steps.slice(0, index + 1).forEach(({ one: known, isWithdrawn, after }, place) => {
              const isNow = place + after === index || (index === steps.length - 1 && place + after > index);
              check = isWithdrawn && isNow ? withdrawReading(check, setting, known) : check;
            });
          });
          const without = steps
            .filter(({ isWithdrawn }) => !isWithdrawn)
            .reduce((so, { one, now }) => takeReading(so, setting, one, now), createSpotCheck());
          const [actual, expected] = [check, without].map((so) => spotCheckAt(so, setting, end));
          expect(actual).toEqual(expected);
        }),
        fuzzRuns,
      );
    });

    it('end the same whether they arrive together, in any order, or one after another', () => {
      const parameters = fc.constantFrom<SpotParameter>('spo2', 'rate', 'weight');
      const minutes = fc.integer({ min: 0, max: 120 });
      const list = fc.array(fc.tuple(minutes, fc.integer({ min: 84, max: 98 })), { minLength: 1, maxLength: 15 });
      fc.assert(
        fc.property(list, list, parameters, (before, together, parameter) => {
          const setting = settingOf(parameter);
          const now = start + 120 * minute;
          const of = (values: readonly [number, number][]): Reading[] =>
            values.map(([at, value]) => reading(at, value));
          const check = play(
            setting,
            of(before).sort((a, b) => a.at - b.at),
          );
          const one = of(together).reduce((so, each) => takeReading(so, setting, each, now), check);
          expect(takeReadings(check, setting, of(together), now)).toEqual(one);
        }),
        fuzzRuns,
      );
    });

    it('cost no more together if the newest comes first: each is looked at a few times', () => {
      let looks = 0;
      const readings = Array.from({ length: 5_000 }, (_, second): Reading => ({
        ...reading(0, 97),
        at: start - second * 1_000,
        get value() {
          looks += 1;
          return 97;
        },
      }));
      takeReadings(createSpotCheck(), settingOf('spo2'), readings, start);
      expect(looks).toBeLessThan(20 * readings.length);
    });

    it('are after a restart what they were before, at each of their points', () => {
      fc.assert(
        fc.property(some, (list) => {
          const setting = settingOf('weight');
          const readings = [
            ...new Map(list.map(([minutes, value]) => [minutes, reading(minutes, value)])).values(),
          ].sort((a, b) => a.at - b.at);
          let check = createSpotCheck();
          readings.forEach((one, index) => {
            check = takeReading(check, setting, one, one.at);
            const stored = JSON.parse(JSON.stringify(spotToKeep(check))) as ReturnType<typeof spotToKeep>;
            const known = readings.slice(0, index + 1).map((earlier) => ({ reading: earlier, receivedAt: earlier.at }));
            expect(resumeSpotCheck(setting, stored, known, { isNow: false })).toEqual(check);
          });
        }),
      );
    });

    it('that are more than two hours late change nothing before a later one', () => {
      const check = play(settingOf('spo2'), [reading(300, 97)]);
      expect(takeReading(check, settingOf('spo2'), reading(179, 80), start + 300 * minute)).toBe(check);
      expect(takeReading(check, settingOf('spo2'), reading(180, 80), start + 300 * minute)).not.toBe(check);
    });
  });

  describe('a red reading that was kept on a phone for more than two hours', () => {
    const spo2 = settingOf('spo2');
    const typed = (minutes: number, value: number): Reading => ({ ...reading(minutes, value), deviceId: -1 });
    const late = (check: SpotCheck, minutes: number, value: number, arrived: number, setting = spo2) =>
      takeReading(check, setting, typed(minutes, value), start + arrived * minute);
    const shownAt = (check: SpotCheck, at: number): string => {
      const { phase, priority } = spotCheckAt(check, spo2, start + at * minute);
      return phase === 'raised' ? priority : phase;
    };

    it('is raised when a person typed it in, not when a device sends its night', () => {
      const sent = takeReading(createSpotCheck(), spo2, reading(0, 91), start + 300 * minute);
      expect(shownAt(sent, 300)).toBe('fine');
      expect(shownAt(late(createSpotCheck(), 0, 91, 300), 300)).toBe('high');
    });

    it('is raised when it arrives, for a day, at the time at which it was taken', () => {
      const check = late(createSpotCheck(), 0, 91, 300);
      expect(shownAt(check, 300)).toBe('high');
      expect(check.head).toMatchObject({
        episode: { rule: 'home.spo2.red', startedAt: start, endedAt: null },
        late: { arrivedAt: start + 300 * minute, reading: { at: start, value: 91 } },
      });
      expect(shownAt(late(createSpotCheck(), 0, 91, 1_440), 1_440)).toBe('high');
      expect(shownAt(late(createSpotCheck(), 0, 91, 1_441), 1_441)).toBe('fine');
    });

    it('is not raised if a later reading is known, whichever of the two arrives first', () => {
      expect(shownAt(late(play(spo2, [reading(60, 97)]), 0, 91, 300), 300)).toBe('fine');
      expect(shownAt(late(late(createSpotCheck(), 60, 97, 300), 0, 91, 300), 300)).toBe('fine');
      expect(shownAt(late(late(createSpotCheck(), 0, 91, 300), 60, 97, 300), 300)).toBe('fine');
    });

    it('is raised although a later one is amber, which raises nothing by itself that late', () => {
      expect(shownAt(late(createSpotCheck(), 60, 93, 300), 1_000)).toBe('fine');
      expect(shownAt(late(late(createSpotCheck(), 60, 93, 300), 0, 91, 300), 300)).toBe('high');
    });

    it('changes nothing if it comes again, is corrected by another value of its moment, ends with the next', () => {
      const check = late(createSpotCheck(), 0, 91, 300);
      expect(late(check, 0, 91, 400)).toBe(check);
      expect(shownAt(late(check, 0, 97, 301), 301)).toBe('fine');
      expect(shownAt(late(check, 310, 97, 310), 310)).toBe('fine');
      expect(shownAt(late(check, 310, 90, 310), 310)).toBe('high');
    });

    it('is over when it is withdrawn, as entered in error, unless another one was raised before', () => {
      const check = late(createSpotCheck(), 0, 91, 300);
      const without = withdrawReading(check, spo2, typed(0, 91));
      expect(shownAt(without, 310)).toBe('fine');
      expect(without.head).toMatchObject({ episode: null, late: null });
      const earlier = late(late(createSpotCheck(), 0, 91, 300), 60, 90, 300);
      expect(shownAt(withdrawReading(earlier, spo2, typed(60, 90)), 310)).toBe('high');
    });

    it('is the same after a restart, beside readings that came in time', () => {
      const inTime = [reading(148, 97), reading(320, 90)];
      const known = inTime.map((one) => ({ reading: one, receivedAt: one.at }));
      const kept = (check: SpotCheck) => JSON.parse(JSON.stringify(spotToKeep(check))) as ReturnType<typeof spotToKeep>;
      const check = late(play(spo2, inTime.slice(0, 1)), 150, 91, 271);
      const stored = [known[0], { reading: typed(150, 91), receivedAt: start + 271 * minute }].flatMap(
        (one) => one ?? [],
      );
      expect(resumeSpotCheck(spo2, kept(check), stored, { isNow: false }).head).toEqual(check.head);
      const after = late(check, 320, 90, 320);
      const all = [...stored, ...known.slice(1)];
      expect(resumeSpotCheck(spo2, kept(after), all, { isNow: false }).head).toEqual(after.head);
    });
  });

  describe('readings that do not come', () => {
    it.each([
      [9 * 60 + 59, undefined],
      [10 * 60, 'low'],
      [17 * 60 + 59, 'low'],
      [18 * 60, 'medium'],
    ])('for %d min with one due every eight hours are raised as %s', (minutes, priority) => {
      expect(evaluateMissedReadings(start, 8 * hour, start + minutes * minute)?.priority).toBe(priority);
    });

    it.each([
      [12, 14, 24],
      [24, 26, 26],
    ])('with one due every %d h are LOW at %d h and MEDIUM at %d h', (every, lowAt, mediumAt) => {
      expect(evaluateMissedReadings(start, every * hour, start + lowAt * hour - 1)).toBeNull();
      expect(evaluateMissedReadings(start, every * hour, start + lowAt * hour)).not.toBeNull();
      expect(evaluateMissedReadings(start, every * hour, start + mediumAt * hour - 1)?.priority).not.toBe('medium');
      expect(evaluateMissedReadings(start, every * hour, start + mediumAt * hour)?.priority).toBe('medium');
    });
  });
});

describe('spotValues', () => {
  const minute = 60;
  const continuous = planOf('oxygenation', settingOf());
  const quarterly = planOf('oxygenation', settingOf({ everyMs: 15 * 60_000 }));
  const typed = (second: number, value: number, more: Partial<Entry> = {}): Entry =>
    entryOf('oxygenation', 'spo2', second, value, { deviceId: -7, ...more });
  const sent = (second: number, value: number): Entry => entryOf('oxygenation', 'spo2', second, value);

  /** Returns what is raised after these values, and whether that is confirmed at the time of the last one. */
  function after(plan: typeof continuous, entries: readonly Entry[], later = 0): [string, boolean | null] {
    const stream = play(plan, entries);
    const episode = current(plan, stream, 'spo2');
    const now = (entries.at(-1)?.at ?? start) + later * 1_000;
    return [activeRule(plan, stream, 'spo2'), episode === null ? null : !isUnconfirmed(episode, now)];
  }

  describe.each([
    ['typed in', continuous, typed],
    ['of a monitor that sends every 15 min', quarterly, sent],
  ] as const)('a single value %s', (_, plan, value) => {
    it.each([
      [88, 'none', null],
      [87, 'high spo2.low', false],
      [80, 'high spo2.low', false],
      [78, 'high spo2.low', false],
    ] as const)('of %d %% is at once "%s", not confirmed', (number, expected, isConfirmed) => {
      expect(after(plan, [value(0, number)])).toEqual([expected, isConfirmed]);
    });

    it.each([77, 70])('of %d %% waits for a second one only if no person typed it in', (number) => {
      expect(after(plan, [value(0, number)])).toEqual(['high spo2.desat', plan === continuous]);
    });

    it('is confirmed by none in 15 min', () => {
      expect(after(plan, [value(0, 80)], 15 * minute - 1)).toEqual(['high spo2.low', false]);
      expect(after(plan, [value(0, 80)], 15 * minute)).toEqual(['high spo2.low', true]);
    });

    it.each([1, 60, 600, 899])('is confirmed by a second one beyond the limit %d s later', (second) => {
      expect(after(plan, [value(0, 80), value(second, 79)])).toEqual(['high spo2.low', true]);
      expect(after(plan, [value(0, 80), value(second, 87)])).toEqual(['high spo2.low', true]);
    });

    it.each([1, 60, 600, 899])('is ended by a second one inside the limit %d s later, without a hold', (second) => {
      const [rule] = after(plan, [value(0, 80), value(second, 94)]);
      expect(rule).toBe('none');
    });

    it('that was answered by 88 %, beyond a milder limit, becomes that: two in a row are', () => {
      expect(after(plan, [value(0, 80), value(300, 88)])).toEqual(['medium spo2.below', true]);
    });

    it('once confirmed is ended by one value at the clear limit, and by none between the two', () => {
      const confirmed = [value(0, 80), value(300, 79)];
      expect(after(plan, [...confirmed, value(600, 89)])[0]).toBe('high spo2.low');
      expect(after(plan, [...confirmed, value(600, 94)])[0]).toBe('none');
      expect(after(plan, [value(0, 80), value(16 * minute, 89)])[0]).toBe('high spo2.low');
      expect(after(plan, [value(0, 80), value(16 * minute, 94)])[0]).toBe('none');
    });

    it('that the device doubts raises, and ends nothing', () => {
      const doubt = (entry: Entry): Entry => ({ ...entry, isDoubtful: true });
      expect(after(plan, [doubt(value(0, 80))])).toEqual(['high spo2.low', false]);
      expect(after(plan, [value(0, 80), doubt(value(300, 97))])).toEqual(['high spo2.low', false]);
    });

    it('below the limit always raises, whatever came before', () => {
      fc.assert(
        fc.property(
          fc.array(fc.record({ gap: fc.integer({ min: 60, max: 20_000 }), low: fc.integer({ min: 60, max: 100 }) })),
          fc.integer({ min: 900, max: 20_000 }),
          fc.integer({ min: 1, max: 87 }),
          (before, gap, low) => {
            let second = 0;
            const earlier = before.map((one) => {
              second += one.gap;
              return value(second, one.low);
            });
            return after(plan, [...earlier, value(second + gap, low)])[0].startsWith('high');
          },
        ),
      );
    });
  });

  describe('the rate', () => {
    const plan = planOf('rate', settingOf());
    it.each([
      [40, 'high hr.extreme'],
      [41, 'none'],
      [149, 'none'],
      [150, 'high hr.extreme'],
    ])('of %d /min, typed in, is at once "%s"', (value, expected) => {
      const entry = entryOf('rate', 'pulseRate', 0, value, { deviceId: -7 });
      expect(activeRule(plan, play(plan, [entry]), 'rate')).toBe(expected);
    });

    it.each([
      [31, false],
      [30, true],
      [0, true],
      [179, false],
      [180, true],
      [300, true],
    ])('of %i /min, typed in, is confirmed by itself: %s', (value, isConfirmed) => {
      const entry = entryOf('rate', 'heartRate', 0, value, { deviceId: -7 });
      const episode = current(plan, play(plan, [entry]), 'rate');
      expect(episode).toMatchObject({ priority: 'high' });
      expect(episode?.unconfirmedUntil === null).toBe(isConfirmed);
    });
  });

  describe('a value beyond the desaturation limit of the patient', () => {
    it.each([
      [1, {}, 78, 77],
      [2, {}, 75, 74],
      [1, { 'spo2.low': { low: 84 } }, 74, 73],
    ] as const)('on scale %i with %j waits at %i %%, and not at %i %%', (scale, limits, waiting, certain) => {
      const plan = planOf('oxygenation', settingOf({ scale, limits }));
      expect(after(plan, [typed(0, waiting)])).toEqual(['high spo2.low', false]);
      expect(after(plan, [typed(0, certain)])).toEqual(['high spo2.desat', true]);
    });
  });

  describe('a value typed in beside a monitor that shows another one', () => {
    const monitor = (value: number, from: number, until: number): Entry[] =>
      Array.from({ length: until - from + 1 }, (_, index) =>
        entryOf('oxygenation', 'spo2', from + index, value, { isAssigned: true }),
      );

    it('waits for a second one, and ends by the monitor when none has come in 15 min', () => {
      const entries = (until: number): Entry[] => [...monitor(97, 0, 9), typed(10, 80), ...monitor(97, 11, until)];
      expect(after(continuous, entries(10 + 15 * minute))[0]).toBe('high spo2.low');
      expect(after(continuous, entries(10 + 15 * minute + 32))[0]).toBe('none');
    });

    it('of a desaturation waits for none, and lasts as long', () => {
      const entries = (until: number): Entry[] => [...monitor(97, 0, 9), typed(10, 70), ...monitor(97, 11, until)];
      expect(after(continuous, entries(60))).toEqual(['high spo2.desat', true]);
      expect(after(continuous, entries(10 + 15 * minute))).toEqual(['high spo2.desat', true]);
      expect(after(continuous, entries(10 + 15 * minute + 32))[0]).toBe('none');
    });

    it('is confirmed by a monitor that falls below the limit', () => {
      const entries = [typed(0, 80), ...monitor(86, 1, 20)];
      expect(after(continuous, entries)).toEqual(['high spo2.low', true]);
    });

    it('of two users is one feed: the second one answers the first', () => {
      expect(after(continuous, [typed(0, 80), typed(120, 97, { deviceId: -9 })])[0]).toBe('none');
    });
  });
});

describe('stepNews2', () => {
  const start = 1_000_000_000;
  const second = 1_000;
  const minute = 60 * second;

  type Source = News2Value['source'];
  const normal: Record<News2PartName, number> = {
    respiratoryRate: 16,
    spo2: 98,
    oxygenFlow: 0,
    systolic: 120,
    pulse: 75,
    consciousness: 0,
    temperature: 37,
  };

  /** A score of some parts, with points as given; a part without points has a normal value. */
  function valuesOf(
    points: Partial<Record<News2PartName, number>>,
    at: number,
    source: Source,
    value: Partial<Record<News2PartName, number>> = {},
  ): News2Values {
    const parts: Partial<Record<News2PartName, News2Value>> = {};
    for (const [name, of] of Object.entries(points) as [News2PartName, number][]) {
      parts[name] = { at, points: of, value: value[name] ?? normal[name], source };
    }
    return {
      least: Object.values(points).reduce((sum, of) => sum + of, 0),
      isComplete: Object.keys(points).length === 7,
      parts,
    };
  }
  const whole = (points: Partial<Record<News2PartName, number>>): Record<News2PartName, number> => ({
    respiratoryRate: 0,
    spo2: 0,
    oxygenFlow: 0,
    systolic: 0,
    pulse: 0,
    consciousness: 0,
    temperature: 0,
    ...points,
  });
  const step = (state: News2State, values: News2Values, at: number, limits: News2Limits = defaultNews2Limits) =>
    stepNews2(state, values, limits, at);
  const ruleOf = ({ episode }: News2State): string | null =>
    episode === null || episode.endedAt !== null ? null : episode.rule;
  /** Evaluates a monitor's values once a second, for so many seconds. */
  function watch(
    state: News2State,
    points: Partial<Record<News2PartName, number>>,
    at: number,
    seconds: number,
  ): { state: News2State; at: number } {
    let after = state;
    for (let passed = 0; passed < seconds; passed += 1) {
      after = step(after, valuesOf(points, at + passed * second, 'monitor'), at + passed * second);
    }
    return { state: after, at: at + seconds * second };
  }
  /** Returns the rule that is active, and whether it is confirmed at `now`. */
  const stateOf = (state: News2State, now: number): [string | null, boolean | null] => {
    const rule = ruleOf(state);
    return [rule, rule === null || state.episode === null ? null : !isUnconfirmed(state.episode, now)];
  };
  const seven = { respiratoryRate: 3, systolic: 2, pulse: 2 };

  describe('a score', () => {
    it.each([
      [4, null],
      [5, 'news2.aggregate'],
      [6, 'news2.aggregate'],
      [7, 'news2.high'],
      [18, 'news2.high'],
    ])('of %i in one typed full set raises %s at once', (sum, rule) => {
      const points = whole({ respiratoryRate: Math.min(2, sum), systolic: Math.max(0, sum - 2) });
      expect(ruleOf(step(idleNews2, valuesOf(points, start, 'typed'), start))).toBe(rule);
    });

    it.each([
      [4, null],
      [5, 'news2.aggregate'],
      [7, 'news2.high'],
    ])('whose lower bound is %i raises %s when a monitor has shown it for 60 s', (sum, rule) => {
      const points = { spo2: 3, pulse: sum - 3 };
      expect(ruleOf(watch(idleNews2, points, start, 60).state)).toBeNull();
      expect(ruleOf(watch(idleNews2, points, start, 61).state)).toBe(rule);
    });

    it('of a monitor is raised by two in a row of the same part, and not by another part', () => {
      const first = step(idleNews2, valuesOf(seven, start, 'monitor'), start);
      expect(ruleOf(first)).toBeNull();
      expect(ruleOf(step(first, valuesOf(seven, start, 'monitor'), start + 50 * minute))).toBeNull();
      const more = {
        ...valuesOf(seven, start, 'monitor'),
        parts: {
          ...valuesOf(seven, start, 'monitor').parts,
          ...valuesOf({ temperature: 0 }, start + minute, 'typed').parts,
        },
      };
      expect(ruleOf(step(first, more, start + minute))).toBeNull();
      const again = start + minute;
      expect(ruleOf(step(first, valuesOf(seven, again, 'monitor'), again))).toBe('news2.high');
    });

    it('is not raised at once by a full set that was evaluated before it was high', () => {
      const well = step(idleNews2, valuesOf(whole({ systolic: 2 }), start, 'typed'), start);
      const typed = valuesOf(whole({ systolic: 2 }), start, 'typed');
      const worse: News2Values = {
        ...typed,
        least: 5,
        parts: { ...typed.parts, spo2: { at: start + minute, points: 3, value: 91, source: 'monitor' } },
      };
      expect(ruleOf(step(well, worse, start + minute))).toBeNull();
    });

    const raised = step(idleNews2, valuesOf(whole(seven), start, 'typed'), start);
    it('never ends because its values grow old', () => {
      const old = step(raised, valuesOf({ pulse: 2 }, start + 5 * 60 * minute, 'monitor'), start + 5 * 60 * minute);
      expect(ruleOf(old)).toBe('news2.high');
      expect(ruleOf(watch(old, {}, start + 6 * 60 * minute, 600).state)).toBe('news2.high');
    });

    it('ends two below with two values, and gives way to the milder rule first', () => {
      const typedAt = (points: Partial<Record<News2PartName, number>>, at: number) =>
        valuesOf(whole(points), at, 'typed');
      let state = step(raised, typedAt({ ...seven, systolic: 1 }, start + 1), start + 1);
      expect(ruleOf(step(state, typedAt({ ...seven, systolic: 1 }, start + 2), start + 2))).toBe('news2.high');
      state = step(state, typedAt({ ...seven, systolic: 0 }, start + 3), start + 3);
      expect(ruleOf(state)).toBe('news2.high');
      state = step(state, typedAt({ ...seven, systolic: 0 }, start + 4), start + 4);
      expect(ruleOf(state)).toBe('news2.aggregate');
      state = step(state, typedAt({ pulse: 2 }, start + 5), start + 5);
      state = step(state, typedAt({ pulse: 2 }, start + 6), start + 6);
      expect(ruleOf(state)).toBeNull();
    });

    it('ends when a monitor has shown it for 60 s, and a relapse starts that again', () => {
      const high = watch(idleNews2, { spo2: 3, pulse: 3, respiratoryRate: 3 }, start, 61);
      const better = { spo2: 1, pulse: 1, respiratoryRate: 1 };
      expect(ruleOf(watch(high.state, better, high.at, 60).state)).toBe('news2.high');
      expect(ruleOf(watch(high.state, better, high.at, 61).state)).toBeNull();
      const relapse = watch(watch(high.state, better, high.at, 59).state, { spo2: 3, pulse: 3 }, high.at + minute, 1);
      expect(ruleOf(watch(relapse.state, better, relapse.at, 60).state)).toBe('news2.high');
    });

    it('takes the thresholds of the patient, and none in comfort care', () => {
      const limits: News2Limits = {
        ...defaultNews2Limits,
        'news2.high': { raise: [{ is: 'atLeast', value: 9 }], clear: [{ is: 'atMost', value: 7 }] },
      };
      const set = valuesOf(whole({ respiratoryRate: 3, systolic: 3, pulse: 2 }), start, 'typed');
      expect(ruleOf(stepNews2(idleNews2, set, limits, start))).toBe('news2.aggregate');
    });

    it('without the parts of a device that was taken off goes on if the others are enough', () => {
      const high = watch(idleNews2, { spo2: 3, pulse: 3, respiratoryRate: 3 }, start, 61).state;
      const left = forgetNews2Parts(high, ['spo2'], defaultNews2Limits);
      expect(Object.keys(left.timers)).toEqual(['news2.aggregate']);
      expect(forgetNews2Parts(high, ['spo2', 'pulse'], defaultNews2Limits).timers).toEqual({});
    });
  });

  type Edge = [
    part: News2PartName,
    rule: News2RuleId,
    raising: number[],
    quiet: number[],
    clearing: number[],
    staying: number[],
  ];
  describe('a single part with three points', () => {
    const edges: Edge[] = [
      ['respiratoryRate', 'news2.respiratoryRate', [25, 32, 34], [9, 24], [10, 22], [9, 23, 24]],
      ['systolic', 'news2.systolic', [90, 71, 220], [91, 219], [95, 210], [91, 94, 211, 219]],
      ['temperature', 'news2.temperature', [35, 32.1], [35.1, 40.9], [35.5, 40.9], [35.1, 35.4]],
      ['consciousness', 'news2.consciousness', [1, 2], [0], [0], [1]],
    ];
    const one = (part: News2PartName, value: number, at: number, source: Source = 'typed'): News2Values =>
      valuesOf({ [part]: 0 }, at, source, { [part]: value });
    const cases = (which: 2 | 3 | 4 | 5) =>
      edges.flatMap((edge) => edge[which].map((value) => [edge[0], edge[1], value, edge[2][0] ?? 0] as const));
    const raise = (part: News2PartName, value: number) =>
      step(step(idleNews2, one(part, value, start), start), one(part, value, start + 1), start + 1);

    it.each(cases(2))('%s raises %s with one value of %d, which a second one confirms', (part, rule, value) => {
      expect(stateOf(step(idleNews2, one(part, value, start), start), start)).toEqual([rule, false]);
      expect(stateOf(raise(part, value), start + 1)).toEqual([rule, true]);
    });
    it.each(cases(3))('%s does not raise %s with %d', (part, _, value) => {
      expect(ruleOf(raise(part, value))).toBeNull();
    });
    it.each(cases(4))('%s ends %s with two values of %d', (part, rule, value, bad) => {
      const once = step(raise(part, bad), one(part, value, start + 2), start + 2);
      expect(ruleOf(once)).toBe(rule);
      expect(ruleOf(step(once, one(part, value, start + 3), start + 3))).toBeNull();
    });
    it.each(cases(5))('%s does not end %s with %d', (part, rule, value, bad) => {
      const twice = step(raise(part, bad), one(part, value, start + 2), start + 2);
      expect(ruleOf(step(twice, one(part, value, start + 3), start + 3))).toBe(rule);
    });

    it('is raised at once by a typed full set, and by a monitor after 60 s', () => {
      const set = valuesOf(whole({ respiratoryRate: 3 }), start, 'typed', { respiratoryRate: 32 });
      expect(ruleOf(step(idleNews2, set, start))).toBe('news2.respiratoryRate');
      const first = step(idleNews2, one('respiratoryRate', 32, start, 'monitor'), start);
      const at = start + minute;
      expect(ruleOf(step(first, one('respiratoryRate', 32, at - 1, 'monitor'), at))).toBeNull();
      expect(ruleOf(step(first, one('respiratoryRate', 32, at, 'monitor'), at))).toBe('news2.respiratoryRate');
    });

    it('is none of its own beside a score', () => {
      const set = valuesOf(whole({ consciousness: 3, systolic: 2 }), start, 'typed', { consciousness: 2 });
      expect(step(idleNews2, set, start).episode).toMatchObject({
        rule: 'news2.aggregate',
        priority: 'medium',
        count: 1,
      });
    });
  });

  describe('one save', () => {
    const quarter = 15 * minute;
    /** Saves points by part at a time; the other parts are as they were. */
    const save = (
      points: Partial<Record<News2PartName, number>>,
      at: number,
      {
        value = {},
        before,
        source = 'typed',
      }: {
        value?: Partial<Record<News2PartName, number>>;
        before?: News2Values;
        source?: Source;
      } = {},
    ): News2Values => {
      const parts = { ...before?.parts, ...valuesOf(points, at, source, value).parts };
      const least = Object.values(parts).reduce((sum, part) => sum + part.points, 0);
      return { least, isComplete: Object.keys(parts).length === 7, parts };
    };

    it.each([
      [{ respiratoryRate: 2, pulse: 2 }, null],
      [{ respiratoryRate: 2, pulse: 3 }, 'news2.aggregate'],
      [{ oxygenFlow: 2, pulse: 2, temperature: 2 }, 'news2.aggregate'],
      [{ respiratoryRate: 3, systolic: 3, pulse: 3, oxygenFlow: 2 }, 'news2.high'],
      [{ spo2: 3, oxygenFlow: 2, temperature: 2 }, 'news2.high'],
      [{ pulse: 3, spo2: 3, temperature: 1 }, 'news2.high'],
    ])('of %j raises %s at once, not confirmed', (points, rule) => {
      const state = step(idleNews2, save(points, start), start);
      expect(stateOf(state, start)).toEqual([rule, rule === null ? null : false]);
      expect(stateOf(state, start + quarter - 1)[1]).toBe(rule === null ? null : false);
      expect(stateOf(state, start + quarter)[1]).toBe(rule === null ? null : true);
    });

    it('counts what is still valid of others and of a monitor, and is nothing without points of its own', () => {
      const known = save({ spo2: 3, pulse: 2 }, start, { source: 'monitor' });
      const before = step(idleNews2, known, start);
      expect(ruleOf(before)).toBeNull();
      const at = start + second;
      const worse = save({ oxygenFlow: 2 }, at, { before: known });
      expect(stateOf(step(before, worse, at), at)).toEqual(['news2.high', false]);
      expect(ruleOf(step(before, save({ temperature: 0 }, at, { before: known }), at))).toBeNull();
    });

    type Extreme = [part: News2PartName, rule: News2RuleId | null, value: number];
    const extremes: Extreme[] = [
      ['consciousness', 'news2.consciousness', 1],
      ['consciousness', 'news2.consciousness', 2],
      ['consciousness', 'news2.unresponsive', 3],
      ['consciousness', 'news2.unresponsive', 4],
      ['respiratoryRate', null, 9],
      ['respiratoryRate', 'news2.extremeRespiratoryRate', 8],
      ['respiratoryRate', 'news2.extremeRespiratoryRate', 4],
      ['respiratoryRate', 'news2.extremeRespiratoryRate', 0],
      ['respiratoryRate', 'news2.respiratoryRate', 34],
      ['respiratoryRate', 'news2.extremeRespiratoryRate', 35],
      ['systolic', 'news2.systolic', 71],
      ['systolic', 'news2.extremeSystolic', 70],
      ['systolic', 'news2.extremeSystolic', 60],
      ['temperature', 'news2.temperature', 32.1],
      ['temperature', 'news2.extremeTemperature', 32],
      ['temperature', null, 40.9],
      ['temperature', 'news2.extremeTemperature', 41],
    ];
    it.each(extremes)('of %s alone raises %s with %d, not confirmed, also by a spot feed', (part, rule, value) => {
      for (const source of ['typed', 'spot'] as const) {
        const state = step(idleNews2, save({ [part]: 0 }, start, { value: { [part]: value }, source }), start);
        expect(stateOf(state, start)).toEqual([rule, rule === null ? null : false]);
      }
      const exempt = withoutScore(defaultNews2Limits);
      const state = step(idleNews2, save({ [part]: 3 }, start, { value: { [part]: value } }), start, exempt);
      const isOfOneValue = rule !== null && news2RuleOf(rule).priority === 'high';
      expect(ruleOf(state)).toBe(isOfOneValue ? rule : null);
    });

    it.each([
      ['monitor', minute, minute - 1],
      ['slow', minute, 1],
      ['slow', 5 * minute, 1],
    ] as const)('of a monitor (%s) is none: it shows an extreme twice, %i ms apart', (source, everyMs, earlyMs) => {
      const extreme = (at: number) => save({ systolic: 3 }, at, { value: { systolic: 62 }, source });
      const first = step(idleNews2, extreme(start), start);
      expect(ruleOf(first)).toBeNull();
      expect(ruleOf(step(first, extreme(start), start + everyMs))).toBeNull();
      expect(ruleOf(step(first, extreme(start + earlyMs), start + everyMs))).toBeNull();
      const second = step(first, extreme(start + everyMs), start + everyMs);
      expect(stateOf(second, start + everyMs)).toEqual(['news2.extremeSystolic', true]);
      const well = (at: number) => save({ systolic: 0 }, at, { value: { systolic: 120 }, source });
      const once = step(second, well(start + 2 * everyMs), start + 2 * everyMs);
      expect(ruleOf(once)).toBe('news2.extremeSystolic');
      expect(ruleOf(step(once, well(start + 3 * everyMs), start + 3 * everyMs))).toBeNull();
      const exempt = withoutScore(defaultNews2Limits);
      const alone = step(step(idleNews2, extreme(start), start, exempt), extreme(start + everyMs), start, exempt);
      expect(ruleOf(alone)).toBe('news2.extremeSystolic');
    });

    it.each([
      [1_000, 'monitor'],
      [59_999, 'monitor'],
      [60_000, 'slow'],
      [5 * minute, 'slow'],
      [5 * minute + 1, 'spot'],
      [60 * minute, 'spot'],
    ])('of a device that sends every %i ms is that of a %s', (expectedEveryMs, source) => {
      const [asOf, takenAt, receivedAt] = [toInstant(start), toInstant(start), toInstant(start)];
      const times = { asOf, takenAt, receivedAt, expectedEveryMs };
      const latest: LatestValues = {
        systolic: { value: 62, unit: 'mmHg', ...times, source: 'Cuff', quality: 'good', lastValid: null },
      };
      expect(news2ValuesOf(news2(latest, 1, start), latest, []).parts.systolic?.source).toBe(source);
    });

    const raised = step(idleNews2, save({ ...seven, oxygenFlow: 2 }, start), start);
    it.each([1, 10 * minute, quarter - 1])('is confirmed by a second one %i ms later', (laterMs) => {
      const at = start + laterMs;
      expect(stateOf(step(raised, save(seven, at), at), at)).toEqual(['news2.high', true]);
    });

    it('is not confirmed by another part, nor by a monitor, nor by itself', () => {
      const at = start + minute;
      const set = save({ ...seven, oxygenFlow: 2 }, start);
      expect(stateOf(step(raised, set, at), at)).toEqual(['news2.high', false]);
      expect(stateOf(step(raised, save({ temperature: 1 }, at, { before: set }), at), at)).toEqual([
        'news2.high',
        false,
      ]);
      const watched = watch(raised, { spo2: 3, pulse: 2 }, at, 61);
      expect(stateOf(watched.state, watched.at)).toEqual(['news2.high', false]);
    });

    it('is ended by a second one inside the limit, and keeps what that one leaves', () => {
      const at = start + 5 * minute;
      const six = step(raised, save({ respiratoryRate: 2, systolic: 2, pulse: 0, oxygenFlow: 2 }, at), at);
      expect(stateOf(six, at)).toEqual(['news2.aggregate', true]);
      const four = step(raised, save({ respiratoryRate: 2, systolic: 0, pulse: 0, oxygenFlow: 2 }, at), at);
      expect(ruleOf(four)).toBeNull();
    });

    it('once confirmed is ended by one save at the clear limit, and by a monitor after 60 s', () => {
      const at = start + quarter;
      expect(ruleOf(step(raised, save({ ...seven, pulse: 1, oxygenFlow: 0 }, at), at))).toBe('news2.high');
      const better = step(raised, save({ ...seven, pulse: 0, oxygenFlow: 0 }, at), at);
      expect(ruleOf(better)).toBe('news2.aggregate');
      const mild = { respiratoryRate: 0, systolic: 0, pulse: 0, oxygenFlow: 2 };
      expect(ruleOf(watch(raised, mild, at, 60).state)).toBe('news2.high');
      expect(ruleOf(watch(raised, mild, at, 61).state)).toBeNull();
    });

    it('with a value of an earlier time, or a corrected one of the same time, is a save as well', () => {
      const well = save({ pulse: 0 }, start);
      const at = start + second;
      const state = step(idleNews2, well, at);
      const backDated = save({ respiratoryRate: 3 }, start - 30 * minute, {
        before: well,
        value: { respiratoryRate: 4 },
      });
      expect(ruleOf(step(state, backDated, at))).toBe('news2.extremeRespiratoryRate');
      const wrong = step(idleNews2, save({ systolic: 0 }, start, { value: { systolic: 160 } }), at);
      const corrected = save({ systolic: 3 }, start, { value: { systolic: 60 } });
      expect(ruleOf(step(wrong, corrected, at))).toBe('news2.extremeSystolic');
    });

    it('that an earlier release evaluated is not evaluated again', () => {
      const old: News2State = { ...idleNews2, typedAt: start };
      expect(ruleOf(step(old, save({ ...seven, oxygenFlow: 2 }, start), start + 1))).toBeNull();
      expect(ruleOf(step(old, save(seven, start + 1), start + 1))).toBe('news2.high');
    });
  });

  describe('whatever is measured', () => {
    const source = fc.constantFrom<Source>('typed', 'monitor', 'slow', 'spot');
    const measurement = fc.record({
      afterMs: fc.integer({ min: 1_000, max: 40 * minute }),
      points: fc.dictionary(fc.constantFrom(...news2PartNames), fc.integer({ min: 0, max: 3 }), { maxKeys: 7 }),
      source,
    });

    it('a rule is raised by no score below its limit, and ends by no silence', () => {
      fc.assert(
        fc.property(fc.array(measurement, { maxLength: 30 }), (measurements) => {
          let state = idleNews2;
          let at = start;
          for (const { afterMs, points, source: from } of measurements) {
            at += afterMs;
            const silent = step(state, valuesOf({}, at, 'monitor'), at - 1);
            expect(ruleOf(silent)).toBe(ruleOf(state));
            const values = valuesOf(points, at, from);
            const before = state;
            state = step(state, values, at);
            for (const id of ['news2.high', 'news2.aggregate'] as const) {
              const isNew = state.timers[id]?.phase === 'active' && before.timers[id]?.phase !== 'active';
              const isOver = before.timers[id]?.phase === 'active' && state.timers[id] === undefined;
              expect(isNew && values.least < news2Rules[id].limits.raise[0].value).toBe(false);
              const wasFirst = at < (before.timers[id]?.save?.unconfirmedUntil ?? 0);
              const isInside = values.least < news2Rules[id].limits.raise[0].value;
              const isCleared = isBeyondAll(news2Rules[id].limits.clear, values.least) || (wasFirst && isInside);
              expect(isOver && !isCleared).toBe(false);
            }
          }
        }),
      );
    });

    it('the state stays the same object while nothing is new, and is the same after JSON', () => {
      fc.assert(
        fc.property(fc.array(measurement, { maxLength: 12 }), (measurements) => {
          let state = idleNews2;
          let at = start;
          for (const { afterMs, points, source: from } of measurements) {
            at += afterMs;
            const values = valuesOf(points, at, from);
            state = step(state, values, at);
            const again = step(state, values, at);
            expect(step(again, values, at)).toEqual(again);
            expect(JSON.parse(JSON.stringify(state))).toEqual(state);
          }
          expect(Object.keys(state.timers).every((id) => news2RuleIds.some((known) => known === id))).toBe(true);
        }),
      );
    });
  });
});

describe('retrospective', () => {
  const plan = retrospectivePlanOf(planOf('oxygenation', settingOf()));
  const spo2 = (value: number, from: number, until: number, isRetrospective = true): RetrospectiveEntry[] =>
    steady('oxygenation', 'spo2', value, from, until).map((entry) => ({ ...entry, isRetrospective }));
  const judge = (entries: readonly RetrospectiveEntry[]) =>
    retrospectiveEpisodes(stepRetrospective(createRetrospective(plan), plan, entries));

  describe('a stream of the past', () => {
    const values = [
      ...steady('oxygenation', 'spo2', 87, 0, 20),
      ...steady('oxygenation', 'spo2', 91, 21, 60),
      ...steady('oxygenation', 'spo2', 97, 61, 800),
      ...steady('oxygenation', 'spo2', 77, 801, 802),
    ];

    it('gives its episodes, with the most urgent rule that each reached', () => {
      expect(evaluateRecording(plan, values.toReversed())).toMatchObject([
        {
          parameter: 'spo2',
          worst: { priority: 'high' },
          episode: { rule: 'spo2.below', priority: 'medium', endedAt: start + 121_000 },
        },
        { parameter: 'spo2', worst: { priority: 'high' }, episode: { rule: 'spo2.desat', count: 1, endedAt: null } },
      ]);
    });

    it('calls a desaturation worse than the low value before, and keeps the values up to it, newest first', () => {
      const [found] = judge([...spo2(86, 0, 30), ...spo2(70, 31, 40), ...spo2(86, 41, 60), ...spo2(97, 61, 120)]);
      expect(found?.worst).toMatchObject({ rule: 'spo2.desat', priority: 'high' });
      expect(found?.worst.values.slice(0, 3).map(({ value }) => value)).toEqual([70, 70, 86]);
      expect(found).toMatchObject({ episode: { lowest: 70, startedAt: start + 15_000 }, endedAt: start + 91_000 });
    });

    it('keeps no more values than an alert does', () => {
      const [found] = judge([...spo2(90, 0, 400), ...spo2(97, 401, 500)]);
      expect(found?.worst.values).toHaveLength(evidenceLength);
    });

    it('has what never ended go as far as its values', () => {
      expect(judge(spo2(86, 0, 40))).toMatchObject([{ episode: { endedAt: null }, endedAt: start + 40_000 }]);
    });

    it('is the same in pieces as at once', () => {
      const all = [
        ...spo2(86, 0, 40, false),
        ...spo2(97, 41, 500),
        ...spo2(70, 501, 520),
        ...spo2(91, 521, 900, false),
        ...spo2(97, 901, 1_000),
      ];
      const cuts = fc
        .array(fc.nat(all.length), { maxLength: 6 })
        .map((some) => [0, ...some.sort((a, b) => a - b), all.length]);
      const atOnce = judge(all);
      fc.assert(
        fc.property(cuts, (at) => {
          const pieces = at.slice(1).map((until, place) => all.slice(at[place], until));
          expect(
            retrospectiveEpisodes(
              pieces.reduce((past, piece) => stepRetrospective(past, plan, piece), createRetrospective(plan)),
            ),
          ).toEqual(atOnce);
        }),
        { ...fuzzRuns, numRuns: Math.ceil(fuzzRuns.numRuns / 6) },
      );
    });

    it('leaves out a value that was measured before the last one', () => {
      const past = stepRetrospective(createRetrospective(plan), plan, spo2(97, 0, 60));
      expect(stepRetrospective(past, plan, spo2(70, 30, 40))).toEqual(past);
    });

    it.each([
      ['all of it came in time', [...spo2(86, 0, 30, false), ...spo2(97, 31, 90, false)], false],
      ['only what was before it came late', [...spo2(97, 0, 60), ...spo2(86, 61, 90, false)], false],
      [
        'only what was after it came late',
        [...spo2(86, 0, 30, false), ...spo2(97, 31, 90, false), ...spo2(92, 91, 120)],
        false,
      ],
      ['a value of its delay came late', [...spo2(86, 0, 5), ...spo2(86, 6, 30, false)], true],
      [
        'values in its middle came late',
        [...spo2(86, 0, 30, false), ...spo2(86, 31, 60), ...spo2(86, 61, 90, false)],
        true,
      ],
      [
        'what made it worse came late',
        [...spo2(86, 0, 30, false), ...spo2(70, 31, 60), ...spo2(86, 61, 90, false)],
        true,
      ],
    ])('knows whether late values were part of an episode: %s', (_, entries, isRetrospective) => {
      expect(judge(entries).map(({ late }) => late !== null)).toEqual([isRetrospective]);
    });

    it('does not evaluate equipment or trends', () => {
      const doubtful = spo2(97, 0, 120).map((entry) => ({ ...entry, isDoubtful: true }));
      const falling = steady('oxygenation', 'spo2', 99, 0, 6 * 3_600, 20).concat(
        steady('oxygenation', 'spo2', 94, 6 * 3_600, 8 * 3_600, 20),
      );
      expect(judge(doubtful)).toEqual([]);
      expect(judge(falling.map((entry) => ({ ...entry, isRetrospective: true })))).toEqual([]);
      expect(evaluateRecording(planOf('oxygenation', settingOf()), falling)).toMatchObject([
        { episode: { rule: 'spo2.drop' } },
      ]);
    });
  });

  describe('a late value', () => {
    it.each([
      ['a minute old', 60_000, false],
      ['more than a minute old', 60_001, true],
      ['a day old', 86_400_000, true],
      ['more than a day old', 86_400_001, false],
      ['ahead of its time', -1, false],
    ])('is of the past or not: %s', (_, age, expected) => {
      expect(arrivedTooLate(start - age, start)).toBe(expected);
    });

    it.each([
      [93, true],
      [94, false],
      [100, false],
    ])('of SpO2 %d may need an entry: %s', (value, expected) => {
      expect(violatesAny(plan, entryOf('oxygenation', 'spo2', 0, value))).toBe(expected);
    });

    it.each([
      [40, true],
      [46, false],
      [110, false],
      [111, true],
    ])('of a rate of %d may need an entry: %s', (value, expected) => {
      expect(violatesAny(planOf('rate', settingOf()), entryOf('rate', 'pulseRate', 0, value))).toBe(expected);
    });

    it('of oxygen needs no entry', () => {
      expect(violatesAny(plan, entryOf('oxygenation', 'oxygenFlow', 0, 2))).toBe(false);
    });
  });
});

describe('symptomRules', () => {
  describe('symptomEpisode', () => {
    const now = Date.UTC(2026, 4, 1, 10);
    const minute = 60_000;
    const day = 24 * 60 * minute;

    const reportOf = (agoMs: number, more: Partial<EvaluatedReport> = {}): EvaluatedReport => ({
      reportedAt: now - agoMs,
      recordedAt: now - agoMs,
      answers: {},
      redFlags: [],
      sinceYesterday: null,
      ...more,
    });
    const lips = reportOf(10 * minute, { redFlags: ['blueLips'] });
    const well = reportOf(minute);
    const raised = nextSymptomEpisode(null, [lips], 0, now - 10 * minute);
    const take = (episode: Episode | null, reports: readonly EvaluatedReport[], resolvedTo = 0, at = now) =>
      nextSymptomEpisode(episode, reports, resolvedTo, at);

    describe('a red flag', () => {
      it('is raised as HIGH', () => {
        expect(raised).toMatchObject({ rule: 'symptoms.red_flag', priority: 'high', count: 1, endedAt: null });
      });

      it('stays when a later report does not mention it, and when it is not read any more', () => {
        expect(take(raised, [well, lips])).toBe(raised);
        expect(take(raised, [])).toBe(raised);
        expect(take(raised, [reportOf(0, { sinceYesterday: 'worse' }), lips])).toBe(raised);
      });

      it('is raised if the report was entered after a newer one without it, or at once with it', () => {
        const late = { ...lips, recordedAt: now };
        expect(take(null, [well, late])).toMatchObject({ priority: 'high' });
        expect(take(null, [{ ...well, recordedAt: lips.recordedAt }, lips])).toMatchObject({ priority: 'high' });
      });

      it('is a new raise with each further flag, and with no repeated one', () => {
        const again = take(raised, [reportOf(minute, { redFlags: ['blueLips'] }), lips]);
        expect(again).toEqual({ ...raised, since: now - minute });
        const further = [reportOf(minute, { redFlags: ['blueLips'], answers: { syncope: 'mild' } }), lips];
        const twice = take(raised, further);
        expect(twice).toMatchObject({ count: 2, since: now - minute, endedAt: null });
        expect(take(twice, further)).toBe(twice);
      });

      it('is not raised again by a report that a person has resolved, and is by the next', () => {
        expect(take(null, [lips], lips.recordedAt)).toBeNull();
        expect(take(null, [reportOf(0, { redFlags: ['blueLips'] }), lips], lips.recordedAt)).toMatchObject({
          count: 1,
        });
      });

      it('is not raised by what is a day old when it is entered', () => {
        expect(take(null, [reportOf(day + 1, { redFlags: ['blueLips'], recordedAt: now })])).toBeNull();
        expect(take(null, [reportOf(day, { redFlags: ['blueLips'], recordedAt: now })])).not.toBeNull();
      });

      it('takes over from milder symptoms, and its end by a person leaves nothing', () => {
        const amber = take(null, [reportOf(minute, { sinceYesterday: 'worse' })], 0, now - minute);
        expect(amber).toMatchObject({ rule: 'symptoms.amber', priority: 'medium' });
        expect(take(amber, [lips, reportOf(minute, { sinceYesterday: 'worse' })])).toMatchObject({ priority: 'high' });
      });
    });

    it('names every red flag that is not answered, in the order of the table', () => {
      const reports = [well, reportOf(2 * minute, { redFlags: ['seizure'] }), lips];
      expect(openRedFlags(reports, 0)).toMatchObject({ at: now - 2 * minute, redFlags: ['blueLips', 'seizure'] });
      expect(openRedFlags(reports, lips.recordedAt)).toMatchObject({ at: now - 2 * minute, redFlags: ['seizure'] });
      expect(openRedFlags([well], 0)).toBeNull();
    });

    it('reads the reports of a day, and those of a red flag as long as it is open', () => {
      expect(symptomsFrom(null, now)).toBe(now - day);
      expect(symptomsFrom(raised, now + 5 * day)).toBe(now - 10 * minute - day);
      expect(symptomsFrom(raised === null ? null : { ...raised, endedAt: now }, now)).toBe(now - day);
    });

    describe('milder symptoms', () => {
      const at = (agoMinutes: number, more: Partial<EvaluatedReport>) => reportOf(agoMinutes * minute, more);
      /** Takes reports as they arrive, in this order, and returns the episode after each. */
      const arrive = (reports: readonly EvaluatedReport[]): (Episode | null)[] => {
        const known: EvaluatedReport[] = [];
        let episode: Episode | null = null;
        return reports.map((report, index) => {
          const recordedAt = now + index * 1_000;
          known.push({ ...report, recordedAt });
          episode = nextSymptomEpisode(episode, known, 0, recordedAt);
          return episode;
        });
      };
      const isOpenAfter = (reports: readonly EvaluatedReport[]): boolean => {
        const last = arrive(reports).at(-1) ?? null;
        return last !== null && last.endedAt === null;
      };
      const mild = at(50, { answers: { cough: 'mild' } });
      const severe = at(40, { answers: { cough: 'severe' } });
      const worse = at(40, { sinceYesterday: 'worse' });
      const milder = at(30, { answers: { cough: 'mild' } });
      const dizzy = (agoMinutes: number) => at(agoMinutes, { answers: { dizziness: 'mild' } });

      it.each<[string, EvaluatedReport[], boolean]>([
        ['worse', [worse], true],
        ['worse, then the same', [worse, at(30, { sinceYesterday: 'same' })], true],
        ['worse, then better', [worse, at(30, { sinceYesterday: 'better' })], false],
        ['severe', [mild, severe], true],
        ['severe twice', [mild, severe, at(30, { answers: { cough: 'severe' } })], true],
        [
          'severe, then an answer about another symptom',
          [mild, severe, at(30, { answers: { fever: 'absent' } })],
          true,
        ],
        ['severe, then not answered', [mild, severe, at(30, { answers: { cough: 'unanswered' } })], true],
        ['severe, then milder', [mild, severe, at(30, { answers: { cough: 'moderate' } })], false],
        ['severe, then absent', [mild, severe, at(30, { answers: { cough: 'absent' } })], false],
        ['severe, then better', [mild, severe, at(30, { sinceYesterday: 'better' })], false],
        ['new dizziness, then the same', [dizzy(40), dizzy(30)], true],
        ['worse and severe, then milder', [mild, { ...severe, sinceYesterday: 'worse' }, milder], true],
        ['worse after a report that did not ask', [mild, at(45, { answers: { fever: 'absent' } }), severe], true],
        ['an older worse after a newer same', [at(30, { sinceYesterday: 'same' }), worse], true],
        ['an older better after a newer worse', [worse, at(50, { sinceYesterday: 'better' })], true],
        [
          'an older milder one after a newer severe one',
          [mild, severe, at(45, { answers: { cough: 'absent' } })],
          true,
        ],
        ['an older worse after a newer better', [at(30, { sinceYesterday: 'better' }), worse], false],
      ])('after %s', (_, reports, isStillOpen) => {
        expect(isOpenAfter(reports)).toBe(isStillOpen);
      });

      it('are raised again with each further worsening, and by nothing else', () => {
        const counts = (reports: readonly EvaluatedReport[]) => arrive(reports).map((episode) => episode?.count ?? 0);
        const moderate = at(45, { answers: { cough: 'moderate' } });
        expect(counts([mild, moderate, severe, at(30, { answers: { cough: 'severe' } })])).toEqual([0, 1, 2, 2]);
        expect(counts([worse, at(30, { sinceYesterday: 'same' }), at(20, { sinceYesterday: 'worse' })])).toEqual([
          1, 1, 2,
        ]);
        expect(counts([mild, severe, at(30, { answers: { dizziness: 'mild' } })])).toEqual([0, 1, 2]);
        // Late: it began earlier, which is no news; a comparison that was not known before is.
        expect(counts([mild, severe, moderate])).toEqual([0, 1, 1]);
        expect(counts([severe, mild])).toEqual([0, 1]);
      });

      it('are not raised by what is a day old, and stay for longer than a day', () => {
        const old = reportOf(day + 1, { sinceYesterday: 'worse', recordedAt: now });
        expect(take(null, [old])).toBeNull();
        const open = take(null, [worse]);
        expect(take(open, [worse], 0, now + 3 * day)).toMatchObject({ endedAt: null, count: 1 });
        expect(symptomsFrom(open, now + 3 * day)).toBe(now - day);
      });

      it('are answered by a person who resolves them, and raised by the next worsening', () => {
        const open = take(null, [mild, severe]);
        const to = open === null ? 0 : answeredTo(open);
        expect(take(null, [mild, severe, at(30, { answers: { cough: 'severe' } })], to)).toBeNull();
        expect(take(null, [mild, severe, at(30, { sinceYesterday: 'worse' })], to)).toMatchObject({ count: 1 });
      });

      it('end if the report that raised them was entered in error', () => {
        const open = take(null, [mild, severe]);
        expect(take(open, [mild, { ...severe, isInError: true }])).toMatchObject({ endedAt: now });
      });

      const answers = fc.record(
        {
          cough: fc.constantFrom<SymptomAnswer>('absent', 'mild', 'moderate', 'severe', 'unanswered'),
          dizziness: fc.constantFrom<SymptomAnswer>('absent', 'mild', 'moderate'),
        },
        { requiredKeys: [] },
      );
      const some = fc.uniqueArray(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 8 }).chain((minutes) =>
        fc.tuple(
          ...minutes.map((ago) =>
            fc
              .record({
                answers,
                sinceYesterday: fc.constantFrom('worse' as const, 'same' as const, 'better' as const, null),
                redFlags: fc.constantFrom<RedFlag[]>([], [], [], ['blueLips'], ['seizure']),
              })
              .map((more) => at(ago, more)),
          ),
        ),
      );
      const inBothOrders = some.chain((reports) =>
        fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
      );

      it('end the same in whatever order the reports arrive', () => {
        fc.assert(
          fc.property(inBothOrders, ([reports, shuffled]) => {
            const harmless = (list: readonly EvaluatedReport[]) => list.map((one) => ({ ...one, redFlags: [] }));
            expect(isOpenAfter(harmless(reports))).toBe(isOpenAfter(harmless(shuffled)));
          }),
          { numRuns: 500 },
        );
      });

      it('hide no red flag: each is raised, in whatever order the reports arrive', () => {
        fc.assert(
          fc.property(inBothOrders, ([, shuffled]) => {
            const told = new Set<string>();
            let raises = 0;
            arrive(shuffled).forEach((episode, index) => {
              const flags = shuffled[index]?.redFlags ?? [];
              raises += flags.some((flag) => !told.has(flag)) ? 1 : 0;
              flags.forEach((flag) => told.add(flag));
              const isRed = episode?.rule === 'symptoms.red_flag' && episode.endedAt === null;
              expect(isRed).toBe(told.size > 0);
              expect(isRed ? episode.count : raises).toBeGreaterThanOrEqual(raises);
            });
          }),
          { numRuns: 500 },
        );
      });
    });
  });

  describe('evaluateSymptoms', () => {
    const reportOf = (more: Partial<EvaluatedReport> = {}): EvaluatedReport => ({
      reportedAt: 1_000,
      recordedAt: 1_000,
      answers: {},
      redFlags: [],
      sinceYesterday: null,
      ...more,
    });

    /** What a report raises after another one, which a person has answered. */
    const raisedBy = (report: EvaluatedReport, before: EvaluatedReport | null) => {
      const earlier = before === null ? [] : [{ ...before, reportedAt: 500, recordedAt: 500 }];
      return nextSymptomEpisode(null, [report, ...earlier], 500, 1_000);
    };

    describe('a report of symptoms', () => {
      it.each(Object.keys(redFlags) as RedFlag[])('raises HIGH for %s', (flag) => {
        expect(raisedBy(reportOf({ redFlags: [flag] }), null)).toMatchObject({
          rule: 'symptoms.red_flag',
          priority: 'high',
          since: 1_000,
        });
      });

      it.each<[string, EvaluatedReport, EvaluatedReport | null, string | undefined]>([
        ['a flag that follows from an answer', reportOf({ answers: { dyspnoea: 'severe' } }), null, 'high'],
        ['worse than yesterday', reportOf({ sinceYesterday: 'worse' }), null, 'medium'],
        ['the same as yesterday', reportOf({ sinceYesterday: 'same', answers: { cough: 'mild' } }), null, undefined],
        [
          'a symptom that grew to moderate',
          reportOf({ answers: { cough: 'moderate' } }),
          reportOf({ answers: { cough: 'mild' } }),
          'medium',
        ],
        [
          'one that grew to mild',
          reportOf({ answers: { cough: 'mild' } }),
          reportOf({ answers: { cough: 'absent' } }),
          undefined,
        ],
        [
          'one that stays moderate',
          reportOf({ answers: { cough: 'moderate' } }),
          reportOf({ answers: { cough: 'moderate' } }),
          undefined,
        ],
        [
          'a moderate one that was not asked for before',
          reportOf({ answers: { cough: 'moderate' } }),
          reportOf(),
          undefined,
        ],
        [
          'new dizziness',
          reportOf({ answers: { dizziness: 'mild' } }),
          reportOf({ answers: { dizziness: 'absent' } }),
          'medium',
        ],
        ['dizziness in the first report', reportOf({ answers: { dizziness: 'mild' } }), null, 'medium'],
        [
          'dizziness as before',
          reportOf({ answers: { dizziness: 'mild' } }),
          reportOf({ answers: { dizziness: 'mild' } }),
          undefined,
        ],
        ['dizziness without an answer', reportOf({ answers: { dizziness: 'unanswered' } }), null, undefined],
        ['nothing', reportOf({ answers: { cough: 'absent' } }), null, undefined],
      ])('judges %s', (_, report, before, priority) => {
        expect(raisedBy(report, before)?.priority).toBe(priority);
      });
    });

    describe('the symptoms that changed', () => {
      it('are those that are new or worse, and no others', () => {
        const before = reportOf({
          answers: { dyspnoea: 'moderate', cough: 'mild', fever: 'absent', fatigue: 'severe' },
        });
        const report = reportOf({
          answers: { dyspnoea: 'moderate', cough: 'moderate', fever: 'mild', fatigue: 'mild', nausea: 'absent' },
        });
        expect(changedSymptoms(report, before)).toEqual([
          { symptom: 'cough', is: 'worse' },
          { symptom: 'fever', is: 'new' },
        ]);
      });

      it('call one that was not asked before new only if the rules do', () => {
        const report = reportOf({ answers: { cough: 'moderate', oedema: 'mild', fever: 'unanswered' } });
        for (const before of [null, reportOf(), reportOf({ answers: { cough: 'unanswered' } })]) {
          expect(changedSymptoms(report, before)).toEqual([{ symptom: 'oedema', is: 'new' }]);
        }
      });

      it('name every one for which the rules are amber', () => {
        const grades = ['absent', 'mild', 'moderate', 'severe', 'unanswered', undefined] as const;
        for (const symptom of ['wheeze', 'dizziness'] as const) {
          for (const [was, is] of grades.flatMap((one) => grades.map((other) => [one, other] as const))) {
            const reports = [
              reportOf({ answers: { [symptom]: is } }),
              reportOf({ answers: { [symptom]: was } }),
            ] as const;
            const named = changedSymptoms(...reports).map((changed) => changed.symptom);
            expect(raisedBy(...reports)?.priority === 'medium' ? named : [symptom]).toEqual([symptom]);
          }
        }
      });
    });
  });
});
