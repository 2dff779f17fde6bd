import fc from 'fast-check';
import { ageFrom, type CallClock, type DeviceClock, stepDeviceClock, unknownClock } from './deviceClock';
import { type ArrivedResponse, isArrival, screenDelay, takeArrival } from './screenDelay';

describe('deviceClock', () => {
  const now = Date.UTC(2026, 4, 1, 10);
  const second = 1_000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const known = (offsetMs: number): DeviceClock => ({ offsetMs, candidate: null, late: null });

  /** A device whose clock is `slowMs` behind sends a fresh sample at each of these times. */
  function send(times: readonly number[], slowMs: number | ((at: number) => number), from = unknownClock): CallClock[] {
    let clock = from;
    return times.map((at) => {
      const slow = typeof slowMs === 'number' ? slowMs : slowMs(at);
      const call = stepDeviceClock(clock, { receivedAt: now + at, sentAt: null, takenAt: [now + at - slow] });
      ({ clock } = call);
      return call;
    });
  }

  describe('stepDeviceClock', () => {
    it('learns nothing from a call that is sent again: a back-fill of an hour is not just measured', () => {
      let clock = unknownClock;
      const measured = now - 59 * minute;
      for (const at of [0, 2, 4, 6, 8].map((seconds) => now + seconds * second)) {
        const call = stepDeviceClock(clock, { receivedAt: at, sentAt: null, takenAt: [measured] });
        expect(call.isKnown).toBe(false);
        ({ clock } = call);
      }
    });

    it.each([
      ['slow', now - 2 * minute, 2 * minute],
      ['right', now, 0],
      ['fast', now + 30 * second, -30 * second],
    ])('believes a device that sends its own time, which is %s', (_, sentAt, offsetMs) => {
      expect(stepDeviceClock(known(7_000), { receivedAt: now, sentAt, takenAt: [now] })).toEqual({
        clock: { offsetMs, candidate: { receivedAt: now, lagMs: offsetMs }, late: null },
        offsetMs,
        isKnown: true,
        isEstablished: false,
      });
    });

    describe('of a device that sends its own time', () => {
      /** Calls at these times with what the device's clock showed then. */
      const heard = (calls: readonly (readonly [at: number, sentAt: number])[]): boolean[] => {
        let clock = known(0);
        return calls.map(([at, sentAt]) => {
          const call = stepDeviceClock(clock, { receivedAt: now + at, sentAt: now + sentAt, takenAt: [] });
          ({ clock } = call);
          return call.isEstablished;
        });
      };
      const seconds = (...all: number[]): number[] => all.map((one) => one * second);

      it('does not establish an offset by one call that is sent again and again', () => {
        expect(heard(seconds(0, 10, 12, 14, 16, 18, 20, 22).map((at) => [at, 0]))).not.toContain(true);
      });

      it('nor by calls of an hour that are sent faster than they were made', () => {
        const calls = Array.from({ length: 300 }, (_, call) => [call * 50, (call - 3_600) * second] as const);
        expect(heard(calls)).not.toContain(true);
      });

      /** Calls at these times, with the device's time and that of the newest sample. */
      const offsets = (calls: readonly (readonly [at: number, sentAt: number, takenAt: number])[]) => {
        let clock = known(0);
        return calls.map(([at, sentAt, takenAt]) => {
          const call = stepDeviceClock(clock, { receivedAt: now + at, sentAt: now + sentAt, takenAt: [now + takenAt] });
          ({ clock } = call);
          return [call.offsetMs, call.isKnown];
        });
      };
      const everySecond = seconds(...Array.from({ length: 40 }, (_, at) => at));

      it.each([
        ['sends a time 10 min ahead of its right samples', 600 * second, 0],
        ['sends a time 90 s ahead of its right samples', 90 * second, 0],
        ['sends a time 10 min behind its right samples', -600 * second, 0],
        ['sends its right time with samples that are 10 min behind', 0, -600 * second],
        ['sends its right time with samples that are 10 min ahead', 0, 600 * second],
      ])('takes samples for just measured, their age unknown, after 30 s if it %s', (_, sent, taken) => {
        const all = offsets(everySecond.map((at) => [at, at + sent, at + taken]));
        expect(all.slice(0, 30)).toEqual(all.slice(0, 30).map(() => [0 - sent, true]));
        expect(all.slice(30)).toEqual(all.slice(30).map(() => [0 - taken, false]));
      });

      it.each([1.1, 2, 60])('takes samples of an outage that it sends %d times as fast for late', (speed) => {
        const all = offsets(everySecond.map((at) => [at, at, -3_600 * second + at * speed]));
        expect(all).toEqual(all.map(() => [0, true]));
      });

      it('takes five readings that all waited for 50 min for late', () => {
        const all = offsets([0, 1, 2, 3, 4].map((hours) => [hours * hour, hours * hour, hours * hour - 50 * minute]));
        expect(all).toEqual(all.map(() => [0, true]));
      });

      it('takes one late call that is sent again and again for late', () => {
        const all = offsets(everySecond.map((at) => [at, at, -600 * second]));
        expect(all).toEqual(all.map(() => [0, true]));
      });

      it('takes samples for live again at once when both clocks agree', () => {
        const all = offsets(everySecond.map((at) => [at, at >= 35 * second ? at : at + 600 * second, at]));
        expect(all.slice(34, 37)).toEqual([
          [0, false],
          [0, true],
          [0, true],
        ]);
      });

      it('establishes one that lasts for 5 s, wherever the clock was set', () => {
        for (const slow of [0, 3_600 * second, -40 * second]) {
          expect(heard(seconds(0, 1, 2, 3, 4, 5, 6).map((at) => [at, at - slow]))).toEqual(
            [0, 1, 2, 3, 4, 5, 6].map((at) => at >= 5),
          );
        }
      });
    });

    it.each([5 * minute, -40 * second, 0, 26 * 60 * minute])(
      'knows a clock that is %d ms slow after two calls, and takes the newest sample as just measured before',
      (slow) => {
        expect(send([0, minute, 2 * minute], slow).map(({ offsetMs, isKnown }) => [offsetMs, isKnown])).toEqual([
          [slow, false],
          [slow, true],
          [slow, true],
        ]);
      },
    );

    it('does not conclude anything from calls that are less than 5 s apart', () => {
      expect(send([0, 2 * second, 4_999, 5 * second], minute).map(({ isKnown }) => isKnown)).toEqual([
        false,
        false,
        false,
        true,
      ]);
    });

    it('takes a shrinking lag as a back-fill: its samples are as old as they say', () => {
      const calls = send(
        [0, 5, 10, 15, 20].map((at) => at * second),
        (at) => 60 * minute - at * 60,
      );
      expect(calls.slice(1).map(({ offsetMs, isKnown }) => [offsetMs, isKnown])).toEqual(
        Array.from({ length: 4 }, () => [0, false]),
      );
    });

    it('keeps a known offset during a back-fill', () => {
      const calls = send(
        [0, 5, 10].map((at) => at * second),
        (at) => 60 * minute - at * 60,
        known(3 * second),
      );
      expect(calls.map(({ offsetMs, isKnown }) => [offsetMs, isKnown])).toEqual(
        Array.from({ length: 3 }, () => [3 * second, true]),
      );
    });

    it('notices at the second call that a clock was set back, and at the first that it was set forward', () => {
      expect(send([0, 5 * second], 5 * minute, known(0)).map(({ offsetMs }) => offsetMs)).toEqual([0, 5 * minute]);
      expect(send([0, 5 * second], -5 * minute, known(0)).map(({ offsetMs, isKnown }) => [offsetMs, isKnown])).toEqual([
        [-5 * minute, false],
        [-5 * minute, true],
      ]);
    });

    it('does not guess from a wrong date, and takes no other sample of its call for one', () => {
      const year = 365 * 24 * 60 * minute;
      const call = { receivedAt: now, sentAt: null };
      expect(stepDeviceClock(unknownClock, { ...call, takenAt: [now + year] })).toMatchObject({
        offsetMs: 0,
        isKnown: false,
      });
      expect(stepDeviceClock(known(0), { ...call, takenAt: [now - second, now + year, null] })).toMatchObject({
        offsetMs: 0,
        isKnown: true,
      });
    });

    it('says nothing new without a sample', () => {
      expect(stepDeviceClock(known(minute), { receivedAt: now, sentAt: null, takenAt: [null] })).toEqual({
        clock: known(minute),
        offsetMs: minute,
        isKnown: true,
        isEstablished: true,
      });
    });

    describe('of a sender whose times may lack their zone', () => {
      /** Calls at these times, each with samples so many milliseconds before it. */
      const asked = (calls: readonly [at: number, ...lags: number[]][], from = unknownClock) => {
        let clock = from;
        return calls.map(([at, ...lags]) => {
          const takenAt = lags.map((lagMs) => now + at - lagMs);
          const call = stepDeviceClock(clock, { receivedAt: now + at, sentAt: null, takenAt, asksZone: true });
          ({ clock } = call);
          return [call.offsetMs, call.isKnown, clock.offsetMs];
        });
      };

      it.each([
        ['a quarter of an hour', 15 * minute],
        ['an hour, almost', 59 * minute],
        ['an hour, and a while on the way', hour + minute],
        ['an hour ahead', -hour],
        ['five hours and a half', 5.5 * hour],
        ['twelve hours ahead', -12 * hour + 800],
      ])('learns no offset that may be a zone, and takes its newest sample as just measured: %s', (_, lagMs) => {
        const calls = [0, 5, 60, 7_200].map((at): [number, number] => [at * second, lagMs]);
        const unknown = calls.map(() => [lagMs, false, null]);
        expect(asked(calls)).toEqual(unknown);
        // Also one whose clock was known: it was not changed with the clocks, or its zone was.
        const changed = asked(calls, known(0));
        expect(changed.slice(1)).toEqual(unknown.slice(1));
      });

      it.each([14 * minute - 1, 16 * minute + 1, -44 * minute + 1, 0, 58 * minute])(
        'learns any other: %d ms',
        (lagMs) => {
          expect(
            asked([
              [0, lagMs],
              [10 * second, lagMs],
            ])[1],
          ).toEqual([lagMs, true, lagMs]);
        },
      );

      it('keeps one that it knew before, and learns the right one when the zone is right', () => {
        const late: [number, number][] = [0, 5, 10].map((at) => [at * second, hour]);
        expect(asked(late, known(hour))).toEqual(late.map(() => [hour, true, hour]));
        const right: [number, number][] = [15, 20, 25].map((at) => [at * second, 0]);
        expect(asked([...late, ...right]).slice(-2)).toEqual(right.slice(1).map(() => [0, true, 0]));
      });

      it('takes the newest sample of an hour ahead for the newest, whatever older ones come with it', () => {
        expect(
          asked([
            [0, -hour, -2 * minute],
            [5 * second, -hour, -2 * minute],
          ]),
        ).toEqual(Array.from({ length: 2 }, () => [-hour, false, null]));
      });

      it('takes what was kept in an outage for late, also where it is whole hours old', () => {
        const calls = [0, 5, 10].map((at): [number, number] => [at * second, hour - at * 600]);
        expect(asked(calls, known(0))).toEqual(calls.map(() => [0, true, 0]));
      });
    });

    it('never holds a live feed for old for longer than two calls 5 s apart, wherever its clock jumps', () => {
      const jump = fc.integer({ min: -4 * minute, max: 4 * minute });
      fc.assert(
        fc.property(fc.array(jump, { minLength: 1, maxLength: 6 }), (jumps) => {
          let clock = unknownClock;
          let at = now;
          for (const slow of jumps) {
            for (let call = 0; call < 3; call += 1) {
              at += 5 * second;
              ({ clock } = stepDeviceClock(clock, { receivedAt: at, sentAt: null, takenAt: [at - slow] }));
            }
            expect(Math.abs((clock.offsetMs ?? Infinity) - slow)).toBeLessThanOrEqual(10 * second);
          }
        }),
      );
    });
  });

  describe('ageFrom', () => {
    it.each([
      ['a live value counts from when it was taken', now - 2_000, 0, now, now - 2_000],
      ['a value from a slow clock counts from its true time', now - 90_000, 88_000, now, now - 2_000],
      ['a value from a fast clock counts from its receipt', now + 50_000, 0, now, now],
      ['a back-filled value stays old', now - 3_600_000, 0, now, now - 3_600_000],
    ])('%s', (_, takenAt, offset, receivedAt, from) => {
      expect(ageFrom(takenAt, offset, receivedAt)).toBe(from);
    });
  });
});

