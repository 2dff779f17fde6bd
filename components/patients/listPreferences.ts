import { useCallback, useMemo } from 'react';
import { readStoredText, storeText, useStoredText } from '../../hooks/useStoredText';
import { patientsViewPath, readPatientsView, standardView, type PatientsView } from './patientsUrl';

/** The columns that may be hidden. Name and MRN stay, because every row shows two identifiers. */
export const hideableColumns = ['dateOfBirth', 'location', 'spo2', 'heartRate', 'news2', 'profile'] as const;
export type HideableColumn = (typeof hideableColumns)[number];

/** How the list of patients looks. It holds no patient's data, so it may stay in the browser after signing out. */
export interface ListLook {
  hidden: readonly HideableColumn[];
  /** Never a page of the list, which holds others tomorrow. */
  view: PatientsView;
}

const keyOf = (userId: number): string => `wardlight-patients-list-${userId}`;

/**
 * The look that a user left and the function that changes some of it; until the browser has taken over, that of nobody.
 */
export function useListPreferences(userId: number): [ListLook, (change: Partial<ListLook>) => void] {
  const text = useStoredText(keyOf(userId));
  const preferences = useMemo(() => comeBackTo(text), [text]);
  const change = useCallback(
    (wanted: Partial<ListLook>) => {
      storeText(keyOf(userId), lookText(withoutDischarged({ ...readListPreferences(userId), ...wanted })));
    },
    [userId],
  );
  return [preferences, change];
}

/** Returns what this browser holds for a user; what is not well-formed is as if never chosen. */
export function readListPreferences(userId: number): ListLook {
  return comeBackTo(readStoredText(keyOf(userId)));
}

/** A look as one line of text. */
export function lookText({ hidden, view }: ListLook): string {
  const address = patientsViewPath({ ...view, page: standardView.page }).split('?')[1] ?? '';
  return `${hideableColumns.filter((column) => hidden.includes(column)).join(',')} ${address}`;
}

/** Reads such a line; each part that is not valid is the usual one. */
export function readLook(text: string): ListLook {
  const [hidden = '', address = ''] = text.split(' ');
  const view = readPatientsView(Object.fromEntries(new URLSearchParams(address)));
  return {
    hidden: hideableColumns.filter((column) => hidden.split(',').includes(column)),
    view: { ...view, page: standardView.page },
  };
}

function comeBackTo(text: string | null): ListLook {
  return withoutDischarged(readLook(text ?? ''));
}

/** Nobody comes back to the discharged without asking for them: that would hide the ward from the next shift. */
function withoutDischarged({ hidden, view }: ListLook): ListLook {
  return { hidden, view: { ...view, state: standardView.state } };
}
