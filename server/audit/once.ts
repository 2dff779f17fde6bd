/** Takes a name and what writes its row; null where the name is on record already, else when it is. */
export type Once = (name: string, write: () => Promise<void>) => Promise<void> | null;

const mostKnown = 50_000;

/**
 * Puts a name on record once in `lastsMs`, however often and at once it is asked for: who asks while the row is being
 * written waits for the same row. One that could not be written is tried again by the next who asks.
 */
export function createOnce(now: () => number, lastsMs: number): Once {
  const known = new Map<string, { at: number; writing: Promise<void> | null }>();
  return (name, write) => {
    const at = now();
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
    if (known.size > mostKnown) {
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
