import { format } from 'node:util';

/**
 * Fails a test that causes output on console.error or console.warn: React and Next warn there about faults that users
 * would meet. A test about this output says so with `expectConsole`.
 */
const heard: string[] = [];

for (const level of ['error', 'warn'] as const) {
  console[level] = (...parts: unknown[]) => {
    heard.push(`console.${level}: ${format(...parts)}`);
  };
}

function complain(): void {
  const lines = heard.splice(0);
  if (lines.length > 0) {
    throw new Error(`Nothing may reach the console unless the test expects it:\n${lines.join('\n')}`);
  }
}

afterEach(complain);
// For output after the last test, for example while React unmounts.
afterAll(complain);
