import { act, renderHook } from '@testing-library/react';
import { readStoredText, storeText, useStoredText } from './useStoredText';

beforeEach(() => {
  localStorage.clear();
});

describe('a stored choice', () => {
  it('is null, and a change returns false, if storage is forbidden', () => {
    const closed = (): never => {
      throw new Error('closed');
    };
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(closed);
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(closed);
    expect(readStoredText('choice')).toBeNull();
    expect(storeText('choice', 'one')).toBe(false);
  });

  it('is shown everywhere in this tab at once', () => {
    const { result } = renderHook(() => [useStoredText('choice'), useStoredText('choice'), useStoredText('other')]);
    expect(result.current).toEqual([null, null, null]);
    act(() => {
      expect(storeText('choice', 'one')).toBe(true);
    });
    expect(result.current).toEqual(['one', 'one', null]);
  });

  it('is updated when another tab has changed it, until no component shows it', () => {
    const { result, unmount } = renderHook(() => useStoredText('choice'));
    localStorage.setItem('choice', 'two');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'choice', newValue: 'two' })));
    expect(result.current).toBe('two');
    unmount();
    expect(readStoredText('choice')).toBe('two');
  });
});
