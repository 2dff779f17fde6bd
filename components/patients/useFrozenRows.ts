import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { HeldRows } from '../../hooks/heldRows';

interface Rows {
  /** The query (`patientsKey`), and its rows in their order; null while they are not known. */
  query: string;
  ids: readonly number[] | null;
  refresh: () => Promise<void>;
}

/**
 * Holds the rows of the list while the screen holds still: `held` makes each poll read these rows alone, in their
 * places. `frozen` is that of `useFreeze`. Once a freeze ends the list is read again; a renewed one then holds the rows
 * as they are.
 */
export function useFrozenRows({ query, ids, refresh }: Rows, held: HeldRows, frozen: number | null): void {
  const last = useRef(frozen);
  const renewing = useRef<number | null>(null);
  const [renewed, setRenewed] = useState<number | null>(null);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = frozen;
    if (before !== null && before !== frozen) {
      held.release();
      renewing.current = frozen;
      void refresh().then(() => {
        if (renewing.current === frozen) {
          renewing.current = null;
          setRenewed(frozen);
        }
      });
    }
    if (frozen !== null && renewing.current === null && ids !== null && ids.length > 0) {
      held.hold(query, ids);
    }
  }, [frozen, query, ids, refresh, held, renewed]);
  useEffect(() => () => held.release(), [held]);
}
