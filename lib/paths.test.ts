import fc from 'fast-check';
import { ownPath, paths } from './paths';

describe('ownPath', () => {
  it.each([
    ['nothing', undefined],
    ['a list', ['/patients']],
    ['no text', ''],
    ['no slash in front', 'patients'],
    ['another host', 'https://evil.invalid/patients'],
    ['another host without a scheme', '//evil.invalid/patients'],
    ['a host behind a backslash', '/\\evil.invalid'],
    ['a backslash further on', '/patients\\..\\x'],
    ['another host behind a dot', '/.//evil.invalid'],
    ['another host behind a way back', '/patients/..//evil.invalid'],
    ['another host behind a written-out dot', '/%2e//evil.invalid'],
    ['a script', 'javascript:alert(1)'],
    ['a tab that a browser would drop', '/\t/evil.invalid'],
    ['a line break', '/patients\nSet-Cookie: a=b'],
    ['a space in front', ' /patients'],
  ])('refuses %s', (_, text) => {
    expect(ownPath(text)).toBeNull();
  });

  it.each([
    ['/', '/'],
    ['/patients', '/patients'],
    ['/patient_details?ids=1,2', '/patient_details?ids=1,2'],
    ['/patients#row', '/patients'],
    ['/a/../patients', '/patients'],
  ])('keeps %s as %s', (text, path) => {
    expect(ownPath(text)).toBe(path);
  });

  it('never leads to another host', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('/', '\\', '.', ':', '@', '%', '?', '#', 'a', '\t', '\n', '\0', ' ', 'é'),
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), hostile, fc.webUrl()), (text) => {
        const path = ownPath(text) ?? '/';
        expect(new URL(path, 'https://wardlight.invalid').host).toBe('wardlight.invalid');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('paths', () => {
  it('names several patients in the order they were chosen', () => {
    expect(paths.patientDetails([2, 1])).toBe('/patient_details?ids=2,1');
  });

  it('carries the wanted page through sign-in unharmed', () => {
    fc.assert(
      fc.property(fc.string(), (wanted) => {
        const link = new URL(
          paths.signInAndReturn(`/${encodeURIComponent(wanted)}?q=${encodeURIComponent(wanted)}`),
          'https://wardlight.invalid',
        );
        expect(link.pathname).toBe('/sign_in');
        expect(link.searchParams.get('next')).toBe(`/${encodeURIComponent(wanted)}?q=${encodeURIComponent(wanted)}`);
      }),
    );
  });
});
