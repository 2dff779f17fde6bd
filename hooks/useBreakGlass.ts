import Router from 'next/router';
import { useCallback, useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import type { User } from '../lib/session/schema';
import { useCurrentUser } from './useCurrentUser';
import { useDropPatients } from './useDropPatients';
import { isPatientKey } from './usePatient';
import { isPatientsKey } from './usePatients';

export interface BreakGlass {
  /** When the access to every unit of the site ends, an instant; null without emergency access. */
  until: string | null;
  /** True if the page was rendered with more access than there is now: it must not be shown until it is read again. */
  isPageOver: boolean;
  /** Call it once `until` has passed. */
  end: () => void;
}

/**
 * Follows the emergency access of the signed-in user, also if another tab opened or ended it. The page was rendered for
 * `pageUser`: if they saw more or less then than now, it is read again.
 */
export function useBreakGlass(pageUser: Pick<User, 'breakGlassUntil'>): BreakGlass {
  const { user, refresh } = useCurrentUser();
  const { mutate } = useSWRConfig();
  const dropPatients = useDropPatients();
  const ofPage = pageUser.breakGlassUntil;
  const known = user?.breakGlassUntil ?? null;
  // By the page's clock, before the server has confirmed it.
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
    // If Next cannot fetch the page, the browser loads its address.
    Router.replace(Router.asPath, undefined, { scroll: false }).catch(() => undefined);
  }, [until, ofPage, mutate, dropPatients]);

  const end = useCallback(() => {
    setPassed(known);
    void refresh();
  }, [known, refresh]);
  return { until, isPageOver, end };
}
