/**
 * Silences one level of the console for the rest of the test and returns the lines written to it, for tests about such
 * lines: `const lines = expectConsole('error')`.
 */
export function expectConsole(level: 'error' | 'warn'): readonly unknown[][] {
  const lines: unknown[][] = [];
  jest.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
    lines.push(parts);
  });
  return lines;
}
