/**
 * Silences one level of the console for the rest of the test and returns the lines written to it, so that a test whose
 * subject is such a line can look at them: `const lines = expectConsole('error')`.
 */
export function expectConsole(level: 'error' | 'warn'): readonly unknown[][] {
  const lines: unknown[][] = [];
  jest.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
    lines.push(parts);
  });
  return lines;
}
