import { getOrAdd } from './getOrAdd';

/**
 * Returns a function that returns what `make` does, and asks it once for each key: what it returns must depend on the
 * key alone. It keeps `most` of them, and forgets the oldest first.
 */
export function remember<Key extends string | number, Value extends NonNullable<unknown> | null>(
  make: (key: Key) => Value,
  most = Infinity,
): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) =>
    getOrAdd(known, key, () => {
      const [oldest] = known.size >= most ? known.keys() : [];
      if (oldest !== undefined) {
        known.delete(oldest);
      }
      return make(key);
    });
}
