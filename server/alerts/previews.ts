import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { limitPreview, type LimitPreview } from '../../lib/alerts/limitPreviewSchema';
import { safeParse } from '../../lib/safeParse';
import { HttpError } from '../http/httpError';
import { placesOf } from '../http/errors';
import type { PreviewTask } from './previewTask';

const tooLong = (): HttpError =>
  new HttpError(503, 'preview_late', 'The preview took too long. Limits can be set without it.', { retryAfter: 10 });
const failed = (): HttpError =>
  new HttpError(503, 'preview_failed', 'The preview could not be computed. Limits can be set without it.', {
    retryAfter: 10,
  });
const replaced = (): HttpError =>
  new HttpError(409, 'preview_replaced', 'You have asked for another preview meanwhile.');

/** A day at one value a second and its objects take less; a worker that needs more ends, and not the server. */
const maxOldGenerationSizeMb = 384;
/** A thread without work ends after so many milliseconds. */
const keptMs = 60_000;

/** Computes previews of limits in a thread of their own, so that the thread that serves never waits for one. */
export type Previews = ReturnType<typeof createPreviews>;

/**
 * `file`: the compiled worker. `limitMs`: after so many milliseconds a preview is given up, waiting included. One runs
 * at a time, because a ward's machine may have two cores and the other one serves; the others wait.
 */
export function createPreviews({ file, log, limitMs = 10_000 }: { file: string; log: Logger; limitMs?: number }) {
  const newest = new Map<number, AbortController>();
  const thread = createThread(file, log);
  let last: Promise<unknown> = Promise.resolve();
  return {
    /**
     * Resolves with the preview. Rejects with 409 `preview_replaced` if the same user asked for another one meanwhile,
     * and with 503 if it takes too long or its thread failed.
     */
    run: async (userId: number, task: PreviewTask): Promise<LimitPreview> => {
      newest.get(userId)?.abort(replaced());
      const given = new AbortController();
      newest.set(userId, given);
      const timer = setTimeout(() => {
        given.abort(tooLong());
      }, limitMs);
      const mine = last.then(() => thread.compute(task, given.signal));
      last = mine.catch(() => undefined);
      try {
        return await Promise.race([mine, untilGivenUp(given.signal)]);
      } finally {
        clearTimeout(timer);
        if (newest.get(userId) === given) {
          newest.delete(userId);
        }
      }
    },
    /** Ends the one that runs, and the thread. */
    stop: () => {
      for (const given of newest.values()) {
        given.abort(failed());
      }
      thread.end();
    },
  };
}

function untilGivenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(reasonOf(signal));
    });
  });
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : failed();
}

/**
 * Makes a thread that computes one preview at a time. It starts when there is something to do, and is kept for a while:
 * it is twice as fast then.
 */
function createThread(file: string, log: Logger) {
  let kept: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(idle);
    void kept?.terminate();
    kept = null;
  };
  const start = (): Worker => {
    // What a worker prints might quote a value.
    const worker = new Worker(file, { stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb } });
    worker.on('error', (error: unknown) => {
      const fault = error instanceof Error ? error.name : typeof error;
      log.error({ fault, stack: placesOf(error) }, 'a preview of limits failed');
    });
    worker.on('exit', () => {
      kept = kept === worker ? null : kept;
    });
    return worker;
  };
  return {
    /** Settles when the thread is free, or gone. */
    compute: async (task: PreviewTask, signal: AbortSignal): Promise<LimitPreview> => {
      if (signal.aborted) {
        throw reasonOf(signal);
      }
      clearTimeout(idle);
      const worker = kept ?? start();
      kept = worker;
      worker.ref();
      const answer = await new Promise<unknown>((resolve) => {
        const settle = (message: unknown): void => {
          worker.off('message', settle).off('exit', settle);
          signal.removeEventListener('abort', end);
          resolve(message);
        };
        worker.on('message', settle).on('exit', settle);
        signal.addEventListener('abort', end);
        worker.postMessage(task);
      });
      // A server that stops does not wait for a thread that has nothing to do.
      worker.unref();
      idle = setTimeout(end, keptMs).unref();
      if (signal.aborted) {
        throw reasonOf(signal);
      }
      const parsed = safeParse(limitPreview, answer);
      if (!parsed.success) {
        throw failed();
      }
      return parsed.data;
    },
    end,
  };
}
