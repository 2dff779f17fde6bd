import fc from 'fast-check';
import { createClock, createMonotonic, type Clock } from './clock';

const start = Date.UTC(2026, 4, 1, 10);
const second = 1_000;
const hour = 3_600 * second;

describe('the clock of the process', () => {
  let wall: number;
  let elapsed: number;
  let clock: Clock;

  beforeEach(() => {
    wall = start;
    elapsed = 5_000;
    clock = createClock({ wall: () => wall, monotonic: () => elapsed });
  });
  const pass = (ms: number): void => {
    wall += ms;
    elapsed += ms;
  };

  it('runs with the wall clock while no one sets it', () => {
    pass(90 * second);
    expect([clock.now(), clock.check()]).toEqual([wall, null]);
  });

  it.each([
    ['an hour back', -hour, -hour],
    ['90 s back', -90 * second, -90 * second],
    ['two hours forward', 2 * hour, 2 * hour],
    ['by no whole slot of the rules', -100 * second, -105 * second],
  ])('counts elapsed time when the wall clock is set %s, and follows it only when it is moved', (_, ms, moveMs) => {
    wall += ms;
    pass(10 * second);
    expect(clock.now()).toBe(start + 10 * second);
    const step = clock.check();
    expect(step).toEqual({ jumpedMs: ms, moveMs });
    if (step !== null) {
      clock.move(step);
    }
    expect(Math.abs(clock.now() - wall)).toBeLessThanOrEqual(7_500);
    expect(clock.check()).toBeNull();
  });

  it('reports a step once, also one that is too small to move the anchor', () => {
    wall -= 5 * second;
    const step = clock.check();
    expect(step).toMatchObject({ jumpedMs: -5 * second });
    expect(step?.moveMs).toBeCloseTo(0);
    if (step !== null) {
      clock.move(step);
    }
    expect(clock.check()).toBeNull();
  });

  it.each([
    ['1970, a computer without a battery', 0],
    ['2001, before every instant that is stored', Date.UTC(2001, 0, 1)],
  ])('reports a date of %s once, goes on by its own time, and is where it was when that is mended', (_, date) => {
    pass(60 * second);
    const [before, away] = [wall, date - wall];
    wall += away;
    expect(clock.check()).toEqual({ jumpedMs: away, moveMs: 0 });
    clock.move({ jumpedMs: away, moveMs: 0 });
    for (let minute = 0; minute < 60; minute += 1) {
      pass(60 * second);
      expect(clock.check()).toBeNull();
      expect(clock.now()).toBe(before + (minute + 1) * 60 * second);
    }
    wall -= away;
    const step = clock.check();
    expect(step).toEqual({ jumpedMs: -away, moveMs: expect.closeTo(0) as number });
    clock.move({ jumpedMs: -away, moveMs: 0 });
    expect([clock.check(), clock.now()]).toEqual([null, wall]);
  });

  it('never begins at a date that cannot be true, and follows the first one that can', () => {
    wall = 0;
    clock = createClock({ wall: () => wall, monotonic: () => elapsed });
    expect([clock.isDateKnown(), clock.now(), clock.check()]).toEqual([false, Date.UTC(2026, 0, 1), null]);
    pass(10 * second);
    expect([clock.now(), clock.check()]).toEqual([Date.UTC(2026, 0, 1) + 10 * second, null]);
    wall = start;
    const step = clock.check();
    expect(step).toMatchObject({ jumpedMs: expect.any(Number) as number });
    if (step !== null) {
      clock.move(step);
    }
    expect(Math.abs(clock.now() - wall)).toBeLessThanOrEqual(7_500);
    expect([clock.isDateKnown(), clock.check()]).toEqual([true, null]);
  });

  it('makes up for a small difference by 2 % of the time that passes', () => {
    wall += 1_500;
    for (let tick = 0; tick < 80; tick += 1) {
      pass(second);
      expect(clock.check()).toBeNull();
    }
    expect(Math.abs(clock.now() - wall)).toBeLessThanOrEqual(1);
  });

  it('never goes back while it is not moved, however the wall clock is set', () => {
    const jump = fc.integer({ min: -3 * hour, max: 3 * hour });
    const wait = fc.integer({ min: 0, max: 5 * second });
    fc.assert(
      fc.property(fc.array(fc.record({ jump: fc.option(jump), wait }), { maxLength: 30 }), (steps) => {
        let before = clock.now();
        for (const step of steps) {
          wall += step.jump ?? 0;
          pass(step.wait);
          clock.check();
          const now = clock.now();
          expect(now).toBeGreaterThanOrEqual(before);
          expect(now - before).toBeLessThanOrEqual(step.wait * 1.05 + 1);
          before = now;
        }
      }),
    );
  });
});

it('takes a sleep of the machine for elapsed time, also one that begins as soon as it was looked for', () => {
  let [awake, asleep, wall] = [0, 0, Date.UTC(2026, 5, 1)];
  const monotonic = createMonotonic(
    () => awake,
    () => 100 + (awake + asleep) / 1_000,
  );
  const clock = createClock({ wall: () => wall, monotonic });
  awake += 10;
  wall += 10;
  const before = clock.now();
  asleep += 3_600_000;
  awake += 2;
  wall += 3_600_002;
  expect(clock.check()).toBeNull();
  expect(clock.now() - before).toBe(3_600_002);
});
