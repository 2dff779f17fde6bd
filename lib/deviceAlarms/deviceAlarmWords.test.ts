import { inventedDeviceAlarm } from '../../test/inventedDeviceAlarm';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { deviceAlarmMark, deviceAlarmSummary, deviceAlarmWords, inOrderOfWeight } from './deviceAlarmWords';
import type { DeviceAlarm } from './schema';

const at = { now: wardNow, serverLost: null, timeZone: 'UTC' };
const lostAt = { ...at, serverLost: wardNow - 10_000 };
const words = (change: Partial<DeviceAlarm>): string => deviceAlarmWords(inventedDeviceAlarm(change), at);

describe('the words of a device’s alarm', () => {
  it.each([
    [60, '**RR 40 >30'],
    [60.001, '**RR 40 >30 (unknown since 14:58)'],
  ])('say after a minute without a word that it is not known whether it lasts: %d s', (seconds, said) => {
    expect(words({ lastSeenAt: secondsAgo(seconds) })).toBe(said);
  });

  it('say that it is not known whether any lasts while the server does not answer', () => {
    const alarm = inventedDeviceAlarm({ lastSeenAt: secondsAgo(11) });
    expect(deviceAlarmWords(alarm, lostAt)).toBe('**RR 40 >30 (unknown since 14:59)');
    expect(deviceAlarmMark([alarm], lostAt)).toBe('Device alarm?');
  });

  it('say what a person did to it at the device', () => {
    expect(words({ inactivation: 'audio-paused' })).toBe('**RR 40 >30 (sound paused at the device)');
  });

  it('are no numbers where these might be cut, and nothing of alarms about the device alone', () => {
    const mark = (change: Partial<DeviceAlarm>): string => deviceAlarmMark([inventedDeviceAlarm(change)], at);
    expect(mark({})).toBe('Device alarm');
    expect(mark({ lastSeenAt: secondsAgo(90) })).toBe('Device alarm?');
    expect(mark({ isTechnical: true })).toBe('');
  });

  it('are of the most urgent one, and say how many others there are', () => {
    const summary = (...alarms: DeviceAlarm[]): string => deviceAlarmSummary(alarms, at);
    const apnea = inventedDeviceAlarm({ id: 2, text: '***Apnea', priority: 'high' });
    expect(summary()).toBe('');
    expect(summary(inventedDeviceAlarm())).toBe('Device: **RR 40 >30');
    expect(summary(inventedDeviceAlarm(), apnea)).toBe('Device: ***Apnea +1');
  });
});

describe('inOrderOfWeight', () => {
  it('puts what lasts before what is unknown, the patient before the device, high before low, new before old', () => {
    const alarms = [
      inventedDeviceAlarm({ id: 1, priority: 'high', lastSeenAt: secondsAgo(120) }),
      inventedDeviceAlarm({ id: 2, isTechnical: true, priority: 'high' }),
      inventedDeviceAlarm({ id: 3, priority: null }),
      inventedDeviceAlarm({ id: 4, priority: 'low' }),
      inventedDeviceAlarm({ id: 5 }),
      inventedDeviceAlarm({ id: 6, startedAt: secondsAgo(1) }),
      inventedDeviceAlarm({ id: 7, priority: 'high' }),
    ];
    expect(inOrderOfWeight(alarms, at).map(({ id }) => id)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });
});
