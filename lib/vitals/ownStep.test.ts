import { ownStep } from './ownStep';

describe('the step that data keep', () => {
  it.each([
    ['none of one interval', [0, 60], null],
    ['the usual one', [0, 60, 120, 180], 60],
    ['not the one gap in it', [0, 1, 2, 60], 1],
    ['the smaller of two', [0, 1, 61], 1],
    ['up to five minutes', [0, 300, 600], 300],
    ['none of readings that are further apart', [0, 301, 602], null],
    ['none of nothing', [], null],
  ])('is %s: %j s', (_name, seconds, step) => {
    expect(ownStep(seconds.map((second) => second * 1_000))).toBe(step === null ? null : step * 1_000);
  });
});
