import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { ingestBody } from '../../lib/vitals/schema';
import type { DueSample } from './feed';
import { readRetryAfter, sendSamples, type Clock, type Sent } from './sendSamples';

const now = Date.UTC(2026, 4, 1, 10, 0, 0);
const sample: DueSample = {
  mrn: 'A-1',
  kind: 'spo2',
  value: 97,
  quality: 'good',
  takenAt: now - 1_000,
  dueAt: now - 1_000,
};
const taken = { accepted: 1, duplicates: 0, corrections: 0, rejected: [] };

type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang up';
interface Heard {
  url: string | undefined;
  method: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Server;
let replies: Reply[] = [];
let heard: Heard[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push({
        url: request.url,
        method: request.method,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      });
      const reply = replies.shift() ?? 'hang up';
      if (reply === 'hang up') {
        request.socket.destroy();
        return;
      }
      response.writeHead(reply.status, reply.headers);
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? null));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

beforeEach(() => {
  replies = [];
  heard = [];
});

function address(): URL {
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

interface Attempted {
  sent: Sent;
  waits: [string, number][];
}

/** Time passes only in waits, and each passes at once. */
async function send(stop = new AbortController(), stopAfterWaits = Infinity): Promise<Attempted> {
  const waits: [string, number][] = [];
  let time = now;
  const clock: Clock = {
    now: () => time,
    sleep: async (ms) => {
      time += ms;
      if (waits.length >= stopAfterWaits) {
        stop.abort();
      }
      await Promise.resolve();
    },
  };
  const sent = await sendSamples(
    { url: address(), token: 'device-token' },
    [sample],
    clock,
    stop.signal,
    (reason, ms) => waits.push([reason, ms]),
  );
  return { sent, waits };
}

const refusal = (code: string): unknown => ({ error: { code, message: `is ${code}` } });

describe('sendSamples', () => {
  it.each([
    [400, 'malformed'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [413, 'too_large'],
    [422, 'invalid'],
  ])('stops at %i and says the server’s reason', async (status, code) => {
    replies = [{ status, body: refusal(code) }];
    await expect(send()).resolves.toEqual({
      sent: { outcome: 'refused', status, code, message: `is ${code}` },
      waits: [],
    });
    expect(heard).toHaveLength(1);
  });

  it.each([
    ['another server', { status: 404, body: '<h1>Not here</h1>' }, 404],
    ['a success that is not an answer to this call', { status: 200, body: { ok: true } }, 200],
    [
      'a redirection, to which the token must not go',
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      307,
    ],
  ])('stops at %s', async (_name, reply, status) => {
    replies = [reply];
    expect((await send()).sent).toEqual({
      outcome: 'refused',
      status,
      code: 'unknown_response',
      message: 'this is not how a Wardlight server answers',
    });
    expect(heard).toHaveLength(1);
  });

  it('sends the samples as the contract says, with the token and without asking for compression', async () => {
    replies = [{ status: 200, body: taken }];
    await expect(send()).resolves.toEqual({ sent: { outcome: 'answered', response: taken }, waits: [] });
    expect(heard).toMatchObject([
      {
        method: 'POST',
        url: '/api/v2/vitals',
        headers: {
          authorization: 'Bearer device-token',
          'content-type': 'application/json',
          'accept-encoding': 'identity',
        },
      },
    ]);
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual({
      sentAt: '2026-05-01T10:00:00.000Z',
      samples: [{ mrn: 'A-1', kind: 'spo2', value: 97, quality: 'good', takenAt: '2026-05-01T09:59:59.000Z' }],
    });
  });

  it('repeats the same samples with the clock of each attempt until the server has answered', async () => {
    replies = [
      'hang up',
      { status: 503, headers: { 'retry-after': '7' } },
      { status: 429 },
      { status: 502, body: 'gateway' },
      { status: 200, body: taken },
    ];
    const { sent, waits } = await send();
    expect(sent).toEqual({ outcome: 'answered', response: taken });
    expect(waits).toEqual([
      [expect.stringMatching(/^no answer \([A-Z_]+\)$/), 1_000],
      ['the server answers 503', 7_000],
      ['the server answers 429', 4_000],
      ['the server answers 502', 8_000],
    ]);
    const bodies = heard.map(({ body }) => ingestBody.extend({ sentAt: z.string() }).parse(JSON.parse(body)));
    expect(new Set(bodies.map(({ samples }) => JSON.stringify(samples))).size).toBe(1);
    expect(bodies.map(({ sentAt }) => (Date.parse(sentAt) - now) / 1_000)).toEqual([0, 1, 8, 12, 20]);
  });

  it('never waits longer than ten seconds by itself', async () => {
    replies = [...Array.from({ length: 6 }, () => ({ status: 503 })), { status: 200, body: taken }];
    expect((await send()).waits.map(([, ms]) => ms)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('ends at once when it is stopped, before a call or while it waits', async () => {
    expect((await send(aborted())).sent).toEqual({ outcome: 'stopped' });
    replies = [{ status: 503 }, { status: 200, body: taken }];
    expect((await send(new AbortController(), 1)).sent).toEqual({ outcome: 'stopped' });
    expect(heard).toHaveLength(1);
  });
});

function aborted(): AbortController {
  const controller = new AbortController();
  controller.abort();
  return controller;
}

describe('readRetryAfter', () => {
  it.each([
    [null, null],
    ['soon', null],
    ['0', 0],
    ['120', 120_000],
    [new Date(now + 30_000).toUTCString(), 30_000],
    [new Date(now - 30_000).toUTCString(), 0],
  ])('reads %s as %s ms', (header, ms) => {
    expect(readRetryAfter(header, now)).toBe(ms);
  });
});
