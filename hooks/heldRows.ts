/** The rows of a list that must not move, in their order. */
export interface HeldRows {
  /** Returns the ids of the rows that are held of a query (`patientsKey`), or null. */
  idsOf(query: string): readonly number[] | null;
  isHeld(): boolean;
  hold(query: string, ids: readonly number[]): void;
  release(): void;
}

/** Returns rows that a screen holds and `usePatients` reads at each poll; none is held yet. */
export function createHeldRows(): HeldRows {
  let held: { query: string; ids: readonly number[] } | null = null;
  return {
    idsOf: (query) => (held !== null && held.query === query ? held.ids : null),
    isHeld: () => held !== null,
    hold: (query, ids) => {
      held = { query, ids };
    },
    release: () => {
      held = null;
    },
  };
}
