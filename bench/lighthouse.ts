import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { z } from 'zod';
import { chromiumArguments, chromiumPath } from '../e2e/chromium';
import { patientsPage } from '../lib/patients/schema';
import { freePort } from '../test/freePort';
import { makeTestFolder } from '../test/testFolder';
import { signInToDemo, startDemoWard } from './demoWard';
import { atLeast, atMost, median } from './lines';

/** 13 needs Node 22. It is 185 MB with what it needs, so it is fetched for this measurement alone. */
const tool = 'lighthouse@12.8.2';
const rounds = 5;
const cpuTimes = 4;

/** Scores of 100; milliseconds. */
const limits = { performance: 90, accessibility: 100, blocking: 200 };

const audit = z.object({ score: z.number().nullable(), numericValue: z.number().optional() });
const category = z.object({ score: z.number(), auditRefs: z.array(z.object({ id: z.string() })) });
const result = z.object({
  categories: z.object({ performance: category, accessibility: category }),
  audits: z.record(z.string(), audit),
});

interface Run {
  performance: number;
  accessibility: number;
  blockingMs: number;
  failed: string[];
}

const run = promisify(execFile);

/**
 * Measures the pages of the demo ward with Lighthouse (desktop preset, processor four times slower): the medians of
 * several first loads. Nothing else may run meanwhile.
 */
export async function benchLighthouse(): Promise<void> {
  const ward = await startDemoWard();
  const profile = makeTestFolder('lighthouse');
  const port = await freePort();
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: await chromiumPath(),
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
  });
  const { url } = ward.server;
  try {
    await measure('sign-in', `${url}/sign_in`, port);
    const page = await browser.newPage();
    await signInToDemo(page, ward);
    const patients = patientsPage.parse(await (await page.request.get(`${url}/api/v2/patients`)).json());
    await page.close();
    await measure('dashboard', `${url}/dashboard`, port);
    await measure('patients', `${url}/patients`, port);
    await measure('details', `${url}/patient_details?ids=${patients.items[0]?.id ?? ''}`, port);
  } finally {
    await browser.close();
    await ward.server.remove();
    await rm(profile, { recursive: true, force: true });
  }
}

async function measure(name: string, address: string, port: number): Promise<void> {
  const runs: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    runs.push(await load(address, port));
  }
  const middle = (what: 'performance' | 'accessibility' | 'blockingMs'): number =>
    median(runs.map((each) => each[what]));
  atLeast(`${name}: performance by Lighthouse`, middle('performance'), limits.performance);
  atMost(`${name}: blocking time by Lighthouse`, [middle('blockingMs')], limits.blocking, 'ms');
  atLeast(`${name}: accessibility by Lighthouse`, middle('accessibility'), limits.accessibility);
  const failed = new Set(runs.flatMap((each) => each.failed));
  if (failed.size > 0) {
    process.stdout.write(`         ${name}: not accessible by ${[...failed].join(', ')}\n`);
  }
}

async function load(address: string, port: number): Promise<Run> {
  const { stdout } = await run(
    'npx',
    [
      ...['--yes', tool, address, '--port', String(port), '--preset=desktop', '--quiet', '--output=json'],
      // The caches are emptied before each load; the session and the stored user stay.
      '--only-categories=performance,accessibility',
      `--throttling.cpuSlowdownMultiplier=${cpuTimes}`,
    ],
    { maxBuffer: 100_000_000 },
  );
  const { categories, audits } = result.parse(JSON.parse(stdout));
  const { performance, accessibility } = categories;
  return {
    performance: 100 * performance.score,
    accessibility: 100 * accessibility.score,
    blockingMs: audits['total-blocking-time']?.numericValue ?? Number.NaN,
    failed: accessibility.auditRefs.flatMap(({ id }) => (audits[id]?.score === 0 ? [id] : [])),
  };
}
