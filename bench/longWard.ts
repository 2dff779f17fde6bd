import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { chromiumArguments, chromiumPath } from '../e2e/chromium';
import { completeWalkthrough } from '../e2e/completeWalkthrough';
import { atMost, median, p99 } from './lines';
import { readMetric } from './readMetric';
import { cookiesOf, ingest, secondOf, startWard, type Ward } from './ward';

const patients = 250;
const screens = ['/dashboard', '/patients?pageSize=250', '/patient_details?ids=1,2,3', '/wall?unit=1', '/alerts'];
const browsersPerScreen = 2;
/** Patients who desaturate in turn, one each minute: their alerts are raised again and again, as on a real ward. */
const restless = 10;
const lowSeconds = 30;
/** The run is shorter under `WARD_MINUTES`, which is a trial and no measurement. */
const minutes = Number(process.env.WARD_MINUTES ?? 120);
const slices = 12;
/** What is late may be so many times what it was early. The first quarter fills caches and windows and is left out. */
const mostGrowth = 1.15;
/** Bytes in ten minutes: a line of about 120 for each stall, which a loaded machine causes. */
const mostPrinted = 10_000;

/** One slice of the run. */
interface Slice {
  /** Megabytes. */
  resident: number;
  /** Of the middle browser page, after a garbage collection, in megabytes. */
  page: number;
  /** Milliseconds in the middle and at p99. */
  ack: [number, number];
  board: [number, number];
  health: [number, number];
  /** Bytes that the server printed. */
  printed: number;
  /** Megabytes of the database and its log of writes. */
  stored: number;
  /** Polls that the pages have finished. */
  polls: number;
}

/**
 * Measures two hours of a ward of 250 patients, each with two values a second, before ten browsers: memory, delay,
 * what is printed and what is stored must not grow faster late than early.
 */
export async function benchLongWard(): Promise<void> {
  const ward = await startWard(patients, { acceptIntendedUse: true });
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArguments });
  const over = new AbortController();
  try {
    const acks: number[] = [];
    const fed = feed(ward, acks, over.signal);
    const polled = {
      board: poll(ward, '/api/v2/patients?pageSize=250', over.signal),
      health: poll(ward, '/healthz', over.signal),
    };
    const pages = await openPages(browser, ward);
    const found: Slice[] = [];
    let [printed, stored] = [ward.server.output().length, await sizeOf(ward)];
    for (let slice = 1; slice <= slices; slice += 1) {
      await wait((minutes * 60_000) / slices);
      // The pages lock when no one touches them.
      await Promise.all(pages.map(async (page) => page.mouse.move(slice, slice)));
      const [nowPrinted, nowStored] = [ward.server.output().length, await sizeOf(ward)];
      const seen: Slice = {
        resident: (await readMetric(ward.server, 'process_resident_memory_bytes')) / 1_000_000,
        page: median(await Promise.all(pages.map(heapOf))),
        ack: shares(acks.splice(0)),
        board: shares(polled.board.times.splice(0)),
        health: shares(polled.health.times.splice(0)),
        printed: nowPrinted - printed,
        stored: nowStored - stored,
        polls: (await Promise.all(pages.map(pollsOf))).reduce((sum, count) => sum + count, 0),
      };
      [printed, stored] = [nowPrinted, nowStored];
      found.push(seen);
      const at = (times: [number, number]): string => times.map((time) => time.toFixed(0)).join(' / ');
      process.stdout.write(
        `${slice} of ${slices}: server ${seen.resident.toFixed(0)} MB, page ${seen.page.toFixed(1)} MB; ` +
          `ACK ${at(seen.ack)} ms, board ${at(seen.board)} ms, /healthz ${at(seen.health)} ms; ` +
          `printed ${seen.printed} B, stored ${seen.stored.toFixed(1)} MB, ${seen.polls} polls of pages\n`,
      );
    }
    over.abort();
    await Promise.all([fed, polled.board.done, polled.health.done]);
    const early = found.slice(slices / 4, slices / 2);
    const late = found.slice(-slices / 4);
    const growth = (name: string, of: (slice: Slice) => number): void => {
      atMost(`ward of ${minutes} min: ${name}, late against early`, [median(late.map(of)) / median(early.map(of))],
        mostGrowth, 'times'); // prettier-ignore
    };
    growth('memory of the server', ({ resident }) => resident);
    growth('memory of a page', ({ page }) => page);
    growth('ACK in the middle', ({ ack }) => ack[0]);
    growth('board in the middle', ({ board }) => board[0]);
    growth('stored bytes', ({ stored: megabytes }) => megabytes);
    atMost(`ward of ${minutes} min: printed late`, [Math.max(...late.map((slice) => slice.printed))], mostPrinted, 'B');
    const lost = median(early.map(({ polls }) => polls)) / median(late.map(({ polls }) => polls));
    atMost(`ward of ${minutes} min: polls of pages, early against late`, [lost], mostGrowth, 'times');
  } finally {
    over.abort();
    await browser.close();
    await ward.server.remove();
  }
}

/** Sends a second of the ward each second, and notes how long the ACK takes, in milliseconds. */
async function feed(ward: Ward, acks: number[], until: AbortSignal): Promise<void> {
  for (let due = performance.now(); !until.aborted; due += 1_000) {
    await wait(Math.max(0, due - performance.now()));
    const [begun, now] = [performance.now(), Date.now()];
    await ingest(ward, desaturated(secondOf(ward.patients, now), now));
    acks.push(performance.now() - begun);
  }
}

const well = /("patientId":(\d+),"kind":"spo2","value":)\d+/g;

function desaturated(body: string, now: number): string {
  const second = Math.floor(now / 1_000);
  const low = second % 60 < lowSeconds ? (Math.floor(second / 60) % restless) + 1 : 0;
  return body.replace(well, (_, start: string, patientId: string) =>
    `${start}${Number(patientId) === low ? 84 : 94 + ((Number(patientId) + second) % 5)}`); // prettier-ignore
}

function poll({ server, cookie }: Ward, address: string, until: AbortSignal): { times: number[]; done: Promise<void> } {
  const times: number[] = [];
  const run = async (): Promise<void> => {
    while (!until.aborted) {
      const begun = performance.now();
      const response = await fetch(`${server.url}${address}`, { headers: { cookie } });
      await response.text();
      if (response.status !== 200) {
        throw new Error(`${address} responded with ${response.status}`);
      }
      times.push(performance.now() - begun);
      await wait(1_000);
    }
  };
  return { times, done: run() };
}

const shares = (times: number[]): [number, number] => [median(times), p99(times)];

async function sizeOf({ server }: Ward): Promise<number> {
  const files = ['wardlight.db', 'wardlight.db-wal'].map((name) => stat(path.join(server.dataDir, name)));
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0) / 1_000_000;
}

async function openPages(browser: Browser, ward: Ward): Promise<Page[]> {
  const pages: Page[] = [];
  for (const screen of screens.flatMap((address) => Array.from({ length: browsersPerScreen }, () => address))) {
    const context = await browser.newContext();
    await completeWalkthrough(context);
    await context.addCookies(cookiesOf(ward));
    await context.addInitScript(() => {
      // All polls of a slice.
      performance.setResourceTimingBufferSize(20_000);
    });
    const page = await context.newPage();
    await page.goto(`${ward.server.url}${screen}`);
    pages.push(page);
  }
  return pages;
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1_000_000;
  } finally {
    await session.detach();
  }
}

async function pollsOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const polls = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/v2/')).length;
    performance.clearResourceTimings();
    return polls;
  });
}
