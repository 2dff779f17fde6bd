import { useFrozenValue } from '../../hooks/useFrozenValue';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';

/**
 * Returns since when the words of an alert are no longer renewed (epoch milliseconds), because no response has it any
 * more (`isOver`) or because the server does not respond; null: they are of now.
 */
export function useWordsAsOf(isOver: boolean, initialNow: number): number | null {
  const lost = useServerLost();
  const heldAt = useFrozenValue(useNow(initialNow), isOver ? 0 : null);
  return isOver ? heldAt : lost;
}
