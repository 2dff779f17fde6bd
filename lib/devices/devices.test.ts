import fc from 'fast-check';
import { inventedDeviceAlarm } from '../../test/inventedDeviceAlarm';
import { secondsAgo, wardNow } from '../../test/inventedWard';
import { type AlarmChanges, applyAlarms as apply, type HeardAlarms, type OpenAlarm } from '../deviceAlarms/applyAlarms';
import {
  deviceAlarmMark,
  deviceAlarmSummary,
  deviceAlarmWords,
  inOrderOfWeight,
} from '../deviceAlarms/deviceAlarmWords';
import type { DeviceAlarm } from '../deviceAlarms/schema';
import { mrnEnd } from './mrnEnd';
import { readBattery } from './readBattery';

describe('devices', () => {
  describe('mrnEnd', () => {
    it.each([
      ['', ''],
      ['7', ''],
      ['42', '2'],
      ['A-1', '-1'],
      ['A-17', '-17'],
      ['MRN-00417', '417'],
      ['MRN-😀😀😀', '😀😀😀'],
    ])('returns of %j no more than %j', (mrn, shown) => {
      expect(mrnEnd(mrn)).toBe(shown);
    });
  });

  describe('what a device says about its battery', () => {
    it.each([
      [{ percent: -1 }, 'battery.percent is not a number from 0 to 100'],
      [{ percent: 100.5 }, 'battery.percent is not a number from 0 to 100'],
      [{ percent: '80' }, 'battery.percent is not a number from 0 to 100'],
      [{ percent: 80, minutesLeft: -1 }, 'battery.minutesLeft is not a number from 0 on'],
      [
        { percent: Number.NaN, minutesLeft: Infinity },
        'battery.percent is not a number from 0 to 100; battery.minutesLeft is not a number from 0 on',
      ],
      [80, 'battery is not an object'],
      ['80 %', 'battery is not an object'],
      [[80], 'battery is not an object'],
      [{}, 'battery says neither percent nor minutesLeft'],
      [{ percent: null, level: 80 }, 'battery says neither percent nor minutesLeft'],
    ])('is left out with a reason: %j', (raw, fault) => {
      expect(readBattery(raw)).toEqual({ battery: null, fault });
    });

    it.each([undefined, null])('may be nothing: %j', (raw) => {
      expect(readBattery(raw)).toEqual({ battery: null });
    });

    it.each([
      [{ percent: 0 }, { percent: 0, minutesLeft: null }],
      [
        { percent: 100, minutesLeft: null },
        { percent: 100, minutesLeft: null },
      ],
      [{ minutesLeft: 0 }, { percent: null, minutesLeft: 0 }],
      [
        { percent: 12.5, minutesLeft: 45, isCharging: true },
        { percent: 12.5, minutesLeft: 45 },
      ],
    ])('is taken as it is, 0 as well: %j', (raw, battery) => {
      expect(readBattery(raw)).toEqual({ battery });
    });
  });
});

