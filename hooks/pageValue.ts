import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/browser/listeners';

/** A value that parts of a page share, as long as the page lives. */
interface PageValue<Value> {
  read: () => Value;
  set: (value: Value) => void;
  /** Returns the value, also after a change; the first one until the page is hydrated. */
  useValue: () => Value;
}

export function createPageValue<Value>(first: Value): PageValue<Value> {
  let value = first;
  const { subscribe, notify } = createListeners();
  const read = (): Value => value;
  return {
    read,
    set: (next) => {
      value = next;
      notify();
    },
    useValue: () => useSyncExternalStore(subscribe, read, () => first),
  };
}
