import { renderHook } from '@testing-library/react';
import { useFrozenValue } from './useFrozenValue';

describe('a value while lists hold still', () => {
  const start = { value: 'old', frozen: null as number | null };
  const hold = () => renderHook(({ value, frozen }) => useFrozenValue(value, frozen), { initialProps: start });

  it('is the one of the beginning of the freeze, and the new one afterwards', () => {
    const { result, rerender } = hold();
    rerender({ value: 'at the pointer', frozen: 1 });
    rerender({ value: 'new', frozen: 1 });
    expect(result.current).toBe('at the pointer');
    rerender({ value: 'new', frozen: null });
    expect(result.current).toBe('new');
  });

  it('is taken again by a freeze that follows at once', () => {
    const { result, rerender } = hold();
    rerender({ value: 'old', frozen: 1 });
    rerender({ value: 'new', frozen: 2 });
    rerender({ value: 'newest', frozen: 2 });
    expect(result.current).toBe('new');
  });
});
