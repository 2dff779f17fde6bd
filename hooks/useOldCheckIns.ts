import { useEffect } from 'react';
import { takeKept } from '../lib/browser/keptCheckIns';

/**
 * Deletes the answers of check-ins that are kept on this phone for more than a day, whatever their link, also if none
 * is open. Their own link then says so. Those with a red flag wait for it.
 */
export function useOldCheckIns(): void {
  useEffect(() => {
    // A browser that keeps nothing has nothing to delete.
    takeKept('', Date.now()).catch(() => undefined);
  }, []);
}
