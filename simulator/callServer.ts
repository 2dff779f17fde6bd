import { Agent, request, type RequestOptions } from 'node:http';
import { vitalsCalls } from '../lib/vitals/calls';
import { ingestResponse, type IngestResponse } from '../lib/vitals/schema';
import type { WireSample } from './measure';

/** One device's connection to the server. */
export interface DeviceLine {
  /**
   * Sends samples through the ingest call and returns the response, which the server sends when they are stored.
   * Rejects if there is none within 5 s or if it is an error; the message names the status and no patient. `sentAt` is
   * an instant.
   */
  send(sentAt: string, samples: readonly WireSample[]): Promise<IngestResponse>;
  /** Aborts the current calls and closes all connections. */
  close(): void;
}

const timeoutMs = 5_000;

/** Opens a connection from a device to a server. It stays open between calls. */
export function openLine(server: URL, token: string): DeviceLine {
  const { method, path, status: stored } = vitalsCalls.ingestVitals;
  const url = new URL(path, server);
  const agent = new Agent({ keepAlive: true });
  return {
    send: (sentAt, samples) => {
      const body = JSON.stringify({ sentAt, isRecording: true, samples });
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      return exchange(url, { method, agent, headers, signal: AbortSignal.timeout(timeoutMs) }, body).then(
        ({ status, text }) => {
          if (status !== stored) {
            throw new Error(`the server answers ${status}`);
          }
          return ingestResponse.parse(JSON.parse(text));
        },
      );
    },
    close: () => {
      agent.destroy();
    },
  };
}

function exchange(url: URL, options: RequestOptions, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      });
    });
    call.once('error', reject);
    call.end(body);
  });
}
