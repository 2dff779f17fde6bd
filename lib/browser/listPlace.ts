/** Where a user left the list of patients for one or more of them. */
export interface ListPlace {
  userId: number;
  /** The address of the view, with its page. */
  address: string;
  /** What was searched for: it may be a name, so it is never stored, and gone with the shown user. */
  text: string;
  selectedIds: readonly number[];
  /** Pixels. */
  scrollY: number;
}

let left: ListPlace | null = null;

export function keepListPlace(place: ListPlace): void {
  left = place;
}

/** Returns where the user left the list in this tab since it was loaded, or null. */
export function readListPlace(userId: number): ListPlace | null {
  return left?.userId === userId ? left : null;
}

export function forgetListPlace(): void {
  left = null;
}
