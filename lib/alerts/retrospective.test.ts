import fc from 'fast-check';
import { entryOf, planOf, settingOf, start, steady } from '../../test/stream';
import {
  retrospectiveEpisodes,
  evidenceLength,
  arrivedTooLate,
  evaluateRecording,
  createRetrospective,
  retrospectivePlanOf,
  stepRetrospective,
  violatesAny,
  type RetrospectiveEntry,
} from './retrospective';

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

  it('calls a desaturation worse than the low value before it, and keeps the values up to it, the newest first', () => {
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
    fc.assert(
      fc.property(cuts, (at) => {
        const pieces = at.slice(1).map((until, place) => all.slice(at[place], until));
        expect(
          retrospectiveEpisodes(
            pieces.reduce((past, piece) => stepRetrospective(past, plan, piece), createRetrospective(plan)),
          ),
        ).toEqual(judge(all));
      }),
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
    expect(judge(entries)).toMatchObject([{ isRetrospective }]);
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
