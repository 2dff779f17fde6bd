import fc from 'fast-check';
import type { Priority } from './priority';
import {
  evaluateMissedReadings,
  createSpotCheck,
  resumeSpotCheck,
  spotCheckAt,
  spotToKeep,
  takeReading,
  takeReadings,
  withdrawReading,
  type Reading,
  type SpotCheck,
  type SpotSetting,
} from './spotCheck';
import { spotPriority, type SpotParameter } from './spotRules';

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
        const readings = [...new Map(list.map(([minutes, value]) => [minutes, reading(minutes, value)])).values()].sort(
          (a, b) => a.at - b.at,
        );
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
      { numRuns: 300 },
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
      { numRuns: 300 },
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
        const of = (values: readonly [number, number][]): Reading[] => values.map(([at, value]) => reading(at, value));
        const check = play(
          setting,
          of(before).sort((a, b) => a.at - b.at),
        );
        const one = of(together).reduce((so, each) => takeReading(so, setting, each, now), check);
        expect(takeReadings(check, setting, of(together), now)).toEqual(one);
      }),
      { numRuns: 300 },
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
        const readings = [...new Map(list.map(([minutes, value]) => [minutes, reading(minutes, value)])).values()].sort(
          (a, b) => a.at - b.at,
        );
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

  it('changes nothing when it comes again, is corrected by another value of its moment, and ends with the next', () => {
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
