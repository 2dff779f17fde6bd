import { useCallback, useMemo } from 'react';
import { readStoredText, storeText, useStoredText } from '../../hooks/useStoredText';
import { lookText, readLook, type ListLook } from './listPreferences';

/** A look of the list under a name of the user's own. The search is no part of it: a text may name a patient. */
export interface SavedView extends ListLook {
  name: string;
}

export const mostSavedViews = 12;
export const longestViewName = 40;

const keyOf = (userId: number): string => `wardlight-patients-views-${userId}`;
const none: readonly SavedView[] = [];

/**
 * The views that a user has saved in this browser, in the order in which they were saved, and the function that changes
 * them, which returns false where nothing can be remembered; until the browser has taken over, nobody's.
 */
export function useSavedViews(
  userId: number,
): [readonly SavedView[], (change: (views: readonly SavedView[]) => readonly SavedView[]) => boolean] {
  const text = useStoredText(keyOf(userId));
  const views = useMemo(() => readViews(text), [text]);
  const change = useCallback(
    // From what stands there now: another tab may have saved one too.
    (wanted: (held: readonly SavedView[]) => readonly SavedView[]) =>
      storeText(keyOf(userId), viewsText(wanted(readViews(readStoredText(keyOf(userId)))))),
    [userId],
  );
  return [views, change];
}

/**
 * Why a view cannot have this name, to be read after "Name"; null where it can. `taken` are the names that others have.
 */
export function nameProblem(name: string, taken: readonly string[]): string | null {
  const wanted = name.trim();
  if (wanted === '') {
    return 'is missing';
  }
  const isSame = (other: string): boolean => other.toLowerCase() === wanted.toLowerCase();
  return taken.some(isSame) ? 'is already the name of another view' : null;
}

/** Whether two looks show the same list in the same way. */
export function isSameLook(one: ListLook, other: ListLook): boolean {
  return lookText(one) === lookText(other);
}

/** Names and looks as the pairs of an address: any name can stand in them, and any text can be read as some. */
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
