// What the server does with faults that no one catches. Imported by server/main.ts before Next is.

/** Else Next hides the listeners of rejections behind methods of its own on `process`, and says so when it loads. */
// oxlint-disable-next-line house/syntax -- no setting of ours: Next reads it while it loads
process.env.NEXT_UNHANDLED_REJECTION_FILTER = 'disabled';

const events = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Gives every uncaught exception and unhandled rejection of this process to `handle`, and to nothing else: the handlers
 * of libraries print the text of an error, which may quote a patient's values. Next adds some when it starts, and again
 * when it first renders a page. Those that are there are removed, and each that comes is removed before anything waits.
 */
export function handleUncaught(handle: (error: unknown) => void): void {
  const emitter: NodeJS.EventEmitter = process;
  const takeOver = (): void => {
    for (const event of events) {
      const [first, ...others] = emitter.listeners(event);
      if (first !== handle || others.length > 0) {
        emitter.removeAllListeners(event).on(event, handle);
      }
    }
  };
  takeOver();
  emitter.on('newListener', (event) => {
    if (events.some((known) => known === event)) {
      // It is added after this.
      queueMicrotask(takeOver);
    }
  });
}
