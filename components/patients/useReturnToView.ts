import { useRouter } from 'next/router';
import { useEffect, useRef } from 'react';
import { paths } from '../../lib/paths';
import { readListPreferences } from './listPreferences';
import { patientsViewPath } from './patientsUrl';

/**
 * Whoever opens the list by its bare address gets the view that they left; an address that says more is taken at its
 * word.
 */
export function useReturnToView(userId: number): void {
  const router = useRouter();
  const isDone = useRef(false);
  useEffect(() => {
    const address = patientsViewPath(readListPreferences(userId).view);
    if (!isDone.current && Object.keys(router.query).length === 0 && address !== paths.patients) {
      void router.replace(address, undefined, { shallow: true, scroll: false });
    }
    isDone.current = true;
  }, [router, userId]);
}
