import { useEffect } from 'react';
import { whenIdle } from '../../lib/browser/whenIdle';
import { whenLoaded } from '../../lib/browser/whenLoaded';
import { prefetchLaterStyles } from '../ui/loadLaterStyles';

/**
 * Fetches the styles of drawers and menus once the page has loaded and is idle. They apply when the first of them opens
 * (components/ui/antdOnDemand.tsx): a browser computes all styles of the page again when it adds a sheet.
 */
export function useLaterStyles(): void {
  useEffect(() => whenLoaded(() => whenIdle(prefetchLaterStyles)), []);
}
