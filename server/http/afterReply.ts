import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { createSerialQueue } from '../db/serialQueue';
import { HttpError } from './httpError';

/** Work that begins when the caller has the answer, so that the time of the answer tells nothing about it. */
export interface AfterReply {
  /** Refuses with 503 when too much is waiting. What fails is logged. */
  run(reply: FastifyReply, work: () => Promise<void>): void;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

const mayWait = 100;

/** Works run one after another, so that what they count (mails in an hour) is exact. */
export function createAfterReply(log: Logger): AfterReply {
  const inTurn = createSerialQueue();
  const waiting = new Set<Promise<void>>();
  return {
    run: (reply, work) => {
      if (waiting.size >= mayWait) {
        throw new HttpError(503, 'busy', 'Too many people ask for this at this moment. Try again.', { retryAfter: 2 });
      }
      const answered = new Promise<void>((resolve) => reply.raw.once('close', resolve));
      const done = answered
        .then(() => inTurn(work))
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
