/** Work did not end in time. It may still end later: then it must change nothing that others have changed since. */
export class Hung extends Error {
  override readonly name = 'Hung';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The work did not end in time');
  }
}

/**
 * Runs work and resolves as it does, or rejects with `Hung` after `ms` milliseconds and aborts `givenUp`. The work
 * cannot be stopped: before it commits or publishes anything it has to ask whether it was given up.
 */
export async function untilHung<Result>(ms: number, work: (givenUp: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Hung();
      controller.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), hung]);
  } finally {
    clearTimeout(timer);
  }
}
