import { latin1 } from '../../test/damagedMessage';
import { planMessages, readMessages } from './planMessages';
import { timeOf } from './shiftTimes';

const now = Date.parse('2026-05-01T08:00:00Z');
const timeZone = 'Europe/Berlin';
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const at = (time: string): Uint8Array => latin1(`MSH|^~\\&|A\rOBR|1||||||${time}\r`);
const recording = ['20160802104800', '20160802104805', '20160802104804', '', '20160802104820'].map(at);
const plan = (speed: number, isShifted: boolean) => planMessages(recording, { speed, isShifted, timeZone }, now);
const secondsAgo = (messages: ReturnType<typeof plan>): (number | null)[] =>
  messages.map(({ bytes, dueMs }) => {
    const time = timeOf(bytes, { timeZone, receivedAt: now });
    return time === null ? null : (now + dueMs - time) / 1_000;
  });

describe('readMessages', () => {
  it('reads frames, and texts that begin with MSH', () => {
    expect(readMessages(latin1('\x0bMSH|A\r\x1c\r\x0bMSH|B\r\x1c\r')).map(textOf)).toEqual(['MSH|A\r', 'MSH|B\r']);
    expect(readMessages(latin1('# note\nMSH|A\nPID|MSH\n\nMSH|B')).map(textOf)).toEqual([
      'MSH|A\nPID|MSH\r',
      'MSH|B\r',
    ]);
    expect(readMessages(latin1('Dear colleague'))).toEqual([]);
  });
});

describe('planMessages', () => {
  it.each([
    [1, [0, 5_000, 5_000, 5_000, 20_000]],
    [10, [0, 500, 500, 500, 2_000]],
    [Infinity, [0, 0, 0, 0, 0]],
  ])('at speed %d sends at the recorded distances', (speed, expected) => {
    expect(plan(speed, false).map(({ dueMs }) => dueMs)).toEqual(expected);
  });

  it('leaves the bytes as they are without --now', () => {
    expect(plan(1, false).map(({ bytes }) => bytes)).toEqual(recording);
  });

  it.each([
    [1, [0, 0, 1, null, 0]],
    [10, [18, 13.5, 14.5, null, 0]],
    [Infinity, [20, 15, 16, null, 0]],
    [0.5, [0, 5, 6, null, 20]],
  ])('with --now at speed %d sends no time from the future', (speed, expected) => {
    expect(secondsAgo(plan(speed, true))).toEqual(expected);
  });
});
