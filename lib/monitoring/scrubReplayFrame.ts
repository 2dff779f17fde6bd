import { routePattern } from './routePattern';

/** A step on the way through the pages, as a recording notes it. */
interface Frame {
  op: string;
  description: string;
  startTimestamp: number;
  endTimestamp: number;
}

const steps = new Set(['navigation.navigate', 'navigation.reload', 'navigation.back_forward', 'navigation.push']);

/**
 * Takes what a recording notes besides the picture and returns what may stay: that another page was opened, by its
 * pattern. Null for calls, resources and measurements, which name addresses and elements.
 */
export function scrubReplayFrame({ op, description, startTimestamp, endTimestamp }: Frame): Frame | null {
  return steps.has(op) ? { op, description: routePattern(description), startTimestamp, endTimestamp } : null;
}
