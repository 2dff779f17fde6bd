import { newPace, notePace, readPace } from './pace';

const minute = 60_000;

/** The pace of messages that came at these milliseconds, each answered in 10 ms. */
const paceOf = (times: readonly number[], tookMs = 10) => {
  const pace = newPace();
  for (const at of times) {
    notePace(pace, at, tookMs);
  }
  return pace;
};
/** Every 5 s from `from` on. */
const steady = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index * 5_000);

describe('the pace of a sender', () => {
  it('is not known before its first minute is over', () => {
    expect(readPace(newPace(), 7)).toEqual({ rate: null, answerMs: null });
    const pace = paceOf(steady(1_000, 12));
    expect(readPace(pace, 60_999).rate).toBeNull();
    expect(readPace(pace, 61_000).rate).toEqual({ perMinute: 12, minutes: 1 });
  });

  it('is that of its last five full minutes, those without a message included', () => {
    expect(readPace(paceOf(steady(0, 42)), 3.5 * minute).rate).toEqual({ perMinute: 12, minutes: 3 });
    const pace = paceOf(steady(0, 90));
    expect(readPace(pace, 7.5 * minute).rate).toEqual({ perMinute: 12, minutes: 5 });
    expect(readPace(pace, 9 * minute).rate).toEqual({ perMinute: 42 / 5, minutes: 5 });
    expect(readPace(pace, 60 * minute)).toEqual({ rate: { perMinute: 0, minutes: 5 }, answerMs: null });
  });

  it('has the middle and the longest of the answers, the minute under way included', () => {
    const pace = paceOf([0, 1, 2], 11.2);
    notePace(pace, 3, 3);
    notePace(pace, 4, 1_234);
    expect(readPace(pace, 5).answerMs).toEqual({ middle: 12, longest: 1_300 });
    expect(readPace(pace, 5 * minute).answerMs).toEqual({ middle: 12, longest: 1_300 });
    notePace(pace, 6 * minute, 40);
    expect(readPace(pace, 6 * minute).answerMs).toEqual({ middle: 40, longest: 40 });
  });

  it('keeps as much of a million messages as of a few hundred', () => {
    const pace = newPace();
    for (let index = 0; index < 1_000_000; index += 1) {
      notePace(pace, index * 20, (index * 7_919) % 9_000);
    }
    expect(pace.minutes.length).toBeLessThanOrEqual(6);
    expect(Math.max(...pace.minutes.map(({ took }) => took.size))).toBeLessThan(300);
    expect(readPace(pace, 1_000_000 * 20).rate).toEqual({ perMinute: 3_000, minutes: 5 });
  });
});
