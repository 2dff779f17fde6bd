import { defineConfig } from '@playwright/test';

/**
 * The browser and what a page may print stand in e2e/test.ts; every spec starts a server of its own
 * (e2e/startServer.ts).
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // One after another: the tests stop and pause servers and measure seconds.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // Generous, because every wait is for a condition: what is there is never waited for.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
