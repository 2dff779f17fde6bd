import { useEffect } from 'react';
import { whenLoaded } from '../../lib/browser/whenLoaded';
import { laterStyles } from '../ui/laterStyles';

/**
 * Fetches the rules of what opens later once the page has loaded, so that they do not hold up the first paint. They go
 * before all other sheets: our own rules win over antd's, in whichever order the files arrive.
 */
export function useLaterStyles(): void {
  useEffect(
    () =>
      whenLoaded(() => {
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.href = laterStyles;
        document.head.prepend(link);
      }),
    [],
  );
}
