import { useState } from 'react';

/** Returns what a value was when the freeze began (`useFreeze`); outside a freeze, what it is. */
export function useFrozenValue<Value>(value: Value, frozen: number | null): Value {
  const [held, setHeld] = useState<{ frozen: number; value: Value } | null>(null);
  if (frozen === null) {
    if (held !== null) {
      setHeld(null);
    }
    return value;
  }
  if (held?.frozen !== frozen) {
    setHeld({ frozen, value });
    return value;
  }
  return held.value;
}
