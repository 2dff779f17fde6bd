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
  const abort = (error: Hung): void => {
    controller.abort(error);
  };
  return await inTime(ms, () => work(controller.signal), abort);
}

/** Does the same for work that may go on: without a signal, which takes longer to make than all else of this. */
export async function inTime<Result>(
  ms: number,
  work: () => Promise<Result>,
  onHung: (error: Hung) => void = () => undefined,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Hung();
      onHung(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work(), hung]);
  } finally {
    clearTimeout(timer);
  }
}
