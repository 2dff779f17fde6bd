import { useCallback, useMemo } from 'react';
import { readStoredText, storeText, useStoredText } from '../../hooks/useStoredText';
import { patientsViewPath, readPatientsView, standardView, type PatientsView } from './patientsUrl';

/** The columns that may be hidden. Name and MRN stay, because every row shows two identifiers. */
export const hideableColumns = ['dateOfBirth', 'location', 'spo2', 'heartRate', 'news2', 'profile'] as const;
export type HideableColumn = (typeof hideableColumns)[number];

/** What the list of patients shows. It has no patient's data, so it may stay in the browser after sign-out. */
export interface ListLook {
  hidden: readonly HideableColumn[];
  /** Always the first page: another one has other patients tomorrow. */
  view: PatientsView;
}

const keyOf = (userId: number): string => `wardlight-patients-list-${userId}`;

/** Returns the look that a user left (the usual one until hydration) and the function that changes it. */
export function useListPreferences(userId: number): [ListLook, (change: Partial<ListLook>) => void] {
  const text = useStoredText(keyOf(userId));
  const preferences = useMemo(() => returnTo(text), [text]);
  const change = useCallback(
    (wanted: Partial<ListLook>) => {
      storeText(keyOf(userId), lookText(withoutDischarged({ ...readListPreferences(userId), ...wanted })));
    },
    [userId],
  );
  return [preferences, change];
}

/** Returns what this browser has stored for a user. Parts that are not valid are the usual ones. */
export function readListPreferences(userId: number): ListLook {
  return returnTo(readStoredText(keyOf(userId)));
}

/** Returns a look as one line of text. */
export function lookText({ hidden, view }: ListLook): string {
  const address = patientsViewPath({ ...view, page: standardView.page }).split('?')[1] ?? '';
  return `${hideableColumns.filter((column) => hidden.includes(column)).join(',')} ${address}`;
}

/** Parses the text of `lookText`. Each part that is not valid is the usual one. */
export function readLook(text: string): ListLook {
  const [hidden = '', address = ''] = text.split(' ');
  const view = readPatientsView(Object.fromEntries(new URLSearchParams(address)));
  return {
    hidden: hideableColumns.filter((column) => hidden.split(',').includes(column)),
    view: { ...view, page: standardView.page },
  };
}

function returnTo(text: string | null): ListLook {
  return withoutDischarged(readLook(text ?? ''));
}

/** No one returns to the discharged patients by accident: that would hide the ward from the next shift. */
function withoutDischarged({ hidden, view }: ListLook): ListLook {
  return { hidden, view: { ...view, state: standardView.state } };
}
