import { useSyncExternalStore } from 'react';

interface TimeZones {
  zones: readonly { value: string; label: string }[];
  /** The browser's own zone, likely the site's. */
  ownZone: string;
}

const onServer: TimeZones = { zones: [{ value: 'UTC', label: 'UTC' }], ownZone: 'UTC' };
let inBrowser: TimeZones | undefined;

function readZones(): TimeZones {
  if (inBrowser === undefined) {
    const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const names = [...new Set(['UTC', ownZone, ...Intl.supportedValuesOf('timeZone')])].sort();
    inBrowser = { zones: names.map((value) => ({ value, label: value.replaceAll('_', ' ') })), ownZone };
  }
  return inBrowser;
}

/** Returns the zones that this browser knows; only UTC until hydration is over, as in the server's HTML. */
export function useTimeZones(): TimeZones {
  return useSyncExternalStore(neverChanges, readZones, () => onServer);
}

function neverChanges(): () => void {
  return () => {};
}
