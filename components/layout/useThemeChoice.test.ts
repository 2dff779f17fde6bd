import { act, renderHook } from '@testing-library/react';
import { themeScript, useThemeChoice } from './useThemeChoice';

const theme = () => document.documentElement.dataset.theme;
function systemIsDark(dark: boolean): MediaQueryList {
  const query = Object.assign(new EventTarget(), {
    media: '',
    matches: dark,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  });
  jest.spyOn(window, 'matchMedia').mockReturnValue(query);
  return query;
}
/** Runs the script as the browser does while it reads the head. */
function runThemeScript(): void {
  const script = document.createElement('script');
  script.textContent = themeScript;
  document.head.append(script);
}

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
});

describe('themeScript', () => {
  it.each([
    [null, false, 'light'],
    [null, true, 'dark'],
    ['light', true, 'light'],
    ['dark', false, 'dark'],
    ['</script>', true, 'dark'],
  ])('with the choice %s and a dark system %s paints %s', (stored, dark, wanted) => {
    systemIsDark(dark);
    if (stored !== null) {
      localStorage.setItem('theme', stored);
    }
    runThemeScript();
    expect(theme()).toBe(wanted);
  });

  it('follows the system if storage is forbidden', () => {
    systemIsDark(true);
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('forbidden', 'SecurityError');
    });
    runThemeScript();
    expect(theme()).toBe('dark');
  });
});

describe('useThemeChoice', () => {
  it('still changes this page if nothing can be stored', () => {
    systemIsDark(false);
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const { result } = renderHook(() => useThemeChoice());
    act(() => result.current[1]('dark'));
    expect(theme()).toBe('dark');
  });

  it('follows the system as it changes, until the user chooses', () => {
    const system = systemIsDark(false);
    const { result } = renderHook(() => useThemeChoice());
    expect(result.current[0]).toBe('system');
    Object.assign(system, { matches: true });
    act(() => void system.dispatchEvent(new Event('change')));
    expect(theme()).toBe('dark');
    act(() => result.current[1]('light'));
    act(() => void system.dispatchEvent(new Event('change')));
    expect(theme()).toBe('light');
    expect(result.current[0]).toBe('light');
  });
});
