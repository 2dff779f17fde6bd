import type { Store } from '../server/db/open';

/**
 * Holds back every write of a store until the function that it returns is called; a second call of that changes
 * nothing.
 */
export function holdWrites(store: Store): () => void {
  const { writeQueue } = store;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const queue = jest.spyOn(store, 'writeQueue').mockImplementation(async (work) => {
    await held;
    return await writeQueue(work);
  });
  return () => {
    release();
    queue.mockRestore();
  };
}
