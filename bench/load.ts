import { connect, type Socket } from 'node:net';

export interface LoadResult {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Sends requests in a closed loop on `connections` sockets for `seconds` and measures. Reads only the length and the
 * status of a response, because a client that decompresses or parses measures itself. `next` makes each request's
 * bytes.
 */
export async function load(
  port: number,
  connections: number,
  seconds: number,
  next: () => Buffer,
): Promise<LoadResult> {
  const times: number[] = [];
  const start = performance.now();
  const until = start + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => loop(port, until, next, times)));
  const elapsed = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { requests: times.length, perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99) };
}

const ok = Buffer.from('HTTP/1.1 200');

function loop(port: number, until: number, next: () => Buffer, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let sentAt = 0;
    let head: Buffer[] = [];
    /** The bytes of this response that are still to come; null until its head was read. */
    let missing: number | null = null;
    /** The length of the last response: one that arrives in one piece of the same length needs no reading. */
    let usual = -1;
    const send = (): void => {
      sentAt = performance.now();
      head = [];
      missing = null;
      socket.write(next());
    };
    const done = (): void => {
      times.push(performance.now() - sentAt);
      if (performance.now() < until) {
        send();
        return;
      }
      socket.removeAllListeners('close');
      socket.end();
      resolve();
    };
    const fail = (message: string): void => {
      socket.destroy();
      reject(new Error(message));
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('The server closed the connection'));
    });
    socket.on('data', (chunk) => {
      if (missing === null) {
        if (head.length === 0 && chunk.length === usual && chunk.compare(ok, 0, ok.length, 0, ok.length) === 0) {
          done();
          return;
        }
        head.push(chunk);
        const read = Buffer.concat(head);
        const end = read.indexOf('\r\n\r\n');
        if (end === -1) {
          return;
        }
        const text = read.subarray(0, end).toString('latin1');
        if (!text.startsWith('HTTP/1.1 200')) {
          fail(`The server responded with ${text.slice(0, 60)}`);
          return;
        }
        usual = end + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
        missing = usual - read.length;
      } else {
        missing -= chunk.length;
      }
      if (missing <= 0) {
        done();
      }
    });
  });
}

/** Returns the bytes of a GET as our pages send it. */
export function get(path: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`);
}

/** Returns the bytes of a POST of JSON. */
export function post(path: string, body: string, headers: Record<string, string>): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
