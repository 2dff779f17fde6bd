import type { OpenedOn } from './linkSchema';

/** Returns the kind of device that a browser says it runs on. A new iPad says that it is a computer. */
export function deviceKindOf(userAgent: string | undefined): OpenedOn | null {
  if (userAgent === undefined || userAgent === '') {
    return null;
  }
  if (/iPad|Tablet|Android(?!.*Mobile)/.test(userAgent)) {
    return 'tablet';
  }
  return /Mobi|iPhone|iPod/.test(userAgent) ? 'phone' : 'computer';
}
