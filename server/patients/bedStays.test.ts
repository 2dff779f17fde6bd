import fc from 'fast-check';
import { BedStays, bedKey, bedOf, changingMs, keptMs, type BedMove } from './bedStays';

const bed = '1 a';
const other = '1 b';
const minute = 60_000;
/** 10:00, 1 May 2026. */
const ten = Date.UTC(2026, 4, 1, 10);

describe('who is in a bed', () => {
  it('is known by neither half of a place, nor of a patient who has left', () => {
    expect([bedKey(null, 'A'), bedKey(1, null)]).toEqual([null, null]);
    expect(bedOf({ unit_id: 1, bed: 'A', state: 'discharged' })).toBeNull();
    expect(bedOf({ unit_id: 1, bed: ' A', state: 'active' })).toBe(bed);
  });

  it('is no one in a bed that has never had a patient', () => {
    expect(new BedStays().occupantOf(bed, ten, ten)).toEqual({ code: 'empty_bed' });
  });

  it('is not said by a bed with two patients', () => {
    const stays = new BedStays();
    stays.take(1, null, bed, ten);
    stays.take(2, null, bed, ten);
    expect(stays.occupantOf(bed, ten + 60 * minute, ten + 60 * minute)).toEqual({ code: 'identity_conflict' });
  });

  it.each([
    ['1 ms inside the five minutes before', ten - changingMs, 'bed_changing'],
    ['earlier', ten - changingMs - 1, 'empty_bed'],
    ['at the admission', ten, 'bed_changing'],
    ['five minutes after', ten + changingMs, 'bed_changing'],
  ])('is not said near a change: %s', (_, at, code) => {
    const stays = new BedStays();
    stays.take(1, null, bed, ten);
    expect(stays.occupantOf(bed, at, at)).toEqual({ code });
  });

  it('is not said where the patient changed between the time of a value and its arrival', () => {
    const stays = new BedStays();
    stays.take(1, null, bed, ten - 300 * minute);
    stays.take(1, bed, other, ten);
    expect(stays.occupantOf(bed, ten - 60 * minute, ten + 60 * minute)).toEqual({ code: 'bed_changing' });
    expect(stays.occupantOf(bed, ten - 60 * minute, ten - 59 * minute)).toEqual({ patientId: 1 });
    expect(stays.occupantOf(bed, ten + 59 * minute, ten + 60 * minute)).toEqual({ code: 'empty_bed' });
    expect(stays.occupantOf(other, ten + 59 * minute, ten + 60 * minute)).toEqual({ patientId: 1 });
  });

  it('is the same after a start, by the patients of now and the moves of before', () => {
    const stays = new BedStays();
    stays.take(1, null, other, null);
    stays.load([{ patientId: 1, at: ten, from: bed, to: other }]);
    expect(stays.occupantOf(bed, ten - 60 * minute, ten - 60 * minute)).toEqual({ patientId: 1 });
    expect(stays.occupantOf(other, ten - 60 * minute, ten - 60 * minute)).toEqual({ code: 'empty_bed' });
    expect(stays.occupantOf(other, ten + 60 * minute, ten + 60 * minute)).toEqual({ patientId: 1 });
  });

  it('moves with a step of the clock', () => {
    const stays = new BedStays();
    stays.take(1, null, bed, ten);
    stays.moveClock(60 * minute, ten + 61 * minute);
    expect(stays.occupantOf(bed, ten + 60 * minute, ten + 60 * minute)).toEqual({ code: 'bed_changing' });
    expect(stays.occupantOf(bed, ten, ten)).toEqual({ code: 'empty_bed' });
  });

  it('counts as having been in a bed for five minutes after leaving it', () => {
    const stays = new BedStays();
    stays.take(1, null, bed, ten - 60 * minute);
    stays.take(1, bed, other, ten);
    expect(stays.wasIn(1, bed, ten + changingMs)).toBe(true);
    expect(stays.wasIn(1, bed, ten + changingMs + 1)).toBe(false);
    expect(stays.wasIn(1, other, ten + 300 * minute)).toBe(true);
    expect(stays.wasIn(2, other, ten)).toBe(false);
  });

  it('was elsewhere only in the time that is asked for, and nowhere else without a bed', () => {
    const stays = new BedStays();
    stays.take(1, null, bed, ten);
    stays.take(1, bed, other, ten + 60 * minute);
    stays.take(1, other, null, ten + 120 * minute);
    const at = (minutes: number) => ({ from: ten + minutes * minute, to: ten + (minutes + 1) * minute });
    expect([-10, 30, 62, 90, 130].map((minutes) => stays.wasElsewhere(1, bed, null, at(minutes)))).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(stays.wasElsewhere(2, bed, other, at(30))).toBe(true);
    expect(stays.wasElsewhere(2, bed, bed, at(30))).toBe(false);
  });

  it('forgets moves that no value can be older than', () => {
    const stays = new BedStays();
    stays.take(1, null, bed, ten);
    stays.take(2, null, other, ten + keptMs + 1);
    expect(stays.occupantOf(bed, ten, ten)).toEqual({ patientId: 1 });
  });

  it('is the same whether the moves come one by one or at a start, in any order, and long apart', () => {
    const beds = [bed, other];
    const step = fc.record({
      patientId: fc.integer({ min: 1, max: 3 }),
      to: fc.constantFrom(bed, other, null),
      after: fc.oneof(fc.integer({ min: 0, max: 30 * minute }), fc.integer({ min: 0, max: keptMs })),
    });
    const steps = fc.array(step, { maxLength: 12 });
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), fc.array(fc.nat(), { maxLength: 9 }), (all, order, times) => {
        const [oneByOne, atStart, places] = [new BedStays(), new BedStays(), new Map<number, string | null>()];
        const moves: BedMove[] = [];
        let at = ten;
        for (const { patientId, to, after } of all) {
          at += after;
          const from = places.get(patientId) ?? null;
          places.set(patientId, to);
          oneByOne.take(patientId, from, to, at);
          moves.push(...(from === to ? [] : [{ patientId, at, from, to }]));
        }
        places.forEach((place, patientId) => {
          atStart.take(patientId, null, place, null);
        });
        // Those of one time stay in their order, as in the store.
        const turns = new Map([...new Set(moves.map((move) => move.at))].map((time) => [time, order.next().value]));
        atStart.load(moves.toSorted((a, b) => (turns.get(a.at) ?? 0) - (turns.get(b.at) ?? 0)));
        const asked = [...moves.map((move) => move.at), ...times.map((time) => at - (time % keptMs))];
        const answers = (stays: BedStays) =>
          asked.flatMap((time) =>
            beds.flatMap((one) => [
              stays.occupantOf(one, time, time),
              ...[1, 2, 3].map((id) => stays.wasIn(id, one, time)),
              ...[1, 2, 3].map((id) => stays.wasElsewhere(id, one, places.get(id) ?? null, { from: time, to: time })),
            ]),
          );
        expect(answers(oneByOne)).toEqual(answers(atStart));
      }),
    );
  });

  it('never names a patient who was not there all the time, whatever the moves', () => {
    const step = fc.record({
      patientId: fc.integer({ min: 1, max: 3 }),
      to: fc.constantFrom(bed, other, null),
      after: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(300), fc.nat(60), (steps, start, long) => {
        const stays = new BedStays();
        const places = new Map<number, string | null>();
        /** Who was in `bed` from each time on. */
        const history: { at: number; ids: number[] }[] = [{ at: -Infinity, ids: [] }];
        let at = ten;
        for (const { patientId, to, after } of steps) {
          at += after * minute;
          stays.take(patientId, places.get(patientId) ?? null, to, at);
          places.set(patientId, to);
          history.push({ at, ids: [...places].filter(([, place]) => place === bed).map(([id]) => id) });
        }
        const [from, to] = [ten + start * minute, ten + (start + long) * minute];
        const found = stays.occupantOf(bed, from, to);
        const there = history.filter(
          (one, index) => one.at <= to + changingMs && (history[index + 1]?.at ?? Infinity) >= from - changingMs,
        );
        const always = [1, 2, 3].filter((id) => there.every(({ ids }) => ids.includes(id)));
        // It may be careful, and never names somebody else.
        expect('code' in found ? [] : [found.patientId].filter((id) => !always.includes(id))).toEqual([]);
      }),
    );
  });
});
