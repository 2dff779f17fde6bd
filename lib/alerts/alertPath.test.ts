import { alertPathText, alertsStoppedSince } from './alertPath';
import { alertPathHeaderValue, parseAlertPathEvent } from './alertPathSchema';

const now = Date.UTC(2026, 4, 1, 10, 0, 0);

describe('the alarm path', () => {
  it.each<[string, number, number, number | null]>([
    ['runs', 0, 0, null],
    ['runs with a tick of 10 s and a beat of 90 s', 10_000, 90_000, null],
    ['has stopped after 10 s without a tick', 10_001, 0, now - 10_001],
    ['has stopped after 90 s without a beat, although it ticks', 0, 90_001, now - 90_001],
    ['has stopped since the earlier of the two', 60_000, 100_000, now - 100_000],
    ['has stopped since its last tick while the beat is not missed yet', 60_000, 70_000, now - 60_000],
    ['runs if the two are a moment ahead of the clock that judges them', -300, -300, null],
  ])('%s', (_, tickAge, beatAge, since) => {
    expect(alertsStoppedSince({ lastTickAt: now - tickAge, lastHeartbeatAt: now - beatAge }, now)).toBe(since);
  });

  it('is in a header as two numbers', () => {
    const path = { lastTickAt: now - 1_000, lastHeartbeatAt: now - 30_000 };
    expect(alertPathText(path)).toBe('1777629599000,1777629570000');
    expect(alertPathHeaderValue.parse(alertPathText(path))).toEqual(path);
  });

  it.each(['', '1', '1,', ',1', '1,2,3', '-1,2', '1.5,2', ' 1,2', '1,2026-05-01T10:00:00Z', '9'.repeat(16) + ',1'])(
    'is not read from the header %j',
    (text) => {
      expect(alertPathHeaderValue.safeParse(text).success).toBe(false);
    },
  );

  it('is in an event with the server’s time', () => {
    const event = { topic: 'alertPath', serverTime: now, lastTickAt: now - 1_000, lastHeartbeatAt: now - 30_000 };
    expect(parseAlertPathEvent(JSON.stringify(event))).toEqual({
      serverTime: now,
      path: { lastTickAt: now - 1_000, lastHeartbeatAt: now - 30_000 },
      // One of an earlier release.
      notStoredSince: null,
    });
    const notStored = { ...event, notStoredSince: now - 11_000 };
    expect(parseAlertPathEvent(JSON.stringify(notStored))).toMatchObject({ notStoredSince: now - 11_000 });
  });

  it.each([
    '',
    '{}',
    '{"topic":"alertPath","serverTime":1,"lastTickAt":1}',
    '{"topic":"alerts","serverTime":1,"lastTickAt":1,"lastHeartbeatAt":1}',
    '{"topic":"alertPath","serverTime":1,"lastTickAt":"1","lastHeartbeatAt":1}',
    '{"topic":"alertPath","serverTime":1,"lastTickAt":1,"lastHeartbeatAt":1,"notStoredSince":"1"}',
  ])('is not read from the event %s', (text) => {
    expect(parseAlertPathEvent(text)).toBeNull();
  });
});
