import { useRouter } from 'next/router';
import { useEffect, useRef } from 'react';
import { paths } from '../../lib/paths';
import { readListPreferences } from './listPreferences';
import { patientsViewPath } from './patientsUrl';

/** Opens the view that the user left if the address names none. */
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
