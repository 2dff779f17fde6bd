import { useCallback, useSyncExternalStore } from 'react';
import { patientsViewPath, readPatientsView, standardView, type PatientsView } from './patientsUrl';

/** The columns that may be hidden. Name and MRN stay, because every row shows two identifiers. */
export const hideableColumns = ['dateOfBirth', 'location', 'spo2', 'heartRate', 'profile'] as const;
export type HideableColumn = (typeof hideableColumns)[number];

/** How a user likes the list of patients. It holds no patient's data, so it stays in the browser after signing out. */
export interface ListPreferences {
  hidden: readonly HideableColumn[];
  /** The view to come back to. Never a page, and never the discharged: that would hide the ward from the next shift. */
  view: PatientsView;
}

const nothingChosen: ListPreferences = { hidden: [], view: standardView };
const keyOf = (userId: number): string => `wardlight-patients-list-${userId}`;
const listeners = new Set<() => void>();
let last: { text: string | null; preferences: ListPreferences } = { text: null, preferences: nothingChosen };

/** The preferences of a user and the function that changes some of them; until the browser has taken over, those of nobody. */
export function useListPreferences(userId: number): [ListPreferences, (change: Partial<ListPreferences>) => void] {
  const preferences = useSyncExternalStore(
    subscribe,
    () => readListPreferences(userId),
    () => nothingChosen,
  );
  const change = useCallback(
    (wanted: Partial<ListPreferences>) => {
      write(userId, { ...readListPreferences(userId), ...wanted });
    },
    [userId],
  );
  return [preferences, change];
}

/** Returns what this browser holds for a user; what is not well-formed is as if never chosen. */
export function readListPreferences(userId: number): ListPreferences {
  const text = stored(userId);
  if (text !== last.text) {
    last = { text, preferences: parse(text) };
  }
  return last.preferences;
}

function parse(text: string | null): ListPreferences {
  const [hidden = '', address = ''] = (text ?? '').split(' ');
  const view = readPatientsView(Object.fromEntries(new URLSearchParams(address)));
  return {
    hidden: hideableColumns.filter((column) => hidden.split(',').includes(column)),
    view: { ...view, state: standardView.state, page: standardView.page },
  };
}

function write(userId: number, { hidden, view }: ListPreferences): void {
  const address = patientsViewPath({ ...view, state: standardView.state, page: standardView.page }).split('?')[1] ?? '';
  try {
    localStorage.setItem(keyOf(userId), `${hidden.join(',')} ${address}`);
  } catch {
    // Storage is full or forbidden: nothing is remembered, and the list stays as it is for everybody.
  }
  for (const listener of listeners) {
    listener();
  }
}

function stored(userId: number): string | null {
  try {
    return localStorage.getItem(keyOf(userId));
  } catch {
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
