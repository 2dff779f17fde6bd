import Router from 'next/router';
import { useCallback, useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import type { User } from '../lib/session/schema';
import { useCurrentUser } from './useCurrentUser';
import { useDropPatients } from './useDropPatients';
import { isPatientKey } from './usePatient';
import { isPatientsKey } from './usePatients';

export interface BreakGlass {
  /** Until when every unit of the site is open to the user, an instant; null: not. */
  until: string | null;
  /** The page was read while more was open than is now: nothing of it may be shown until it has been read anew. */
  isPageOver: boolean;
  /** To be called once `until` has passed. */
  end: () => void;
}

/**
 * Follows the emergency access of the signed-in user, in whichever tab it was opened or ended. `pageUser` is the user
 * as the page came: whenever that one saw more or less than the user sees now, the page is read anew.
 */
export function useBreakGlass(pageUser: Pick<User, 'breakGlassUntil'>): BreakGlass {
  const { user, refresh } = useCurrentUser();
  const { mutate } = useSWRConfig();
  const dropPatients = useDropPatients();
  const ofPage = pageUser.breakGlassUntil;
  const known = user?.breakGlassUntil ?? null;
  // Passed by the page's clock, whatever the server still has to say.
  const [passed, setPassed] = useState<string | null>(null);
  const until = known === passed ? null : known;
  const isPageOver = ofPage !== null && ofPage !== until;

  useEffect(() => {
    if (until === ofPage) {
      return;
    }
    if (ofPage === null) {
      void mutate((key) => isPatientsKey(key) || isPatientKey(key));
    } else {
      dropPatients();
    }
    // Where Next cannot fetch the page it loads its address anew.
    Router.replace(Router.asPath, undefined, { scroll: false }).catch(() => undefined);
  }, [until, ofPage, mutate, dropPatients]);

  const end = useCallback(() => {
    setPassed(known);
    void refresh();
  }, [known, refresh]);
  return { until, isPageOver, end };
}
