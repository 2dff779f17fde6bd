import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import type { LatestValue } from '../../lib/vitals/schema';
import { axeViolations } from '../../test/axeViolations';
import type { NumberMark } from '../../lib/alerts/numberMark';
import { VitalValue } from './VitalValue';

const now = Date.parse('2026-03-07T15:00:00Z');
const secondsAgo = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

function latest(change: Partial<LatestValue> = {}): LatestValue {
  return {
    value: 97,
    unit: '%',
    takenAt: secondsAgo(2),
    receivedAt: secondsAgo(2),
    asOf: secondsAgo(2),
    quality: 'good',
    source: 'monitor',
    expectedEveryMs: 1_000,
    lastValid: null,
    ...change,
  };
}

function show(props: Partial<Parameters<typeof VitalValue>[0]>) {
  const { container } = render(
    <VitalValue kind="spo2" latest={latest()} now={now} serverLost={null} timeZone="Europe/London" {...props} />,
  );
  const vital = container.querySelector('[data-vital]');
  return {
    container,
    state: vital?.getAttribute('data-state'),
    text: vital?.textContent,
    struck: container.querySelector('s')?.textContent,
  };
}

describe('VitalValue', () => {
  it('names the device of a value that replaces that of the assigned one', () => {
    expect(show({ latest: latest({ source: 'oximeter', isSubstitute: true }) }).text).toBe('97%oximeter, 2 s old');
    expect(show({ latest: latest({ source: 'oximeter' }) }).text).toBe('97%2 s old');
  });

  it.each([
    [-2.001, 'off', '--time unknown, last 97', undefined],
    [-2, 'live', '97%0 s old', undefined],
    [0, 'live', '97%0 s old', undefined],
    [10, 'live', '97%10 s old', undefined],
    [10.001, 'ageing', '97%ageing, 10 s old', undefined],
    [30, 'ageing', '97%ageing, 30 s old', undefined],
    [30.001, 'stale', '97%stale, 30 s old', '97'],
    [60, 'stale', '97%stale, 1 min old', '97'],
    [60.001, 'off', '--no data, last 97, 14:58', undefined],
    [86_400, 'off', '--no data, last 97, 06 Mar, 15:00', undefined],
  ] as const)('withdraws a value of every second step by step: at %d s it is %s', (seconds, state, text, struck) => {
    expect(show({ latest: latest({ asOf: secondsAgo(seconds) }) })).toMatchObject({ state, text, struck });
  });

  it.each([
    [450, 'live'],
    [600, 'ageing'],
    [1_200, 'stale'],
    [1_201, 'off'],
  ] as const)('waits longer for a value that is due every 5 min: at %d s it is %s', (seconds, state) => {
    expect(show({ latest: latest({ asOf: secondsAgo(seconds), expectedEveryMs: 300_000 }) }).state).toBe(state);
  });

  it('says what another device says, if that disagrees and is not shown beside it already', () => {
    const other = { value: 74, asOf: latest().asOf, expectedEveryMs: 1_000, source: 'second' };
    expect(show({ latest: latest({ other }) }).text).toBe('97%2 s old, other source 74');
    expect(show({ latest: latest({ other }), isOtherNamed: true }).text).toBe('97%2 s old');
    expect(show({ latest: latest({ other: { ...other, value: 95 } }) }).text).toBe('97%2 s old');
  });

  it('marks an uncertain value, because its words take the room of the last hour', () => {
    const isMarked = (quality: LatestValue['quality']) =>
      show({ latest: latest({ quality }) }).container.querySelector('[data-uncertain]') !== null;
    expect(isMarked('questionable')).toBe(true);
    expect(isMarked('good')).toBe(false);
  });

  it('shows a heart rate of 0 as a value', () => {
    expect(show({ kind: 'heartRate', latest: latest({ value: 0, unit: '/min' }) })).toMatchObject({
      state: 'live',
      text: '0/min2 s old',
    });
  });

  it('never shows the number of a sample without a signal', () => {
    const { state, text } = show({ latest: latest({ value: 0, quality: 'invalid' }) });
    expect({ state, text }).toEqual({ state: 'no-signal', text: '--no signal' });
  });

  it('shows beside "no signal" the last value that was one, and when', () => {
    const lastValid = { value: 93, takenAt: secondsAgo(300), asOf: secondsAgo(300) };
    expect(show({ latest: latest({ value: 0, quality: 'invalid', lastValid }) }).text).toBe(
      '--no signal, last 93, 14:55',
    );
  });

  it('says that there are no data once even the samples without a signal have ended', () => {
    const lastValid = { value: 93, takenAt: secondsAgo(300), asOf: secondsAgo(300) };
    expect(show({ latest: latest({ value: 0, quality: 'invalid', asOf: secondsAgo(61), lastValid }) })).toMatchObject({
      state: 'off',
      text: '--no data, last 93, 14:55',
    });
  });

  it('shows no negative age, whatever the clocks say', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e8, max: 1e8 }), fc.integer({ min: 1, max: 1e8 }), (ageMs, expectedEveryMs) => {
        const asOf = new Date(now - ageMs).toISOString();
        const { text, state } = show({ latest: latest({ asOf, expectedEveryMs }) });
        expect(text).not.toMatch(/-\d/);
        expect(state === 'off' || ageMs >= -2_000).toBe(true);
        cleanup();
      }),
    );
  });

  it('marks an uncertain value by shape and in words', () => {
    expect(show({ latest: latest({ quality: 'questionable' }) }).text).toBe('97?%uncertain, 2 s old');
    expect(show({ latest: latest({ notStored: true }) }).text).toBe('97%not stored, 2 s old');
  });

  it('says that the age is unknown while the clock of the device is', () => {
    expect(show({ latest: latest({ quality: 'questionable', ageUnknown: true }) }).text).toBe(
      '97?%uncertain, age unknown',
    );
  });

  it('says that a value is not live while the server is lost', () => {
    expect(show({ serverLost: now - 12_000 }).text).toBe('97%not live, 2 s old');
  });

  it('says that there was never a value', () => {
    expect(show({ latest: undefined })).toMatchObject({ state: 'none', text: '--no value yet' });
  });

  const mark: NumberMark = { look: 'filled', priority: 'high', side: 'low', words: 'high-priority alert' };
  const boxOf = (props: Partial<Parameters<typeof VitalValue>[0]>) => {
    const { container, text } = show(props);
    const box = container.querySelector('[data-mark]');
    const sign = box?.querySelector('[data-sign]')?.getAttribute('data-sign');
    return { text, look: box?.getAttribute('data-mark'), priority: box?.getAttribute('data-priority'), sign };
  };

  it('has no box without an alert, however uncertain it is', () => {
    expect(boxOf({}).look).toBeUndefined();
    expect(boxOf({ latest: latest({ quality: 'questionable' }) }).look).toBeUndefined();
  });

  it('carries its alert, and says so before its name and its number', () => {
    expect(boxOf({ mark })).toEqual({
      text: 'high-priority alert, SpO2 97%2 s old',
      look: 'filled',
      priority: 'high',
      sign: 'low low',
    });
    const rate = { ...mark, look: 'outlined', priority: 'medium', side: 'high', words: 'medium' } as const;
    expect(boxOf({ kind: 'heartRate', mark: rate, isNamed: true })).toEqual({
      text: 'medium, HR 97%2 s old',
      look: 'outlined',
      priority: 'medium',
      sign: 'high',
    });
  });

  it('keeps the box of an alert whose value is withdrawn, was lost or never came', () => {
    const filled = { look: 'filled', sign: 'low low' };
    expect(boxOf({ mark, latest: latest({ asOf: secondsAgo(61) }) })).toMatchObject({
      ...filled,
      text: 'high-priority alert, SpO2 --no data, last 97, 14:58',
    });
    expect(boxOf({ mark, latest: latest({ quality: 'invalid' }) })).toMatchObject(filled);
    expect(boxOf({ mark, latest: undefined })).toMatchObject(filled);
  });

  it('shows three points of NEWS2 in no alarm colour', () => {
    const bold = { look: 'bold', side: 'high', words: '3 points of NEWS2' } as const;
    expect(boxOf({ mark: bold })).toEqual({
      text: '3 points of NEWS2, SpO2 97%2 s old',
      look: 'bold',
      priority: null,
      sign: 'high',
    });
  });

  it('rounds as the rules do', () => {
    expect(show({ kind: 'temperature', latest: latest({ value: 38.05, unit: '°C' }) }).text).toBe('38.1°C2 s old');
  });

  it.each(['good', 'questionable', 'invalid'] as const)(
    'has no accessibility violation with quality %s',
    async (quality) => {
      const { container } = show({ latest: latest({ quality }) });
      await expect(axeViolations(container)).resolves.toEqual([]);
    },
  );
});
