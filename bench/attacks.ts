import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { firstLine } from './ingestProcess';
import { atMost, median } from './lines';
import { readAlone } from './readAlone';
import { readMetric } from './readMetric';
import { feedEverySecond, startWard, type Ward } from './ward';

const slow = ['upgrade', 'connection', 'slow-header', 'slow-body'];
const dear = ['pages', 'documents', 'documents-unread'];
const seconds = 15;
const pollEveryMs = 50;
const limitMs = 200;
/** From one address, more connections than the server holds; from eight, more than it holds of all together. */
const attackers = [
  { from: 'one address', names: [...slow, ...dear], connections: 1_100, addresses: ['127.0.0.2'] },
  {
    from: 'eight addresses',
    names: slow,
    connections: 200,
    addresses: [2, 3, 4, 5, 6, 7, 8, 9].map((last) => `127.0.0.${last}`),
  },
];

/**
 * Measures how long the poll of a ward of 250 patients takes from another address while a server is attacked: by
 * upgrades, silent connections, slow headers and slow bodies, and by the dearest that anybody may ask for: ten pages or
 * documents at once on each connection, read or not. Each poll opens a connection of its own.
 */
export async function benchAttacks(): Promise<void> {
  const ward = await startWard(250);
  const feed = feedEverySecond(ward);
  try {
    await feed.first;
    // On a busy machine it says what of the figures below is not the attack's.
    process.stdout.write(`no attack: ${inWords((await poll(ward, seconds)).times)}\n`);
    for (const { from, names, connections, addresses } of attackers) {
      for (const name of names) {
        const { port } = new URL(ward.server.url);
        const attacker = spawn(
          process.execPath,
          ['dist/bench-attacker.js', port, name, String(connections), ...addresses],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        );
        await wait(1_000);
        const { times, failed } = await poll(ward, seconds);
        const open = await readMetric(ward.server, 'wardlight_open_connections');
        const opened = firstLine(attacker);
        attacker.kill('SIGTERM');
        process.stdout.write(
          `${name} from ${from}: ${await opened} opened, ${open} open at the end, ${inWords(times)}\n`,
        );
        await once(attacker, 'exit');
        atMost(`${name} from ${from}: board, longest of ${times.length} polls`, times, limitMs, 'ms');
        atMost(`${name} from ${from}: polls without a response`, [failed], 0, '');
      }
    }
  } finally {
    await feed.stop();
    await ward.server.remove();
  }
}

function inWords(times: number[]): string {
  return `board in the middle ${median(times).toFixed(1)} ms, at the longest ${Math.max(...times).toFixed(1)} ms`;
}

/** Polls the board, each time on a new connection; returns the milliseconds of each, and how many got no response. */
async function poll({ server, cookie }: Ward, forSeconds: number): Promise<{ times: number[]; failed: number }> {
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + forSeconds * 1_000;
  while (performance.now() < until) {
    const begun = performance.now();
    try {
      await readAlone(`${server.url}/api/v2/patients`, cookie);
      times.push(performance.now() - begun);
    } catch {
      failed += 1;
    }
    await wait(pollEveryMs);
  }
  return { times, failed };
}
