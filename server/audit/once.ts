/** Calls `write` unless the name is on record. Returns null if it is, else a promise of its row being written. */
export type Once = (name: string, write: () => Promise<void>) => Promise<void> | null;

const maxKnown = 50_000;

/**
 * Creates a function that writes the row of a name once in `lastsMs`, however many concurrent requests ask for it.
 * Requests that come while the row is being written wait for it. If the write fails, the next request tries again.
 */
export function createOnce(elapsed: () => number, lastsMs: number): Once {
  const known = new Map<string, { at: number; writing: Promise<void> | null }>();
  return (name, write) => {
    const at = elapsed();
    const last = known.get(name);
    if (last !== undefined && at - last.at < lastsMs) {
      return last.writing;
    }
    const writing = write().then(
      () => {
        known.set(name, { at, writing: null });
      },
      (error: unknown) => {
        known.delete(name);
        throw error;
      },
    );
    if (known.size > maxKnown) {
      for (const [old, { at: when }] of known) {
        if (at - when >= lastsMs) {
          known.delete(old);
        }
      }
    }
    known.set(name, { at, writing });
    return writing;
  };
}
