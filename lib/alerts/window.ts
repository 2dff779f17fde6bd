import type { EpochMs } from '../time/epochMs';

/** Entries, the newest first. A list, because adding to it costs the same however long it is. */
interface Link<E> {
  entry: E;
  before: Link<E> | null;
}

/** The entries of a time slot, at least one, with the fold before it; then the earlier slots. */
interface Slot<E, F> {
  slot: number;
  start: F;
  newest: Link<E>;
  before: Slot<E, F> | null;
}

/** The entries that may still arrive out of order, in the order of measuring, and their fold. Immutable. */
export interface Window<E, F> {
  newest: Slot<E, F> | null;
  head: F;
  /** Entries before this are too late, epoch milliseconds. */
  until: number;
}

/** How entries are ordered and folded. */
export interface Order<E, F> {
  step(fold: F, entry: E): F;
  /** Compares two entries by the order of folding; 0 for the same one sent twice. */
  compare(a: E, b: E): number;
  isRepeat(a: E, b: E): boolean;
  retrospectiveAfterMs: number;
  slotMs: number;
}

/** Returns an empty window. */
export function createWindow<E, F>(fold: F): Window<E, F> {
  return { newest: null, head: fold, until: 0 };
}

/**
 * Returns from when on entries still count at `now`, in whole slots, so that it depends on the newest call alone. Epoch
 * milliseconds.
 */
export function countsFrom(
  { retrospectiveAfterMs, slotMs }: Pick<Order<unknown, unknown>, 'retrospectiveAfterMs' | 'slotMs'>,
  now: EpochMs,
): number {
  return Math.floor((now - retrospectiveAfterMs) / slotMs) * slotMs;
}

/** Returns the entries of a kind that may still be folded again, the newest first, at most `most`. */
export function newestEntries<E, F>(
  { newest }: Window<E, F>,
  most: number,
  isOfKind: (entry: E) => boolean = () => true,
): E[] {
  const found: E[] = [];
  for (let slot = newest; slot !== null; slot = slot.before) {
    for (let link: Link<E> | null = slot.newest; link !== null; link = link.before) {
      if (found.length === most) {
        return found;
      }
      if (isOfKind(link.entry)) {
        found.push(link.entry);
      }
    }
  }
  return found;
}

/** Calls `visit` with every entry from `from` on, epoch milliseconds, the newest first. */
export function visitSince<E extends { at: EpochMs }, F>(
  { newest }: Window<E, F>,
  from: EpochMs,
  visit: (entry: E) => void,
): void {
  for (let slot = newest; slot !== null; slot = slot.before) {
    for (let link: Link<E> | null = slot.newest; link !== null; link = link.before) {
      if (link.entry.at < from) {
        return;
      }
      visit(link.entry);
    }
  }
}

/** Returns the fold that no later entry can change. */
export function settled<E, F>({ newest, head }: Window<E, F>): F {
  let start = head;
  for (let slot = newest; slot !== null; slot = slot.before) {
    start = slot.start;
  }
  return start;
}

/**
 * Takes a window and an entry that arrived at `now`, and returns the window as if all its entries had arrived in the
 * order of measuring. A repeat, or an entry that is too late, changes nothing: the same object. An entry with the same
 * key and other content replaces the earlier one. Epoch milliseconds; `now` never goes back.
 */
export function takeEntry<E extends { at: EpochMs }, F>(
  window: Window<E, F>,
  entry: E,
  now: EpochMs,
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
  return putBetween(open, [entry], slot, order) ?? window;
}

/**
 * Takes entries that arrived together at `now`, in any order, and returns what `takeEntry` returns after the last of
 * them. The later entries are folded again once for all of them, so that a call with many late values takes no longer
 * than one with a few. Epoch milliseconds.
 */
export function takeEntries<E extends { at: EpochMs }, F>(
  window: Window<E, F>,
  entries: readonly E[],
  now: EpochMs,
  order: Order<E, F>,
): Window<E, F> {
  const open = settle(window, countsFrom(order, now), order);
  const from = Math.max(now - order.retrospectiveAfterMs, open.until);
  const inTime = entries.filter(({ at }) => at >= from);
  const earliest = inTime.reduce((least, { at }) => Math.min(least, at), Infinity);
  return inTime.length === 0
    ? window
    : (putBetween(open, inTime, Math.floor(earliest / order.slotMs), order) ?? window);
}

/**
 * Takes an entry in the place of the one with the same key, however long ago that arrived, and returns the window as if
 * it had arrived instead. Nothing settles by it. `entry.at` is not before `until`.
 */
export function replaceEntry<E extends { at: EpochMs }, F>(
  window: Window<E, F>,
  entry: E,
  order: Order<E, F>,
): Window<E, F> {
  return putBetween(window, [entry], Math.floor(entry.at / order.slotMs), order) ?? window;
}

/** Takes the fold at `until` and the later entries in any order, each key once, and returns their window. */
export function windowOf<E extends { at: EpochMs }, F>(
  before: F,
  entries: readonly E[],
  until: number,
  order: Order<E, F>,
): Window<E, F> {
  return evaluateAll({ newest: null, head: before, until }, [...entries].sort(order.compare), order);
}

/** Drops the entries before `until`: nothing can be inserted among them any more. */
function settle<E, F>(window: Window<E, F>, until: number, { slotMs }: Pick<Order<E, F>, 'slotMs'>): Window<E, F> {
  return until <= window.until ? window : { newest: since(window.newest, until / slotMs), head: window.head, until };
}

function since<E, F>(newest: Slot<E, F> | null, slot: number): Slot<E, F> | null {
  return newest === null || newest.slot < slot ? null : { ...newest, before: since(newest.before, slot) };
}

/** Goes back to before the slot of the earliest entry and folds the later ones again; null if all are repeats. */
function putBetween<E extends { at: EpochMs }, F>(
  window: Window<E, F>,
  entries: readonly E[],
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
  again.reverse();
  const all = eachOnce([...again, ...entries].sort(order.compare), order);
  const isChanged = all.length !== again.length || all.some((entry, index) => entry !== again[index]);
  return isChanged ? evaluateAll({ newest, head, until: window.until }, all, order) : null;
}

/** Keeps one of the entries with the same key, which are in the order of their arrival: the last that said new. */
function eachOnce<E, F>(sorted: readonly E[], { compare, isRepeat }: Order<E, F>): E[] {
  const kept: E[] = [];
  for (const entry of sorted) {
    const last = kept.at(-1);
    if (last === undefined || compare(last, entry) !== 0) {
      kept.push(entry);
    } else if (!isRepeat(last, entry)) {
      kept[kept.length - 1] = entry;
    }
  }
  return kept;
}

/** Takes entries in order, all of them in later slots than the window has. */
function evaluateAll<E extends { at: EpochMs }, F>(
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
