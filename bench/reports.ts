import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, median } from './lines';
import { feedEverySecond, startWard, type Ward } from './ward';

const rounds = 3;
const posts = 2_000;
const withinMs = 10_000;
const pollEveryMs = 50;
/** The budget of an address is for a minute: each round begins with a whole one, or nothing would be kept. */
const budgetMs = 61_000;
/** The limit, as a multiple of the time without reports. */
const limit = 1.2;

const event = {
  event_id: 'a'.repeat(32),
  release: 'wardlight@0.1.0',
  transaction: '/patients',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'Cannot read properties of undefined',
        stacktrace: {
          frames: Array.from({ length: 30 }, (_, lineno) => ({
            filename: '/_next/static/chunks/x.js',
            function: 'draw',
            lineno,
          })),
        },
      },
    ],
  },
};
const envelope = Buffer.from(['{}', '{"type":"event"}', JSON.stringify(event)].join('\n'));

/** Measures whether a page that reports errors all the time slows other users. */
export async function benchReports(): Promise<void> {
  const ward = await startWard(500);
  const feed = feedEverySecond(ward);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  try {
    await feed.first;
    await pollsFor(ward, agent, 2_000);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const quiet = await pollsFor(ward, agent, withinMs);
      const [loud, statuses] = await Promise.all([pollsFor(ward, agent, withinMs), report(ward, agent)]);
      if (statuses.filter((status) => status === 200).length < 500) {
        throw new Error('Too few reports were kept to be felt');
      }
      ratios.push(loud / quiet);
      if (round + 1 < rounds) {
        await wait(budgetMs);
      }
    }
    atMost(
      'board of 500: p95 of a poll while 2,000 error reports come in 10 s, against none (median of rounds)',
      [median(ratios)],
      limit,
      'times',
    );
  } finally {
    agent.destroy();
    await feed.stop();
    await ward.server.remove();
  }
}

/** Polls at a steady pace and returns the 95th percentile of the times, in milliseconds. */
async function pollsFor(ward: Ward, agent: Agent, ms: number): Promise<number> {
  const times: Promise<number>[] = [];
  for (const start = performance.now(); performance.now() - start < ms;) {
    times.push(poll(ward, agent));
    await wait(pollEveryMs);
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
}

async function poll(ward: Ward, agent: Agent): Promise<number> {
  const start = performance.now();
  const headers = { Cookie: ward.cookie, 'Accept-Encoding': 'gzip' };
  const status = await send(`${ward.server.url}/api/v2/patients?pageSize=500`, 'GET', headers, null, agent);
  if (status !== 200) {
    throw new Error(`A poll got status ${status}`);
  }
  return performance.now() - start;
}

/** Sends all reports at a steady pace and returns the statuses of the responses. */
async function report(ward: Ward, agent: Agent): Promise<number[]> {
  const statuses: Promise<number>[] = [];
  const start = performance.now();
  while (statuses.length < posts) {
    const due = Math.min(posts, Math.ceil(((performance.now() - start) / withinMs) * posts));
    while (statuses.length < due) {
      statuses.push(send(`${ward.server.url}/monitoring`, 'POST', { 'Content-Type': 'text/plain' }, envelope, agent));
    }
    await wait(5);
  }
  return await Promise.all(statuses);
}

function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: Buffer | null,
  agent: Agent,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent }, (response) => {
      response.resume();
      response.on('end', () => {
        resolve(response.statusCode ?? 0);
      });
    });
    call.on('error', reject);
    call.end(body ?? undefined);
  });
}
