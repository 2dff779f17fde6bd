import fc from 'fast-check';
import { slotOf } from './slotOf';
import { statusesOf, type Subject } from './statusesOf';

type Rest = Pick<Subject, 'replaces' | 'isInError' | 'isEnded'>;
const rest: Rest = { replaces: null, isInError: false, isEnded: false };
const allergy = (id: number, substance: string, more: Partial<Rest> = {}): Subject => ({
  ...rest,
  id,
  section: 'allergies',
  value: { is: 'allergy', substance, reaction: null, severity: 'unknown' },
  ...more,
});
const none = (id: number, more: Partial<Rest> = {}): Subject => ({
  ...rest,
  id,
  section: 'allergies',
  value: { is: 'none' },
  ...more,
});
const codeStatus = (id: number, status: 'full' | 'noCpr', more: Partial<Rest> = {}): Subject => ({
  ...rest,
  ...more,
  id,
  section: 'codeStatus',
  value: { status, limits: null },
});
const said = (...entries: Subject[]): string[] =>
  [...statusesOf(entries)].sort(([a], [b]) => a - b).map(([id, status]) => `${id} ${status}`);

describe('an entry of a chart', () => {
  it('is superseded by its correction', () => {
    expect(said(codeStatus(1, 'full'), codeStatus(2, 'noCpr', { replaces: 1 }))).toEqual(['1 superseded', '2 current']);
  });

  it('holds again if its correction was entered in error', () => {
    expect(said(codeStatus(1, 'full'), codeStatus(2, 'noCpr', { replaces: 1, isInError: true }))).toEqual([
      '1 current',
      '2 entered_in_error',
    ]);
  });

  it('stays superseded if the correction of an error holds', () => {
    const entries = [
      codeStatus(1, 'full'),
      codeStatus(2, 'noCpr', { replaces: 1, isInError: true }),
      codeStatus(3, 'full', { replaces: 2 }),
    ];
    expect(said(...entries)).toEqual(['1 superseded', '2 entered_in_error', '3 current']);
  });

  it('that ended is not current, and in error rather than ended', () => {
    expect(said(allergy(1, 'Latex', { isEnded: true }))).toEqual(['1 ended']);
    expect(said(allergy(1, 'Latex', { isEnded: true, isInError: true }))).toEqual(['1 entered_in_error']);
  });

  it('that says "none" does not stand beside an allergy, nor come back when that ends', () => {
    expect(said(none(1), allergy(2, 'Latex'))).toEqual(['1 superseded', '2 current']);
    expect(said(none(1), allergy(2, 'Latex', { isEnded: true }))).toEqual(['1 superseded', '2 ended']);
    expect(said(none(1), allergy(2, 'Latex', { isInError: true }))).toEqual(['1 current', '2 entered_in_error']);
  });

  it('that says "none" gives way to an earlier allergy that holds again', () => {
    // Its correction ended, "none" was recorded, and then the correction turned out to be an error.
    const entries = [
      allergy(1, 'Penicillin'),
      allergy(2, 'Penicillin V', { replaces: 1, isEnded: true, isInError: true }),
      none(3),
    ];
    expect(said(...entries)).toEqual(['1 current', '2 entered_in_error', '3 superseded']);
  });

  it('that says "none" is, whatever people do, never current beside another one of its list', () => {
    const step = fc.record({ what: fc.constantFrom('add', 'none', 'correct', 'end', 'error'), of: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const entries: Subject[] = [];
        for (const { what, of } of steps) {
          const id = entries.length + 1;
          const place = entries.length === 0 ? 0 : of % entries.length;
          const [target] = entries.slice(place, place + 1);
          if (target === undefined || what === 'add') {
            entries.push(allergy(id, `Drug ${of % 3}`));
          } else if (what === 'none') {
            entries.push(none(id));
          } else if (what === 'correct') {
            entries.push(allergy(id, `Drug ${of % 3}`, { replaces: target.id }));
          } else {
            entries.splice(place, 1, { ...target, [what === 'end' ? 'isEnded' : 'isInError']: true });
          }
          const statuses = statusesOf(entries);
          const current = entries.filter((one) => statuses.get(one.id) === 'current');
          expect(new Set(current.map(({ value }) => 'is' in value && value.is)).size).toBeLessThan(2);
        }
      }),
    );
  });

  it('is one of several about other things, and never a second one about the same', () => {
    expect(said(allergy(1, 'Latex'), allergy(2, 'Nuts'))).toEqual(['1 current', '2 current']);
    // The first one came back because its correction was an error; meanwhile somebody had recorded it again.
    const again = [allergy(1, 'Latex'), allergy(2, 'Nuts', { replaces: 1, isInError: true }), allergy(3, 'latex')];
    expect(said(...again)).toEqual(['1 superseded', '2 entered_in_error', '3 current']);
  });

  it('has, whatever people do, at most one current code status, and exactly one unless all are errors', () => {
    const step = fc.record({ replaces: fc.nat(20), isError: fc.boolean(), of: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const entries: Subject[] = [];
        for (const { replaces, isError, of } of steps) {
          const current = [...statusesOf(entries)].filter(([, status]) => status === 'current').map(([id]) => id);
          if (isError && entries.length > 0) {
            const place = of % entries.length;
            entries.splice(place, 1, ...entries.slice(place, place + 1).map((one) => ({ ...one, isInError: true })));
          } else if (current.length === 0 || replaces % 3 > 0) {
            entries.push(codeStatus(entries.length + 1, 'full', { replaces: current[0] ?? null }));
          }
          const after = [...statusesOf(entries).values()].filter((status) => status === 'current');
          expect(after).toHaveLength(entries.every(({ isInError }) => isInError) ? 0 : 1);
        }
      }),
    );
  });

  it('is about the same thing in any letter case', () => {
    expect(slotOf(allergy(1, 'Latex  gloves'))).toBe(slotOf(allergy(2, 'latex Gloves')));
    expect(slotOf(allergy(1, 'Latex'))).not.toBe(slotOf(none(2)));
  });
});
