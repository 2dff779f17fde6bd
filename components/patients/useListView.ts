import { useRouter } from 'next/router';
import { useEffect, useRef, useState } from 'react';
import { forgetListPlace, readListPlace, type ListPlace } from '../../lib/browser/listPlace';
import { paths } from '../../lib/paths';
import { readListPreferences } from './listPreferences';
import { patientsViewPath, readPatientsView, type PatientsView } from './patientsUrl';

interface ListView {
  view: PatientsView;
  /** Where the user left the list for a patient and comes back to; null: they come from elsewhere. */
  returned: ListPlace | null;
}

/**
 * Returns the view that the address names. If it names none, the list opens as the user left it: for a patient's
 * details with its page, its selection and its place on the screen, otherwise on its first page.
 */
export function useListView(userId: number): ListView {
  const router = useRouter();
  const isBare = Object.keys(router.query).length === 0;
  const here = readPatientsView(router.query);
  const [returned] = useState(() => {
    const left = readListPlace(userId);
    return left !== null && (isBare || left.address === patientsViewPath(here)) ? left : null;
  });
  // Shows the view at once, while its address is on its way.
  const [isThere, setIsThere] = useState(returned === null || !isBare);
  if (!isThere && !isBare) {
    setIsThere(true);
  }
  const isDone = useRef(false);
  useEffect(() => {
    const address = returned?.address ?? patientsViewPath(readListPreferences(userId).view);
    if (!isDone.current && isBare && address !== paths.patients) {
      void router.replace(address, undefined, { shallow: true, scroll: false });
    }
    isDone.current = true;
    forgetListPlace();
  }, [router, userId, isBare, returned]);
  return { view: isThere || returned === null ? here : viewOf(returned.address), returned };
}

function viewOf(address: string): PatientsView {
  return readPatientsView(Object.fromEntries(new URLSearchParams(address.split('?')[1] ?? '')));
}
