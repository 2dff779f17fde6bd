import type { News2 } from '../vitals/news2Schema';
import { news2AggregateRule, idleNews2Aggregate, stepNews2Aggregate, type News2Aggregate } from './news2Aggregate';

const start = 1_000_000_000;
const second = 1_000;

/** A score of SpO2 and pulse alone, as far as its least goes. */
const scoreOf = (
  least: number,
  parts: News2['parts'] = { spo2: { value: 90, points: 3 }, pulseRate: { value: 112, points: 2 } },
): News2 => ({
  complete: false,
  score: null,
  range: [least, least + 14],
  band: 'unknown',
  atLeast: null,
  scale: 1,
  parts,
  missing: [],
});

/** Asks once a second for as long as each score lasts, in seconds, and goes on from there. */
function play(
  stretches: readonly (readonly [seconds: number, score: News2])[],
  from = idleNews2Aggregate,
  at = start,
): { news2Aggregate: News2Aggregate; at: number } {
  return stretches.reduce(
    (so, [seconds, score]) => {
      let { news2Aggregate } = so;
      for (let passed = 0; passed < seconds; passed += 1) {
        news2Aggregate = stepNews2Aggregate(news2Aggregate, score, so.at + passed * second);
      }
      return { news2Aggregate, at: so.at + seconds * second };
    },
    { news2Aggregate: from, at },
  );
}
const isRaised = ({ news2Aggregate }: { news2Aggregate: News2Aggregate }): boolean =>
  news2Aggregate.episode !== null && news2Aggregate.episode.endedAt === null;
const raised = play([[61, scoreOf(5)]]);

describe('stepCombo', () => {
  it.each([
    [4, 600, false],
    [5, 60, false],
    [5, 61, true],
    [6, 61, true],
    [20, 61, true],
  ])('of a score of at least %i, evaluated %i times in as many seconds, is raised: %s', (least, times, expected) => {
    expect(isRaised(play([[times, scoreOf(least)]]))).toBe(expected);
  });

  it.each([
    [4, 60, true],
    [4, 61, false],
    [5, 600, true],
    [0, 61, false],
  ])('once raised, with a score of at least %i evaluated %i times, is still active: %s', (least, times, expected) => {
    expect(isRaised(play([[times, scoreOf(least)]], raised.news2Aggregate, raised.at))).toBe(expected);
  });

  it('has a MEDIUM episode with the worst of its scores', () => {
    expect(raised.news2Aggregate.episode).toEqual({
      rule: 'news2.aggregate',
      priority: 'medium',
      source: null,
      unconfirmedUntil: null,
      startedAt: start + 60 * second,
      count: 1,
      since: start + 60 * second,
      endedAt: null,
      lowest: 5,
      highest: 5,
    });
    const over = play([[10, scoreOf(7)], [61, scoreOf(2)]], raised.news2Aggregate, raised.at); // prettier-ignore
    expect(over.news2Aggregate.episode).toMatchObject({
      rule: news2AggregateRule.id,
      endedAt: over.at - second,
      highest: 7,
    });
    expect(over.news2Aggregate).toMatchObject({ withSpo2: false, withRate: false });
  });

  it('survives 5 s of a lower score while it counts, and no more', () => {
    expect(isRaised(play([[30, scoreOf(5)], [5, scoreOf(4)], [26, scoreOf(5)]]))).toBe(true); // prettier-ignore
    expect(isRaised(play([[30, scoreOf(5)], [7, scoreOf(4)], [24, scoreOf(5)]]))).toBe(false); // prettier-ignore
  });

  it('starts the time of recovery again when the score is high again', () => {
    // prettier-ignore
    const dipped = play([[59, scoreOf(4)], [1, scoreOf(5)], [59, scoreOf(4)]], raised.news2Aggregate, raised.at);
    expect(isRaised(dipped)).toBe(true);
  });

  it('joins what begins again within 5 min', () => {
    const over = play([[61, scoreOf(2)]], raised.news2Aggregate, raised.at);
    const soon = play([[61, scoreOf(5)]], over.news2Aggregate, over.at);
    expect(soon.news2Aggregate.episode).toMatchObject({ count: 2, startedAt: start + 60 * second, endedAt: null });
    const later = play([[301, scoreOf(2)], [61, scoreOf(5)]], over.news2Aggregate, over.at); // prettier-ignore
    expect(later.news2Aggregate.episode).toMatchObject({ count: 1, endedAt: null });
  });

  it.each<[string, News2['parts'], boolean]>([
    ['the probe fell off', { respiratoryRate: { value: 22, points: 2 } }, true],
    ['SpO2 is missing', { pulseRate: { value: 112, points: 2 } }, true],
    ['the rate is missing', { spo2: { value: 96, points: 0 } }, true],
    ['the other rate has taken over', { spo2: { value: 96, points: 0 }, heartRate: { value: 112, points: 2 } }, false],
    [
      'a value taken by hand is too old',
      { spo2: { value: 92, points: 2 }, pulseRate: { value: 112, points: 2 } },
      false,
    ],
  ])('after %s, a lower score for 10 min leaves it active: %s', (_, parts, expected) => {
    const parted = {
      spo2: { value: 92, points: 2 },
      pulseRate: { value: 112, points: 2 },
      systolic: { value: 90, points: 3 },
    };
    const { news2Aggregate, at } = play([[61, scoreOf(7, parted)]]);
    expect(isRaised(play([[600, scoreOf(2, parts)]], news2Aggregate, at))).toBe(expected);
  });

  it('ends without a signal that was no part of it', () => {
    const parts = { spo2: { value: 90, points: 3 }, systolic: { value: 95, points: 2 } };
    const { news2Aggregate, at } = play([[61, scoreOf(5, parts)]]);
    expect(isRaised(play([[61, scoreOf(2, parts)]], news2Aggregate, at))).toBe(false);
  });

  it('stays the same object while nothing changes', () => {
    expect(stepNews2Aggregate(idleNews2Aggregate, scoreOf(4), start)).toBe(idleNews2Aggregate);
    expect(stepNews2Aggregate(raised.news2Aggregate, scoreOf(5), raised.at)).toBe(raised.news2Aggregate);
    const over = play([[61, scoreOf(2)]], raised.news2Aggregate, raised.at);
    expect(stepNews2Aggregate(over.news2Aggregate, scoreOf(2), over.at)).toBe(over.news2Aggregate);
  });
});
