import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ingestBody, ingestSample, type IngestResponse } from '../../lib/vitals/schema';
import { planFeed, type Feed } from './feed';
import { play } from './play';
import type { RecordedSample } from './recording';
import type { Clock } from './sendSamples';

const start = Date.UTC(2026, 4, 1, 10, 0, 0);
const second = 1_000;

interface Call {
  at: number;
  samples: ReturnType<typeof ingestSample.parse>[];
}

let server: Server;
let calls: Call[] = [];
let answer: (call: Call) => { status: number; body: unknown } = accept;
let time = start;

function accept(call: Call): { status: number; body: IngestResponse } {
  return { status: 200, body: { accepted: call.samples.length, duplicates: 0, corrections: 0, rejected: [] } };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { samples } = ingestBody.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      const call = { at: time, samples: samples.map((one) => ingestSample.parse(one)) };
      calls.push(call);
      const { status, body } = answer(call);
      response.writeHead(status).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

beforeEach(() => {
  calls = [];
  answer = accept;
  time = start;
});

function feed(count: number, mrn = 'A-1', wish: { end?: boolean; loop?: boolean } = {}): Feed {
  const samples = Array.from({ length: count }, (_, index): RecordedSample => ({
    kind: 'spo2',
    value: 97,
    atMs: index * second,
    quality: 'good',
  }));
  const planned = planFeed(
    mrn,
    { samples, expectedEveryMs: second },
    {
      anchor: { at: wish.end === true ? 'end' : 'start', wallMs: start },
      speed: 1,
      loop: wish.loop === true,
      window: { fromMs: 0, forMs: Infinity },
    },
  );
  if (planned === null) {
    throw new Error('The test meant a feed that holds something');
  }
  return planned;
}

async function run(
  feeds: readonly Feed[],
  stopAt = Infinity,
): Promise<Awaited<ReturnType<typeof play>> & { lines: string[] }> {
  const stop = new AbortController();
  const lines: string[] = [];
  const clock: Clock = {
    now: () => time,
    sleep: async (ms) => {
      time += ms;
      if (time >= stopAt) {
        stop.abort();
      }
      await Promise.resolve();
    },
  };
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const played = await play(feeds, { url, token: 'device-token' }, clock, stop.signal, (line) => lines.push(line));
  return { ...played, lines };
}

describe('play', () => {
  it.each([401, 403])('stops at %i with a line that says what to do', async (status) => {
    answer = () => ({ status, body: { error: { code: 'refused', message: 'No such device.' } } });
    const { completed, totals, lines } = await run([feed(5)]);
    expect({ completed, sent: totals.sent, calls: calls.length }).toEqual({ completed: false, sent: 0, calls: 1 });
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(`^The server refused the call: ${status} refused: No such device\\. The device token.*device:add`),
      ),
    ]);
  });

  it('sends each value when its time has come', async () => {
    const { completed, totals } = await run([feed(4)]);
    expect(completed).toBe(true);
    expect(totals).toMatchObject({ sent: 4, accepted: 4 });
    expect(
      calls.map(({ at, samples }) => [at - start, samples.map(({ takenAt }) => Date.parse(takenAt) - start)]),
    ).toEqual([
      [0, [0]],
      [1_000, [1_000]],
      [2_000, [2_000]],
      [3_000, [3_000]],
    ]);
  });

  it('sends a history at once, 5,000 samples a call', async () => {
    const { totals } = await run([feed(6_000, 'A-1', { end: true }), feed(5_000, 'B-2', { end: true })]);
    expect(calls.map(({ at, samples }) => [at - start, samples.length])).toEqual([
      [0, 5_000],
      [0, 5_000],
      [0, 1_000],
    ]);
    expect(totals.accepted).toBe(11_000);
  });

  it('sends what fell due while the server was away', async () => {
    let failures = 3;
    answer = (call) => (failures-- > 0 ? { status: 503, body: null } : accept(call));
    const { totals, lines } = await run([feed(10)]);
    expect(calls.map(({ samples }) => samples.length)).toEqual([1, 1, 1, 1, 7, 1, 1]);
    expect(totals).toMatchObject({ sent: 10, accepted: 10, repeated: 3 });
    expect(lines[0]).toMatch(/: the server answers 503; trying again in 1 s$/);
  });

  it('names an unknown patient once, with what to do, and goes on', async () => {
    answer = (call) => ({
      status: 200,
      body: {
        accepted: 0,
        duplicates: 0,
        corrections: 0,
        rejected: call.samples.map(({ mrn }, index) =>
          mrn === 'A-1'
            ? { index, code: 'unknown_patient', message: 'no patient has this number' }
            : { index, code: 'impossible_value', message: 'is above 100' },
        ),
      },
    });
    const { completed, totals, lines } = await run([feed(3), feed(3, 'B-2')]);
    expect(completed).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/^Rejected: MRN "A-1": unknown_patient: no patient has this number\. Add a patient/),
      'Rejected: spo2 97: impossible_value: is above 100.',
    ]);
    expect([...totals.rejected]).toEqual([
      ['unknown_patient', 3],
      ['impossible_value', 3],
    ]);
  });

  it('says every ten seconds how far it is', async () => {
    const { lines } = await run([feed(26)]);
    expect(lines).toEqual([
      '10 s: 11 sent, 11 accepted, 0 duplicates, 0 corrections, 0 rejected',
      '20 s: 21 sent, 21 accepted, 0 duplicates, 0 corrections, 0 rejected',
    ]);
  });

  it('plays a loop until it is stopped', async () => {
    const { completed, totals } = await run([feed(3, 'A-1', { loop: true })], start + 10 * second);
    expect(completed).toBe(true);
    expect(totals.sent).toBe(10);
  });
});
