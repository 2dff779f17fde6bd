import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { malformedInputs } from '../test/malformedInputs';
import { atMost, median } from './lines';
import { readMetric } from './readMetric';
import { signIn, startWard, type Ward } from './ward';

const seeds = [1, 2, 3, 4];
const inputsOfSeed = 250_000;
const atOnce = 8;
/** So many inputs are made at a time: making them takes the memory of this process, not the server's. */
const made = 1_000;
const noAnswerAfterMs = 10_000;
/** The server's memory at the end of a seed, by that after the first seed. */
const memoryLimit = 1.2;

interface Answer {
  /** 0: the connection was closed without one. */
  status: number;
  retryAfter: boolean;
}

/**
 * Sends a million malformed inputs over real connections, a quarter with each seed: texts and calls in place of a
 * device's, queries, addresses, and requests of any bytes. Measures answers of 500, those of 503 without `Retry-After`,
 * inputs without an answer, stalls of the server's thread, and its memory.
 */
export async function benchMalformed(): Promise<void> {
  const ward = await startWard(1, { env: { SESSION_CALLS_PER_MINUTE: '1000000000' } });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  try {
    const memory: number[] = [];
    const stallsBefore = await readMetric(ward.server, 'wardlight_loop_stalls_total');
    for (const seed of seeds) {
      const begun = performance.now();
      // A session in which no one does anything locks: its calls would be refused at the door.
      const senders = sendersOf({ ...ward, cookie: await signIn(ward.server) }, agent);
      const counts = await sendAll(senders, seed);
      const seconds = (performance.now() - begun) / 1_000;
      memory.push((await readMetric(ward.server, 'process_resident_memory_bytes')) / 1e6);
      const name = `seed ${seed}, ${inputsOfSeed.toLocaleString('en')} malformed inputs in ${seconds.toFixed(0)} s`;
      process.stdout.write(`${name}: ${JSON.stringify(Object.fromEntries(counts.statuses))}\n`);
      atMost(`${name}: answers of 500 and above, but for 503`, [counts.failed], 0, '');
      atMost(`${name}: 503 without Retry-After`, [counts.unsaid], 0, '');
      atMost(`${name}: without an answer`, [counts.unanswered], 0, '');
      atMost(`${name}: refused by a locked session`, [counts.statuses.get(423) ?? 0], 0, '');
    }
    const stalls = (await readMetric(ward.server, 'wardlight_loop_stalls_total')) - stallsBefore;
    atMost('stalls of more than 200 ms', [stalls], 0, '');
    process.stdout.write(`memory after each: ${memory.map((mb) => `${mb.toFixed(0)} MB`).join(', ')}\n`);
    const [first = Number.NaN, ...later] = memory;
    atMost('memory after the last three seeds, by that after the first', [median(later) / first], memoryLimit, 'x');
  } finally {
    agent.destroy();
    await ward.server.remove();
  }
}

type Sender = () => Promise<Answer>;

/** Returns, for a seed and a number of inputs, what sends each of them. */
function sendersOf({ server, token, cookie }: Ward, agent: Agent): (seed: number, count: number) => Sender[] {
  const authorization = `Bearer ${token}`;
  const inputs = malformedInputs(Date.now(), { id: 1, mrn: 'B1' }, { authorization, cookie });
  const { port } = new URL(server.url);
  const device = { authorization, 'content-type': 'application/json' };
  const post =
    (body: string): Sender =>
    () =>
      call(server.url, agent, 'POST', '/api/v2/vitals', device, body);
  const read =
    (address: string): Sender =>
    () =>
      call(server.url, agent, 'GET', address, { cookie }, null);
  const sender = fc.oneof(
    inputs.bodies.map(post),
    inputs.calls.map((one) => post(JSON.stringify(one))),
    inputs.listQueries.map((query) => read(`/api/v2/patients?${query}`)),
    inputs.vitals.map(([id, query]) => read(`/api/v2/patients/${id}/vitals?${query}`)),
    inputs.requests.map((bytes) => (): Promise<Answer> => sendBytes(Number(port), bytes)),
  );
  return (seed, numRuns) => fc.sample(sender, { seed, numRuns });
}

interface Counts {
  statuses: Map<number, number>;
  failed: number;
  unsaid: number;
  unanswered: number;
}

async function sendAll(sendersOfSeed: (seed: number, count: number) => Sender[], seed: number): Promise<Counts> {
  const counts: Counts = { statuses: new Map(), failed: 0, unsaid: 0, unanswered: 0 };
  for (let sent = 0; sent < inputsOfSeed; sent += made) {
    const part = seed * inputsOfSeed + sent;
    const waiting = [...sendersOfSeed(part, made).entries()];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const [index, send] = next;
          const answer = await send().catch(() => null);
          const fault = note(counts, answer);
          if (fault !== null) {
            process.stdout.write(`${fault}: input ${index} of the ${made} of seed ${part}\n`);
          }
        }
      }),
    );
  }
  return counts;
}

/** Counts an answer; returns what is wrong with it, or null. */
function note(counts: Counts, answer: Answer | null): string | null {
  if (answer === null) {
    counts.unanswered += 1;
    return 'no answer';
  }
  const { status, retryAfter } = answer;
  counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
  if (status === 503 && !retryAfter) {
    counts.unsaid += 1;
    return '503 without Retry-After';
  }
  if (status >= 500 && status !== 503) {
    counts.failed += 1;
    return String(status);
  }
  return null;
}

function call(
  url: string,
  agent: Agent,
  method: string,
  address: string,
  headers: Record<string, string>,
  body: string | null,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path: address, method, agent, headers, timeout: noAnswerAfterMs }, (got) => {
      got.resume();
      got.once('error', reject);
      got.once('end', () => {
        resolve({ status: got.statusCode ?? 0, retryAfter: got.headers['retry-after'] !== undefined });
      });
    });
    sent.once('timeout', () => sent.destroy(new Error('No answer')));
    sent.once('error', reject);
    sent.end(body ?? undefined);
  });
}

/** Sends bytes and ends; a connection that the server closes without a word is an answer as well. */
function sendBytes(port: number, bytes: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.setTimeout(noAnswerAfterMs, () => socket.destroy(new Error('No answer')));
    socket.on('data', (part: string) => {
      heard += part;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // It closed before all was sent.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') {
        reject(error);
      }
    });
    socket.on('close', () => {
      const statuses = [...heard.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
      resolve({ status: Math.max(0, ...statuses), retryAfter: /^retry-after:/im.test(heard) });
    });
    socket.end(bytes, 'latin1');
  });
}
