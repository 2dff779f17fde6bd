import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { forgetListPlace } from '../lib/browser/listPlace';

/** Returns a function that drops everything the page holds of patients, without polling it again. */
export function useDropPatients(): () => void {
  const { unload } = useSWRConfig();
  return useCallback(() => {
    unload({ revalidate: false });
    forgetListPlace();
    // The data of the rendered page contain patients as well, and are read only once.
    document.getElementById('__NEXT_DATA__')?.remove();
  }, [unload]);
}
