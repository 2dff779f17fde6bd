import { defineConfig } from '@playwright/test';

/** Specs that promise something within seconds run alone: a busy machine would be measured as well. */
const measured = ['**/checkIn.spec.ts', '**/outage.spec.ts', '**/sessions.spec.ts'];

/**
 * The browser and what a page may print stand in e2e/test.ts. A spec has a site of its own on a server that specs share
 * (e2e/sharedServers.ts); one that stops a server, moves its clock or breaks its store starts its own.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/sharedServers.ts',
  // A file at a time: the tests of one use one site, or a server that some of them stop. Files share no site.
  fullyParallel: false,
  // Mostly a page waits for the next second, so three need about as much of the processor as one.
  workers: 3,
  projects: [
    { name: 'browser', testIgnore: measured },
    { name: 'measured', testMatch: measured, workers: 1 },
  ],
  retries: 0,
  forbidOnly: true,
  // Generous, because every wait is for a condition: what is there is never waited for, and a busy machine is no fault.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    // No spec is about motion, and drawing it took an eighth of a spec's processor time.
    contextOptions: { reducedMotion: 'reduce' },
    // Calls, console and network of a failed test. Pictures of every step would cost each test a fifth of its time.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
});
