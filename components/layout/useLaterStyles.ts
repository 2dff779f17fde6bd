import { useEffect } from 'react';
import { whenLoaded } from '../../lib/browser/whenLoaded';
import { laterStyles } from '../ui/laterStyles';

/**
 * Fetches the styles of drawers and menus once the page has loaded, so that they do not delay the first paint. They are
 * put before all other sheets, so that our own rules win over antd's whatever the order of arrival.
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
