/** What a tab says of alerts before the name of its page. */
export interface TabNews {
  /** HIGH and MEDIUM alerts that no one has accepted. */
  awaited: number;
  isNotLive: boolean;
  areAlertsStopped: boolean;
}

const prefix = /^\((?:\d+!|NOT LIVE|ALERTS NOT RUNNING)\) /;

/**
 * Returns the title of a tab: "(2!) Patients - Wardlight". What makes the number worthless comes instead of it. A title
 * that has a prefix already gets the new one instead.
 */
export function tabTitle(title: string, { awaited, isNotLive, areAlertsStopped }: TabNews): string {
  const page = title.replace(prefix, '');
  if (areAlertsStopped) {
    return `(ALERTS NOT RUNNING) ${page}`;
  }
  if (isNotLive) {
    return `(NOT LIVE) ${page}`;
  }
  return awaited === 0 ? page : `(${awaited}!) ${page}`;
}
