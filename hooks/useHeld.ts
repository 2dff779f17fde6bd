import { useState } from 'react';
import { useFreeze, type Freeze } from './useFreeze';

/** Holds what a small list shows while a user points at it or has the keyboard in it (`useFreeze`). */
export function useHeld<Value>(value: Value): { shown: Value; handlers: Freeze['handlers'] } {
  const { frozen, handlers } = useFreeze();
  const [held, setHeld] = useState<{ frozen: number; value: Value } | null>(null);
  if (frozen !== null && held?.frozen !== frozen) {
    setHeld({ frozen, value });
  }
  return { shown: frozen !== null && held?.frozen === frozen ? held.value : value, handlers };
}