describe('screenDelay', () => {
  const now = 1_800_000_000_000;

  describe('isArrival', () => {
    it.each([
      ['the value that is there already', 0, 0, false],
      ['one that the server had before', -1, -1, false],
      ['a back-fill', 5_000, -55_001, false],
      ['one that took a minute to the server', 5_000, -55_000, true],
      ['a newer one', 1, 1, true],
    ])('evaluates %s', (_, receivedAt, asOf, expected) => {
      expect(isArrival({ receivedAt: now }, { receivedAt: now + receivedAt, asOf: now + asOf })).toBe(expected);
    });
  });

  /** Takes arrivals of [received, painted] milliseconds after `now`, one after the other. */
  function afterTaking(...arrivals: [received: number, painted: number][]): readonly ArrivedResponse[] {
    return arrivals.reduce<readonly ArrivedResponse[]>(
      (responses, [received, painted]) =>
        takeArrival(responses, { receivedAt: now + received, paintedAt: now + painted }),
      [],
    );
  }

  describe('takeArrival', () => {
    it.each<[string, [number, number][], number[]]>([
      [
        'of one response only the newest value',
        [
          [0, 500],
          [200, 520],
          [100, 540],
        ],
        [320],
      ],
      [
        'of values that came in together the one painted last',
        [
          [0, 500],
          [0, 900],
        ],
        [900],
      ],
      [
        'what is painted a second later as another response',
        [
          [0, 500],
          [1_000, 1_499],
          [1_100, 1_500],
        ],
        [499, 400],
      ],
    ])('counts %s', (_, arrivals, delays) => {
      expect(afterTaking(...arrivals).map(({ receivedAt, paintedAt }) => paintedAt - receivedAt)).toEqual(delays);
    });

    it('remembers nine responses', () => {
      const responses = afterTaking(
        ...Array.from({ length: 12 }, (_, index): [number, number] => [index * 2_000, index * 2_000 + index]),
      );
      expect(responses.map(({ receivedAt, paintedAt }) => paintedAt - receivedAt)).toEqual([
        3, 4, 5, 6, 7, 8, 9, 10, 11,
      ]);
    });
  });

  describe('screenDelay', () => {
    const delayOf = (...delays: number[]) =>
      screenDelay(delays.map((delay) => ({ receivedAt: now, paintedAt: now + delay })));

    it.each([
      ['unknown before anything came', [], null],
      ['that of the only response', [700], 700],
      ['between the two in the middle', [100, 400, 300, 9_000], 350],
      ['untouched by a delayed response', [800, 700, 180_000, 900, 600], 800],
      ['none where the page’s clock is behind', [-40, -20], 0],
    ])('is %s', (_, delays, expected) => {
      expect(delayOf(...delays)).toBe(expected);
    });

    it('lies between the least and the most and is never negative', () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: -5_000, max: 600_000 }), { minLength: 1, maxLength: 9 }), (delays) => {
          const delay = delayOf(...delays) ?? Number.NaN;
          expect(delay).toBeGreaterThanOrEqual(Math.max(0, Math.min(...delays)));
          expect(delay).toBeLessThanOrEqual(Math.max(0, ...delays));
        }),
      );
    });
  });
});
