import { useEffect } from 'react';
import { whenLoaded } from '../../lib/browser/whenLoaded';
import { loadLaterStyles } from '../ui/loadLaterStyles';

/** Fetches the styles of drawers and menus once the page has loaded, so that they do not delay the first paint. */
export function useLaterStyles(): void {
  useEffect(() => whenLoaded(loadLaterStyles), []);
}
