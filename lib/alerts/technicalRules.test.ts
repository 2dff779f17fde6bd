import {
  canEvaluateTrends,
  evaluateBattery,
  evaluateDeviceClock,
  evaluateGateway,
  evaluateMonitor,
  evaluateSignals,
  type Signal,
} from './technicalRules';

const start = 1_000_000_000;
const signalOf = (more: Partial<Signal> = {}): Signal => ({
  expectedEveryMs: 1_000,
  validAt: start,
  lastSeenAt: start,
  isUnreliable: false,
  hasStoppedStating: false,
  ...more,
});
const usual = { isContinuousRequired: false };

describe('a signal that no value comes from', () => {
  const raised = (ms: number, isContinuousRequired = false): string[] =>
    evaluateSignals([signalOf()], start + ms, { isContinuousRequired }).reporting.map(
      ({ rule, priority }) => `${priority} ${rule}`,
    );

  it.each([
    [59_999, false, []],
    [60_000, false, ['low reporting.short']],
    [299_999, false, ['low reporting.short']],
    [300_000, false, ['medium reporting.medium']],
    [899_999, true, ['medium reporting.medium']],
    [900_000, true, ['high reporting.long']],
    [900_000, false, ['medium reporting.medium']],
  ])('for %d ms (must be continuous: %s) is raised as %j', (ms, isRequired, expected) => {
    expect(raised(ms, isRequired)).toEqual(expected);
  });

  it('is raised with the time at which it was due, however late the tick is', () => {
    expect(evaluateSignals([signalOf()], start + 200_000, usual).reporting).toEqual([
      { rule: 'reporting.short', priority: 'low', since: start + 60_000 },
    ]);
  });

  it('that comes once a minute is silent after four of them', () => {
    const slow = signalOf({ expectedEveryMs: 60_000 });
    expect(evaluateSignals([slow], start + 239_999, usual).reporting).toEqual([]);
    expect(evaluateSignals([slow], start + 240_000, usual).reporting).toHaveLength(1);
  });

  it('is the probe, and not silence, while the device says that it has none', () => {
    const off = signalOf({ lastSeenAt: start + 130_000 });
    expect(evaluateSignals([off], start + 131_000, usual)).toEqual({
      reporting: [],
      sensor: [{ rule: 'sensor.off', priority: 'medium', since: start + 120_000 }],
    });
  });

  it('that comes and goes is unreliable, in place of the sensor alerts', () => {
    const sensor = (ms: number, isContinuousRequired = true): string[] => {
      const flapping = signalOf({ isUnreliable: true, lastSeenAt: start + ms });
      const found = evaluateSignals([flapping], start + ms, { isContinuousRequired });
      expect(found.reporting).toEqual([]);
      return found.sensor.map(({ rule, priority }) => `${priority} ${rule}`);
    };
    expect(sensor(1_000)).toEqual(['medium sensor.unreliable']);
    expect(sensor(200_000)).toEqual(['medium sensor.unreliable']);
    expect(sensor(900_000)).toEqual(['medium sensor.unreliable', 'high sensor.long']);
  });

  it('of a device that stopped stating its quality is a LOW alert of its own', () => {
    const unstated = signalOf({ hasStoppedStating: true });
    expect(evaluateSignals([unstated], start, usual)).toMatchObject({
      reporting: [],
      sensor: [{ rule: 'sensor.unstated', priority: 'low' }],
    });
  });

  it('is silence again when the device falls silent too', () => {
    const off = signalOf({ lastSeenAt: start + 130_000 });
    expect(evaluateSignals([off], start + 140_001, usual)).toMatchObject({
      reporting: [{ priority: 'low' }],
      sensor: [],
    });
  });

  it.each([
    [29_999, undefined],
    [30_000, 'low'],
    [119_999, 'low'],
    [120_000, 'medium'],
    [899_999, 'medium'],
    [900_000, 'high'],
  ])('with the probe off for %d ms is raised as %s if it must be continuous', (ms, priority) => {
    const off = signalOf({ lastSeenAt: start + ms });
    expect(evaluateSignals([off], start + ms, { isContinuousRequired: true }).sensor[0]?.priority).toBe(priority);
  });
});

describe('a gateway', () => {
  it.each([
    [59_999, undefined],
    [60_000, 'medium'],
    [299_999, 'medium'],
    [300_000, 'high'],
  ])('that is silent for %d ms is raised as %s', (ms, priority) => {
    expect(evaluateGateway({ expectedEveryMs: 1_000, lastSeenAt: start }, start + ms)?.priority).toBe(priority);
  });
});

describe('a battery', () => {
  it.each([
    [21, null, undefined],
    [20, null, 'low'],
    [11, null, 'low'],
    [10, null, 'medium'],
    [0, null, 'medium'],
    [80, 30, undefined],
    [80, 29, 'medium'],
    [null, 29, 'medium'],
    [null, null, undefined],
  ])('at %s %% with %s min left is raised as %s', (percent, minutesLeft, priority) => {
    expect(evaluateBattery({ percent, minutesLeft }, start)?.priority).toBe(priority);
  });
});

describe('a clock', () => {
  it.each([
    [60_000, undefined, true],
    [60_001, 'low', true],
    [-60_001, 'low', true],
    [300_000, 'low', true],
    [300_001, 'low', false],
    [-300_001, 'low', false],
  ])('that is off by %d ms is raised as %s; trends can be evaluated: %s', (offsetMs, priority, canJudge) => {
    expect(evaluateDeviceClock(offsetMs, start)?.priority).toBe(priority);
    expect(canEvaluateTrends(offsetMs)).toBe(canJudge);
  });
});

describe('a monitor', () => {
  it.each([
    ['has sent nothing', null, null, null],
    ['sends values of a patient of ours', null, start, null],
    ['was refused', start, null, 'monitor.identity'],
    ['was refused after it was right', start, start - 1, 'monitor.identity'],
    ['was right in between', start, start + 59_999, 'monitor.identity'],
    ['has been right for a minute', start, start + 60_000, null],
  ])('that %s (%s, %s) is raised by %s', (_, refusedAt, takenAt, rule) => {
    const refused = refusedAt === null ? null : { at: refusedAt, reason: 'identity' as const };
    expect(evaluateMonitor({ refused, takenAt })?.rule ?? null).toBe(rule);
  });
});
