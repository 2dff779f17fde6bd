import { useCallback, useMemo } from 'react';
import { readStoredText, storeText, useStoredText } from '../../hooks/useStoredText';
import { lookText, readLook, type ListLook } from './listPreferences';

/** A look of the list under the user's name for it. Without the searched text, which may name a patient. */
export interface SavedView extends ListLook {
  name: string;
}

export const mostSavedViews = 12;
export const longestViewName = 40;

const keyOf = (userId: number): string => `wardlight-patients-views-${userId}`;
const none: readonly SavedView[] = [];

/**
 * Returns the views that a user has saved in this browser, in the order of saving, none until the browser has hydrated,
 * and the function that changes them. It returns false if the browser cannot store them.
 */
export function useSavedViews(
  userId: number,
): [readonly SavedView[], (change: (views: readonly SavedView[]) => readonly SavedView[]) => boolean] {
  const text = useStoredText(keyOf(userId));
  const views = useMemo(() => readViews(text), [text]);
  const change = useCallback(
    // From what is stored now: another tab may have saved one too.
    (wanted: (saved: readonly SavedView[]) => readonly SavedView[]) =>
      storeText(keyOf(userId), viewsText(wanted(readViews(readStoredText(keyOf(userId)))))),
    [userId],
  );
  return [views, change];
}

/** Returns why a view cannot have this name, to follow "Name"; null if it can. `taken`: the names of other views. */
export function nameProblem(name: string, taken: readonly string[]): string | null {
  const wanted = name.trim();
  if (wanted === '') {
    return 'is missing';
  }
  const isSame = (other: string): boolean => other.toLowerCase() === wanted.toLowerCase();
  return taken.some(isSame) ? 'is already the name of another view' : null;
}

/** Returns whether two looks show the same list in the same way. */
export function isSameLook(one: ListLook, other: ListLook): boolean {
  return lookText(one) === lookText(other);
}

/** Returns names and looks as the pairs of a query string: it can hold any name, and any text can be parsed as one. */
function viewsText(views: readonly SavedView[]): string {
  return new URLSearchParams(views.map((view) => [view.name, lookText(view)])).toString();
}

function readViews(text: string | null): readonly SavedView[] {
  if (text === null) {
    return none;
  }
  const views: SavedView[] = [];
  for (const [name, look] of new URLSearchParams(text)) {
    const isSound =
      name === name.trim() &&
      name.length <= longestViewName &&
      nameProblem(
        name,
        views.map((view) => view.name),
      ) === null;
    if (isSound && views.length < mostSavedViews) {
      views.push({ name, ...readLook(look) });
    }
  }
  return views;
}
