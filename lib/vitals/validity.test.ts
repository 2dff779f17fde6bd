import { ValidityHistory } from './validity';

const start = Date.parse('2026-03-07T12:00:00Z');
/** Sends a sample a second, valid in the first `valid` of every `of` seconds; returns the verdict of each second. */
function verdicts(seconds: number, valid: number, of: number, was = false, everyMs = 1_000): boolean[] {
  const history = new ValidityHistory();
  let verdict = was;
  return Array.from({ length: seconds }, (_, second) => {
    const at = start + second * 1_000;
    history.take(at, second % of < valid);
    verdict = history.isUnreliable(verdict, everyMs, at);
    return verdict;
  });
}

describe('a probe', () => {
  it.each([
    ['comes and goes, 40 % valid', 4, 10, true],
    ['is valid half of the time', 5, 10, false],
    ['is off all the time', 0, 10, false],
    ['is on all the time', 10, 10, false],
    ['changes four times in 5 min', 40, 150, false],
  ])('that %s is unreliable: %s', (_, valid, of, expected) => {
    expect(verdicts(301, valid, of).at(-1)).toBe(expected);
    expect(verdicts(300, valid, of)).not.toContain(true);
  });

  it('that is slower than one value in 10 s is not judged', () => {
    expect(verdicts(301, 4, 10, false, 10_000).at(-1)).toBe(true);
    expect(verdicts(301, 4, 10, false, 10_001).at(-1)).toBe(false);
  });

  it('is reliable again when 80 % of 2 min are valid, and not before', () => {
    expect(verdicts(300, 7, 10, true).at(-1)).toBe(true);
    expect(verdicts(300, 8, 10, true).at(-1)).toBe(false);
  });

  it('about which nothing is known for 2 min is what it was', () => {
    expect(verdicts(110, 10, 10, true).at(-1)).toBe(true);
    expect(new ValidityHistory().isUnreliable(true, 1_000, start)).toBe(true);
  });

  it('that sends nothing for 2 min is silent, not unreliable', () => {
    const history = new ValidityHistory();
    for (let second = 0; second < 200; second += 1) {
      history.take(start + second * 1_000, second % 10 < 4);
    }
    expect(history.isUnreliable(true, 1_000, start + 400_000)).toBe(false);
    expect(history.isUnreliable(false, 1_000, start + 800_000)).toBe(false);
  });
});