describe('deviceAlarms', () => {
  describe('applyAlarms', () => {
    const facts = {
      ...{ code: 'YellowAlarm', text: '**RR 40 >30', priority: 'medium' as const, isTechnical: false },
      inactivation: null,
    };
    const open = (more: Partial<OpenAlarm> = {}): OpenAlarm => ({
      ...{ key: 'rr', ...facts, isEvent: false, patientId: 1, startedAt: 100, lastSeenAt: 200 },
      ...more,
    });
    const heardAlarm = (
      at: number,
      more: Partial<HeardAlarms['alarms'][number]> = {},
    ): HeardAlarms['alarms'][number] => ({
      ...{ key: 'rr', ...facts, isEvent: false, isEnded: false, at, startedAt: at },
      ...more,
    });
    const heard = (more: Partial<HeardAlarms> = {}): HeardAlarms => ({
      ...{ alarms: [], fullAt: null },
      ...more,
    });
    const applyAlarms = (known: readonly OpenAlarm[], message: HeardAlarms, newestAt: number): AlarmChanges =>
      apply(known, 1, message, newestAt);
    const none: AlarmChanges = { begun: [], seen: [], ended: [], dropped: [], past: [] };

    it('ends nothing by a message without values, and no event by one with values', () => {
      expect(applyAlarms([open()], heard(), 200)).toEqual(none);
      expect(applyAlarms([open({ isEvent: true })], heard({ fullAt: 300 }), 200)).toEqual(none);
    });

    it('ends nothing by values of the same time, or older ones', () => {
      expect(applyAlarms([open()], heard({ fullAt: 200 }), 200)).toEqual(none);
      expect(applyAlarms([open()], heard({ fullAt: 150 }), 200)).toEqual(none);
    });

    it('ends nothing by the end of an event that is not known, and keeps it as past', () => {
      const end = heardAlarm(300, { isEvent: true, isEnded: true });
      const changes = applyAlarms([], heard({ alarms: [end] }), 200);
      expect(changes).toEqual({ ...none, past: [open({ isEvent: true, startedAt: 300, lastSeenAt: 300 })] });
    });

    it('begins an alarm, goes on with it while it is said, and ends it by the values without it', () => {
      const begun = applyAlarms([], heard({ alarms: [heardAlarm(100)], fullAt: 100 }), -Infinity);
      expect(begun).toEqual({ ...none, begun: [open({ lastSeenAt: 100 })] });
      const seen = applyAlarms(
        begun.begun,
        heard({ alarms: [heardAlarm(200, { text: '**RR 41 >30' })], fullAt: 200 }),
        100,
      );
      expect(seen).toEqual({ ...none, seen: [open({ text: '**RR 41 >30' })] });
      const ended = applyAlarms(seen.seen, heard({ fullAt: 300 }), 200);
      expect(ended).toEqual({ ...none, ended: [{ alarm: seen.seen[0], endedAt: 300 }] });
    });

    it('ends an event when the device says so', () => {
      const event = open({ isEvent: true });
      const changes = applyAlarms([event], heard({ alarms: [heardAlarm(300, { isEvent: true, isEnded: true })] }), 250);
      expect(changes).toEqual({ ...none, ended: [{ alarm: { ...event, lastSeenAt: 300 }, endedAt: 300 }] });
    });

    it('begins an alarm when the device says that it began, and never after it was said', () => {
      const begun = (startedAt: number) =>
        applyAlarms([], heard({ alarms: [heardAlarm(300, { startedAt })] }), 200).begun;
      expect(begun(50)).toEqual([open({ startedAt: 50, lastSeenAt: 300 })]);
      expect(begun(350)).toEqual([open({ startedAt: 300, lastSeenAt: 300 })]);
    });

    it('begins nothing by what is older than the newest message', () => {
      const changes = applyAlarms([], heard({ alarms: [heardAlarm(150)] }), 200);
      expect(changes).toEqual({ ...none, past: [open({ startedAt: 150, lastSeenAt: 150 })] });
    });

    it('makes an open alarm neither older nor younger by an old message', () => {
      expect(applyAlarms([open()], heard({ alarms: [heardAlarm(150)] }), 200)).toEqual(none);
      const before = applyAlarms([open()], heard({ alarms: [heardAlarm(50)] }), 200);
      expect(before).toEqual({ ...none, past: [open({ startedAt: 50, lastSeenAt: 50 })] });
    });

    it('takes two texts that differ by a number as one alarm', () => {
      const alarms = [heardAlarm(300), heardAlarm(300, { text: '**RR 42 >30' })];
      expect(applyAlarms([], heard({ alarms }), 200).begun.map(({ text }) => text)).toEqual(['**RR 42 >30']);
    });

    it('begins an event that is older than the newest values, and ends it by an end of any time', () => {
      const start = heardAlarm(150, { isEvent: true });
      expect(applyAlarms([], heard({ alarms: [start] }), 200).begun).toHaveLength(1);
      const end = heardAlarm(150, { isEvent: true, isEnded: true });
      const { ended } = applyAlarms([open({ isEvent: true })], heard({ alarms: [end] }), 200);
      expect(ended).toEqual([{ alarm: open({ isEvent: true }), endedAt: 150 }]);
    });

    describe('of more than fifty alarms', () => {
      const now = 1_000_000;
      const fifty = (more: (index: number) => Partial<OpenAlarm> = () => ({})): OpenAlarm[] =>
        Array.from({ length: 50 }, (_, index) => open({ key: `e${index}`, isEvent: true, ...more(index) }));
      const after = (known: readonly OpenAlarm[], ...alarms: HeardAlarms['alarms'][number][]) => {
        const { begun, dropped } = applyAlarms(known, heard({ alarms }), now);
        return { begun: begun.map(({ key }) => key), dropped: dropped.map(({ key }) => key) };
      };
      const lasting = { lastSeenAt: now - 60_000 };
      const stuck = { lastSeenAt: now - 60_001, priority: 'high' } as const;

      it('drops none of equals for another one: texts would take turns with every message', () => {
        const known = fifty(() => ({ lastSeenAt: now, isEvent: false }));
        expect(after(known, heardAlarm(now, { key: 'new' }))).toEqual({ begun: [], dropped: [] });
      });

      it('drops one that was not said for a minute, however high, for any new one', () => {
        const known = fifty((index) => (index === 7 ? stuck : lasting));
        expect(after(known, heardAlarm(now, { key: 'new', priority: null, isTechnical: true }))).toEqual({
          begun: ['new'],
          dropped: ['e7'],
        });
      });

      it('drops of these the low before the high, and then the one that was not said for longest', () => {
        const known = fifty((index) => ({ ...stuck, lastSeenAt: index, ...(index === 40 ? { priority: 'low' } : {}) }));
        const news = ['a', 'b', 'c'].map((key) => heardAlarm(now, { key }));
        expect(after(known, ...news)).toEqual({ begun: ['a', 'b', 'c'], dropped: ['e1', 'e0', 'e40'] });
      });

      it('drops among those that last only what is less urgent, or was said before', () => {
        const known = fifty((index) => ({ lastSeenAt: now, priority: index === 9 ? 'low' : 'high' }));
        expect(after(known, heardAlarm(now, { key: 'new' }))).toEqual({ begun: ['new'], dropped: ['e9'] });
        expect(after(known, heardAlarm(now, { key: 'new', isTechnical: true, priority: 'high' }))).toEqual({
          begun: [],
          dropped: [],
        });
      });

      it('never drops one that the message itself ends', () => {
        const known = fifty(() => stuck);
        const end = heardAlarm(now, { key: 'e3', isEvent: true, isEnded: true });
        expect(after(known, end, heardAlarm(now, { key: 'new' }))).toEqual({ begun: ['new'], dropped: [] });
      });
    });

    /** What is open after the messages of a monitor, in this order. */
    function openAfter(messages: readonly HeardAlarms[]): OpenAlarm[] {
      let known: OpenAlarm[] = [];
      let newestAt = -Infinity;
      for (const message of messages) {
        const { begun, seen, ended } = applyAlarms(known, message, newestAt);
        const gone = new Set(ended.map(({ alarm }) => alarm.key));
        const still = known
          .filter(({ key }) => !gone.has(key))
          .map((one) => seen.find(({ key }) => key === one.key) ?? one);
        known = [...still, ...begun];
        newestAt = Math.max(newestAt, message.fullAt ?? -Infinity, ...message.alarms.map(({ at }) => at));
      }
      return known;
    }
    const openKeys = (messages: readonly HeardAlarms[]): string[] =>
      openAfter(messages)
        .map(({ key }) => key)
        .sort();

    it('has the same open alarms whatever the order of the messages, and if some come twice', () => {
      const sets = fc.array(fc.subarray(['rr', 'hr', 'spo2']), { minLength: 1, maxLength: 12 });
      const property = fc.property(
        sets.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray(
              all.flatMap((_, index) => [index, index]),
              { minLength: all.length * 2, maxLength: all.length * 2 },
            ),
          ),
        ),
        ([all, order]) => {
          const messages = all.map((keys, second) =>
            heard({ alarms: keys.map((key) => heardAlarm(second, { key })), fullAt: second }),
          );
          const shuffled = order.flatMap((index) => messages[index] ?? []);
          expect(openKeys(shuffled)).toEqual([...(all.at(-1) ?? [])].sort());
        },
      );
      fc.assert(property);
    });
  });

  describe('deviceAlarmWords', () => {
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
      it('puts what lasts before the unknown, the patient before the device, high before low, new before old', () => {
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
  });
});
