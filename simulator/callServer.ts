import { Agent, request, type RequestOptions } from 'node:http';
import { vitalsCalls } from '../lib/vitals/calls';
import { ingestResponse, type IngestResponse } from '../lib/vitals/schema';
import type { WireSample } from './tell';

/** One device's connection to the server. */
export interface DeviceLine {
  /**
   * Sends samples through the ingest call and resolves with the answer, which leaves the server when they are stored.
   * Rejects when there is none within 5 s or it is a refusal; the message names the status and no patient. `sentAt` is
   * an instant.
   */
  send(sentAt: string, samples: readonly WireSample[]): Promise<IngestResponse>;
  /** Cuts what is under way and keeps no connection. */
  close(): void;
}

const answerWithinMs = 5_000;

/**
 * Opens the line of the device that the token names to the server at the address, which stays open between two calls.
 */
export function openLine(server: URL, token: string): DeviceLine {
  const { method, path, status: stored } = vitalsCalls.ingestVitals;
  const url = new URL(path, server);
  const agent = new Agent({ keepAlive: true });
  return {
    send: (sentAt, samples) => {
      const body = JSON.stringify({ sentAt, samples });
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      return exchange(url, { method, agent, headers, signal: AbortSignal.timeout(answerWithinMs) }, body).then(
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
