import { routePattern } from './routePattern';

/** A breadcrumb in a recording. */
interface Frame {
  op: string;
  description: string;
  startTimestamp: number;
  endTimestamp: number;
}

const steps = new Set(['navigation.navigate', 'navigation.reload', 'navigation.back_forward', 'navigation.push']);

/**
 * Returns what may stay of a frame that is not the picture: that another page was opened, by its pattern. Null for
 * calls, resources and measurements, which name addresses and elements.
 */
export function scrubReplayFrame({ op, description, startTimestamp, endTimestamp }: Frame): Frame | null {
  return steps.has(op) ? { op, description: routePattern(description), startTimestamp, endTimestamp } : null;
}
