import { useRouter } from 'next/router';
import { useEffect, useRef, useState } from 'react';
import { forgetListPlace, readCarriedPlace, readListPlace, type ListPlace } from '../../lib/browser/listPlace';
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
  /** The address of the view that is asked for; null: none, so any place will do. */
  const asked = isBare ? null : patientsViewPath(here);
  const [returned, setReturned] = useState(() => placeAt(asked, readListPlace(userId)));
  // Shows the view at once, while its address is on its way.
  const [isThere, setIsThere] = useState(returned === null || !isBare);
  if (!isThere && !isBare) {
    setIsThere(true);
  }
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) {
      return;
    }
    isDone.current = true;
    // After hydration, because the server does not know it.
    const place = returned ?? placeAt(asked, readCarriedPlace(userId));
    forgetListPlace();
    setReturned(place);
    const address = place?.address ?? patientsViewPath(readListPreferences(userId).view);
    if (asked === null && address !== paths.patients) {
      void router.replace(address, undefined, { shallow: true, scroll: false });
    }
  }, [router, userId, asked, returned]);
  return { view: isThere || returned === null ? here : viewOf(returned.address), returned };
}

function placeAt(asked: string | null, left: ListPlace | null): ListPlace | null {
  return asked === null || left?.address === asked ? left : null;
}

function viewOf(address: string): PatientsView {
  return readPatientsView(Object.fromEntries(new URLSearchParams(address.split('?')[1] ?? '')));
}
