import { useFreeze, type Freeze } from './useFreeze';
import { useFrozenValue } from './useFrozenValue';

/** Holds what a small list shows while a user points at it or has the keyboard in it (`useFreeze`). */
export function useHeld<Value>(value: Value): { shown: Value; handlers: Freeze['handlers'] } {
  const { frozen, handlers } = useFreeze();
  return { shown: useFrozenValue(value, frozen), handlers };
}
