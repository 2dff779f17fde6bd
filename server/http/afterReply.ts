import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { createSerialQueue } from '../db/serialQueue';
import { HttpError } from './httpError';

/** Runs work after the response was sent, so that the response time reveals nothing about the work. */
export interface AfterReply {
  /** Throws 503 if too much work is waiting. Logs work that fails. */
  run(reply: FastifyReply, work: () => Promise<void>): void;
  /** Resolves when no work is waiting or running. */
  idle(): Promise<void>;
}

const maxWaiting = 100;

/** Creates a runner that does one piece of work at a time, so that limits such as mails an hour are exact. */
export function createAfterReply(log: Logger): AfterReply {
  const queue = createSerialQueue();
  const waiting = new Set<Promise<void>>();
  return {
    run: (reply, work) => {
      if (waiting.size >= maxWaiting) {
        throw new HttpError(503, 'busy', 'Too many people ask for this at this moment. Try again.', { retryAfter: 2 });
      }
      const answered = new Promise<void>((resolve) => reply.raw.once('close', resolve));
      const done = answered
        .then(() => queue(work))
        .catch((error: unknown) => {
          log.error({ fault: error instanceof Error ? error.name : 'unknown' }, 'work after an answer failed');
        })
        .finally(() => waiting.delete(done));
      waiting.add(done);
    },
    idle: async () => {
      while (waiting.size > 0) {
        await Promise.all(waiting);
      }
    },
  };
}
