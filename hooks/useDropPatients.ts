import { useCallback } from 'react';
import { useSWRConfig } from 'swr';

/** Returns a function that drops everything the page holds of patients, without asking for it again. */
export function useDropPatients(): () => void {
  const { unload } = useSWRConfig();
  return useCallback(() => {
    unload({ revalidate: false });
    // What the server rendered holds patients as well, and is read only once.
    document.getElementById('__NEXT_DATA__')?.remove();
  }, [unload]);
}
