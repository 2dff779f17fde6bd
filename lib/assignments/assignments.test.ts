import fc from 'fast-check';
import { userTypes } from '../session/userTypes';
import { formatTime } from '../time/formatTime';
import { unitKey } from '../units/unitKey';
import { rolesFor } from './canHold';
import { type Assignment, holders, placeOf } from './holders';
import { parseShiftStarts, shiftAfter, shiftAt } from './shiftAt';

describe('assignments', () => {
  describe('rolesFor', () => {
    const nursing = ['nurse', 'buddy'];

    it.each([
      ['nurse', [...nursing, 'charge_nurse', 'ward_lead']],
      ['ward_lead', [...nursing, 'charge_nurse', 'ward_lead']],
      ['respiratory_therapist', nursing],
      ['physician', ['duty_clinician', 'on_call_physician']],
    ] as const)('gives a %s the roles that fit', (type, roles) => {
      expect(rolesFor({ type, units: [] }, 1)).toEqual(roles);
    });

    it('gives no other type any role', () => {
      const others = userTypes.filter(
        (type) => !['nurse', 'ward_lead', 'respiratory_therapist', 'physician'].includes(type),
      );
      expect(others.flatMap((type) => rolesFor({ type, units: [] }, 1))).toEqual([]);
    });

    it('keeps users of other units out of this one', () => {
      expect(rolesFor({ type: 'nurse', units: [{ id: 2 }] }, 1)).toEqual([]);
      expect(rolesFor({ type: 'nurse', units: [{ id: 2 }, { id: 1 }] }, 1)).not.toEqual([]);
    });
  });

  describe('holders', () => {
    const row = (shiftStart: number, userId: number | null, more: Partial<Assignment> = {}): Assignment => ({
      role: 'nurse',
      patientId: 1,
      shiftStart,
      userId,
      ...more,
    });

    it('are none without an assignment, or with one for a later shift only', () => {
      expect(holders([], 100)).toEqual([]);
      expect(holders([row(101, 7)], 100)).toEqual([]);
    });

    it('are carried over until a later shift changes them', () => {
      const rows = [row(100, 7), row(300, 8)];
      expect([100, 200, 299, 300, 400].map((start) => holders(rows, start)[0]?.userId)).toEqual([7, 7, 7, 8, 8]);
    });

    it('are no one if the last assignment says so', () => {
      expect(holders([row(100, 7), row(200, null)], 300)).toEqual([row(200, null)]);
    });

    it('are separate for each role and patient', () => {
      const rows = [
        row(100, 7),
        row(100, 8, { role: 'buddy' }),
        row(100, 9, { patientId: 2 }),
        row(100, 7, { role: 'charge_nurse', patientId: null }),
      ];
      expect(holders(rows, 100)).toHaveLength(4);
    });

    it('are at most one for each place, the newest up to the shift, in whatever order the rows come', () => {
      const anyRow = fc.record({
        role: fc.constantFrom('nurse', 'buddy', 'charge_nurse'),
        patientId: fc.constantFrom(1, 2, null),
        shiftStart: fc.integer({ min: 0, max: 50 }),
        userId: fc.constantFrom(7, 8, null),
      });
      const anyRows = fc.uniqueArray(anyRow, { selector: (one) => `${placeOf(one)} ${one.shiftStart}` });
      fc.assert(
        fc.property(anyRows, fc.integer({ min: 0, max: 50 }), (rows, start) => {
          const found = holders(rows, start);
          expect(new Set(found.map(placeOf)).size).toBe(found.length);
          for (const one of rows.filter(({ shiftStart }) => shiftStart <= start)) {
            expect(found.find((held) => placeOf(held) === placeOf(one))?.shiftStart).toBeGreaterThanOrEqual(
              one.shiftStart,
            );
          }
          expect(new Set(holders(rows.toReversed(), start))).toEqual(new Set(found));
        }),
      );
    });
  });

  describe('shiftAt', () => {
    const usual = ['07:30', '19:30'];
    const hourMs = 3_600_000;
    const at = (text: string): number => Date.parse(text);
    const iso = ({ start, end }: { start: number; end: number }): string[] =>
      [start, end].map((time) => new Date(time).toISOString());

    describe('shiftAt', () => {
      it.each([
        ['a time that is none', ['7:30']],
        ['hour 24', ['24:00']],
        ['minute 60', ['07:60']],
        ['nothing', ['']],
        ['no start at all', []],
      ])('refuses %s', (_, starts) => {
        expect(() => shiftAt(0, 'UTC', starts)).toThrow(RangeError);
      });

      it.each([
        [
          'the middle of the day shift',
          '2026-03-07T12:00:00Z',
          'UTC',
          '2026-03-07T07:30:00.000Z',
          '2026-03-07T19:30:00.000Z',
        ],
        [
          'its first millisecond',
          '2026-03-07T07:30:00Z',
          'UTC',
          '2026-03-07T07:30:00.000Z',
          '2026-03-07T19:30:00.000Z',
        ],
        [
          'the last millisecond before',
          '2026-03-07T07:29:59.999Z',
          'UTC',
          '2026-03-06T19:30:00.000Z',
          '2026-03-07T07:30:00.000Z',
        ],
        ['after midnight', '2026-03-07T00:10:00Z', 'UTC', '2026-03-06T19:30:00.000Z', '2026-03-07T07:30:00.000Z'],
        [
          'a zone of half an hour',
          '2026-03-07T12:00:00Z',
          'Asia/Kolkata',
          '2026-03-07T02:00:00.000Z',
          '2026-03-07T14:00:00.000Z',
        ],
        [
          '14 h ahead',
          '2026-03-07T12:00:00Z',
          'Pacific/Kiritimati',
          '2026-03-07T05:30:00.000Z',
          '2026-03-07T17:30:00.000Z',
        ],
        [
          '11 h behind',
          '2026-03-07T12:00:00Z',
          'Pacific/Pago_Pago',
          '2026-03-07T06:30:00.000Z',
          '2026-03-07T18:30:00.000Z',
        ],
        // The clocks go forward at 01:00 UTC: the night is an hour shorter. Back in October, an hour longer.
        [
          'the short night in London',
          '2026-03-29T00:30:00Z',
          'Europe/London',
          '2026-03-28T19:30:00.000Z',
          '2026-03-29T06:30:00.000Z',
        ],
        [
          'the long night in London',
          '2026-10-25T00:30:00Z',
          'Europe/London',
          '2026-10-24T18:30:00.000Z',
          '2026-10-25T07:30:00.000Z',
        ],
        [
          'the short night in New York',
          '2026-03-08T06:00:00Z',
          'America/New_York',
          '2026-03-08T00:30:00.000Z',
          '2026-03-08T11:30:00.000Z',
        ],
        [
          'the long night of half an hour more',
          '2026-04-04T14:00:00Z',
          'Australia/Lord_Howe',
          '2026-04-04T08:30:00.000Z',
          '2026-04-04T21:00:00.000Z',
        ],
      ])('knows %s', (_, now, zone, start, end) => {
        expect(iso(shiftAt(at(now), zone, usual))).toEqual([start, end]);
      });

      it('moves a start that the clocks skip by as much, and takes the first of one that comes twice', () => {
        expect(iso(shiftAt(at('2026-03-29T12:00:00Z'), 'Europe/London', ['01:30']))[0]).toBe(
          '2026-03-29T01:30:00.000Z',
        );
        expect(iso(shiftAt(at('2026-10-25T12:00:00Z'), 'Europe/London', ['01:30']))[0]).toBe(
          '2026-10-25T00:30:00.000Z',
        );
      });

      it('takes the starts in whatever order they are written', () => {
        const now = at('2026-03-07T12:00:00Z');
        expect(shiftAt(now, 'UTC', ['19:30', '07:30'])).toEqual(shiftAt(now, 'UTC', usual));
      });

      const zones = [
        'UTC',
        'Europe/London',
        'Europe/Berlin',
        'America/New_York',
        'America/St_Johns',
        'Australia/Lord_Howe',
        'Asia/Kolkata',
        'Pacific/Apia',
      ];
      const anyTime = fc
        .integer({ min: 0, max: 1_439 })
        .map(
          (minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
        );
      const anyStarts = fc.uniqueArray(anyTime, { minLength: 1, maxLength: 4 });
      const anyNow = fc.integer({ min: at('2015-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') });

      it('contains now, ends when the next begins, and is the same at any time in it, if clocks change too', () => {
        fc.assert(
          fc.property(
            anyNow,
            fc.constantFrom(...zones),
            anyStarts,
            fc.double({ min: 0, max: 1, noNaN: true }),
            (now, zone, starts, part) => {
              const shift = shiftAt(now, zone, starts);
              expect(shift.start).toBeLessThanOrEqual(now);
              expect(shift.end).toBeGreaterThan(now);
              expect(shift.end - shift.start).toBeLessThanOrEqual(25 * hourMs);
              const inside = Math.min(shift.end - 1, shift.start + Math.floor(part * (shift.end - shift.start)));
              expect(shiftAt(inside, zone, starts)).toEqual(shift);
              expect(shiftAt(shift.start - 1, zone, starts).end).toBe(shift.start);
              expect(shiftAfter(shift, zone, starts).start).toBe(shift.end);
            },
          ),
          { numRuns: 300 },
        );
      });

      it('begins at a time of day that the site named, on every day on which its clocks show that time', () => {
        fc.assert(
          fc.property(anyNow, fc.constantFrom(...zones), (now, zone) => {
            // No zone of these changes its clocks between these hours.
            const { start } = shiftAt(now, zone, usual);
            expect(usual).toContain(formatTime(start, zone));
          }),
          { numRuns: 300 },
        );
      });
    });

    describe('parseShiftStarts', () => {
      it('takes a site’s starts apart', () => {
        expect(parseShiftStarts('07:30,19:30')).toEqual(usual);
        expect(parseShiftStarts('06:00, 14:00, 22:00')).toEqual(['06:00', '14:00', '22:00']);
      });
    });
  });
});

describe('unitKey', () => {
  it.each(['bed 1', ' BED  1', 'Bed\u00a01', 'Bed\u200b 1', '\uff22ed 1'])('takes %j for "Bed 1"', (name) => {
    expect(unitKey(name)).toBe(unitKey('Bed 1'));
  });

  it.each(['Bed 11', 'Bed l', 'Bed1', 'Béd 1'])('does not take %j for it', (name) => {
    expect(unitKey(name)).not.toBe(unitKey('Bed 1'));
  });
});
