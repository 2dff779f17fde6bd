/** Entries, the newest first. A list, because adding to it costs the same however long it is. */
interface Link<E> {
  entry: E;
  before: Link<E> | null;
}

/**
 * The entries of a stretch of time, at least one, and what held at its start; then the stretch before it that has any.
 */
interface Slot<E, F> {
  slot: number;
  start: F;
  newest: Link<E>;
  before: Slot<E, F> | null;
}

/** What may still come out of order: the last entries in the order of measuring, and what they come to. Immutable. */
export interface Window<E, F> {
  newest: Slot<E, F> | null;
  head: F;
  /** Epoch milliseconds: what was measured before comes too late. */
  until: number;
}

/** How entries are put in order and judged. */
export interface Order<E, F> {
  step(fold: F, entry: E): F;
  /** Which of two entries is judged first; 0 for the same one told twice. */
  compare(a: E, b: E): number;
  isRepeat(a: E, b: E): boolean;
  retrospectiveAfterMs: number;
  slotMs: number;
}

/** A window in which nothing happened yet. */
export function createWindow<E, F>(fold: F): Window<E, F> {
  return { newest: null, head: fold, until: 0 };
}

/**
 * From when on entries still count at `now`: whole slots, so that it depends on nothing but the newest call. Epoch
 * milliseconds.
 */
export function countsFrom(
  { retrospectiveAfterMs, slotMs }: Pick<Order<unknown, unknown>, 'retrospectiveAfterMs' | 'slotMs'>,
  now: number,
): number {
  return Math.floor((now - retrospectiveAfterMs) / slotMs) * slotMs;
}

/** The entries that may still be judged again, the newest first, at most so many. */
export function newestEntries<E, F>({ newest }: Window<E, F>, most: number): E[] {
  const found: E[] = [];
  for (let slot = newest; slot !== null; slot = slot.before) {
    for (let link: Link<E> | null = slot.newest; link !== null; link = link.before) {
      if (found.length === most) {
        return found;
      }
      found.push(link.entry);
    }
  }
  return found;
}

/** What no entry that is still to come can change. */
export function settled<E, F>({ newest, head }: Window<E, F>): F {
  let start = head;
  for (let slot = newest; slot !== null; slot = slot.before) {
    start = slot.start;
  }
  return start;
}

/**
 * Takes a window and an entry that came at `now`, and returns the window with it: as if all its entries had come in the
 * order of measuring. An entry that is a repeat, or comes too late, changes nothing: the same object. One of the same
 * key with something else in it takes the earlier one's place. Epoch milliseconds; `now` never goes back.
 */
export function takeEntry<E extends { at: number }, F>(
  window: Window<E, F>,
  entry: E,
  now: number,
  order: Order<E, F>,
): Window<E, F> {
  const open = settle(window, countsFrom(order, now), order);
  const { newest, head, until } = open;
  if (entry.at < now - order.retrospectiveAfterMs || entry.at < until) {
    return window;
  }
  const slot = Math.floor(entry.at / order.slotMs);
  if (newest === null || slot > newest.slot) {
    return {
      newest: { slot, start: head, newest: { entry, before: null }, before: newest },
      head: order.step(head, entry),
      until,
    };
  }
  if (order.compare(newest.newest.entry, entry) < 0) {
    const longer = {
      slot: newest.slot,
      start: newest.start,
      newest: { entry, before: newest.newest },
      before: newest.before,
    };
    return { newest: longer, head: order.step(head, entry), until };
  }
  return putBetween(open, entry, slot, order) ?? window;
}

/**
 * Takes what held at `until` and the entries since, in any order, each key once, and returns the window that they had
 * made.
 */
export function windowOf<E extends { at: number }, F>(
  before: F,
  entries: readonly E[],
  until: number,
  order: Order<E, F>,
): Window<E, F> {
  return evaluateAll({ newest: null, head: before, until }, [...entries].sort(order.compare), order);
}

/** Forgets the order of what came before `until`: nothing can come between any more. */
function settle<E, F>(window: Window<E, F>, until: number, { slotMs }: Pick<Order<E, F>, 'slotMs'>): Window<E, F> {
  return until <= window.until ? window : { newest: since(window.newest, until / slotMs), head: window.head, until };
}

function since<E, F>(newest: Slot<E, F> | null, slot: number): Slot<E, F> | null {
  return newest === null || newest.slot < slot ? null : { ...newest, before: since(newest.before, slot) };
}

/** Goes back to before the entry and judges again what is measured after it; null for a repeat. */
function putBetween<E extends { at: number }, F>(
  window: Window<E, F>,
  entry: E,
  slot: number,
  order: Order<E, F>,
): Window<E, F> | null {
  const again: E[] = [];
  let { newest, head } = window;
  while (newest !== null && newest.slot >= slot) {
    for (let link: Link<E> | null = newest.newest; link !== null; link = link.before) {
      again.push(link.entry);
    }
    head = newest.start;
    newest = newest.before;
  }
  const same = again.find((one) => order.compare(one, entry) === 0);
  if (same !== undefined && order.isRepeat(same, entry)) {
    return null;
  }
  const entries = [...again.filter((one) => one !== same), entry].sort(order.compare);
  return evaluateAll({ newest, head, until: window.until }, entries, order);
}

/** Takes entries in order, all of later slots than the window has. */
function evaluateAll<E extends { at: number }, F>(
  window: Window<E, F>,
  entries: readonly E[],
  order: Order<E, F>,
): Window<E, F> {
  let { newest, head } = window;
  for (const entry of entries) {
    const slot = Math.floor(entry.at / order.slotMs);
    newest =
      newest !== null && newest.slot === slot
        ? { ...newest, newest: { entry, before: newest.newest } }
        : { slot, start: head, newest: { entry, before: null }, before: newest };
    head = order.step(head, entry);
  }
  return { newest, head, until: window.until };
}
