import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateSync } from 'node:zlib';

interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  items: ReceivedItem[];
}

/** One item of an envelope: its type, its JSON, and its text, that of a recording decompressed. */
export interface ReceivedItem {
  type: string;
  json: Record<string, unknown>;
  text: string;
}

export interface ReportReceiver {
  port: number;
  /** The value of SENTRY_DSN for it. */
  dsn: string;
  received: Received[];
  answer: { status: number; headers: Record<string, string> };
  /** It accepts calls and never responds. */
  hang: boolean;
  /** Every item received, in order. */
  items(): ReceivedItem[];
  stop(): Promise<void>;
}

/** A receiver of error reports on this machine. It notes what it receives and responds as the test says. */
export async function startReportReceiver(): Promise<ReportReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      received.push({
        url: request.url ?? '',
        headers: request.headers,
        body: bytes.toString(),
        items: itemsOf(bytes),
      });
      if (!receiver.hang) {
        response.writeHead(receiver.answer.status, receiver.answer.headers).end('a body that must not be shown');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: ReportReceiver = {
    port,
    dsn: `http://abc@127.0.0.1:${port}/7`,
    received,
    answer: { status: 200, headers: {} },
    hang: false,
    items: () => received.flatMap(({ items }) => items),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  return receiver;
}

/** An envelope is a line of JSON, then for each item a line that names type and length, and its bytes. */
function itemsOf(bytes: Buffer): ReceivedItem[] {
  const items: ReceivedItem[] = [];
  let at = endOfLine(bytes, 0) + 1;
  while (at < bytes.length) {
    const end = endOfLine(bytes, at);
    const head = parsed(bytes.subarray(at, end).toString());
    const length = typeof head.length === 'number' ? head.length : endOfLine(bytes, end + 1) - end - 1;
    const payload = bytes.subarray(end + 1, end + 1 + length);
    const type = typeof head.type === 'string' ? head.type : '';
    items.push({
      type,
      json: type === 'replay_recording' ? {} : parsed(payload.toString()),
      text: textOf(type, payload),
    });
    at = end + 1 + length + 1;
  }
  return items;
}

function endOfLine(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(10, from);
  return found === -1 ? bytes.length : found;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function textOf(type: string, payload: Buffer): string {
  if (type !== 'replay_recording') {
    return payload.toString();
  }
  try {
    return inflateSync(payload.subarray(endOfLine(payload, 0) + 1)).toString();
  } catch {
    return payload.toString();
  }
}
