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

/** The key in the storage of the tab. */
const carriedKey = 'wardlight-list-place';

export function keepListPlace(place: ListPlace): void {
  left = place;
}

/** Returns where the user left the list in this tab since it was loaded, or null. */
export function readListPlace(userId: number): ListPlace | null {
  return left?.userId === userId ? left : null;
}

/**
 * Stores the place for the next page that the browser itself loads in this tab. What was searched for is left out; so
 * is the place, if the storage is closed.
 */
export function carryListPlace(): void {
  if (left !== null) {
    const { userId, scrollY, selectedIds, address } = left;
    const text = `${userId} ${Math.round(scrollY)} ${selectedIds.join()} ${address}`;
    withStorage((storage) => storage.setItem(carriedKey, text));
  }
}

/** Returns the place that was carried over a load of the browser, or null. */
export function readCarriedPlace(userId: number): ListPlace | null {
  const text = withStorage((storage) => storage.getItem(carriedKey)) ?? '';
  const parts = /^(\d+) (\d+) ((?:\d+(?:,\d+)*)?) (\/\S*)$/.exec(text);
  const [, owner = '', scrollY = '', ids = '', address = ''] = parts ?? [];
  return parts === null || Number(owner) !== userId
    ? null
    : {
        userId,
        address,
        text: '',
        selectedIds: ids === '' ? [] : ids.split(',').map(Number),
        scrollY: Number(scrollY),
      };
}

export function forgetListPlace(): void {
  left = null;
  withStorage((storage) => storage.removeItem(carriedKey));
}

/** Storage can be switched off or full; the browser then throws. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
