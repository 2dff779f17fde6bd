import { format } from 'node:util';

/**
 * A warning of React or Next is a fault that users will meet, so whatever reaches console.error or console.warn fails
 * the test that caused it. A test that is about such a line says so with `expectConsole`.
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
// For what is written after the last test, such as while React unmounts.
afterAll(complain);
