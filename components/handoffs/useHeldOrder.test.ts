import { renderHook } from '@testing-library/react';
import type { WardHandoff } from '../../lib/handoffs/schema';
import { useHeldOrder } from './useHeldOrder';

const item = (id: number, severity: WardHandoff['severity'] = null): WardHandoff => ({
  patient: {
    id,
    mrn: `A-${id}`,
    givenName: 'Sam',
    familyName: `Sample${id}`,
    isTrial: false,
    dateOfBirth: '1950-03-07',
    sex: 'unknown',
    unit: null,
    bed: null,
    profile: 'continuous',
  },
  severity,
  writing: null,
  given: null,
  received: null,
  openActions: [],
});

describe('the order of the handovers', () => {
  const start = { items: [item(1), item(2), item(3)], frozen: null as number | null };
  const hold = () => renderHook(({ items, frozen }) => useHeldOrder(items, frozen), { initialProps: start });
  const idsOf = (items: readonly WardHandoff[]): number[] => items.map(({ patient }) => patient.id);

  it('is that of the server while no one points at the list', () => {
    const { result, rerender } = hold();
    rerender({ items: [item(3, 'unstable'), item(1)], frozen: null });
    expect(idsOf(result.current)).toEqual([3, 1]);
  });

  it('holds still under a pointer, shows what is known now, and puts newcomers last', () => {
    const { result, rerender } = hold();
    rerender({ ...start, frozen: 1 });
    rerender({ items: [item(4, 'unstable'), item(3, 'unstable'), item(1)], frozen: 1 });
    expect(idsOf(result.current)).toEqual([1, 2, 3, 4]);
    expect(result.current[2]?.severity).toBe('unstable');
    rerender({ items: [item(4, 'unstable'), item(3, 'unstable'), item(1)], frozen: null });
    expect(idsOf(result.current)).toEqual([4, 3, 1]);
  });
});
