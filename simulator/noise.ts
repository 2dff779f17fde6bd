/**
 * Repeatable random numbers: each follows from a seed and a place. So the value of any second is known without those
 * before it, and history can be sent from its end.
 */

/** Returns a number from 0 up to 1, always the same for the same seed and whole number. */
export function chance(seed: number, place: number): number {
  // A place may be as large as milliseconds since 1970, so its upper half counts too.
  let mixed = (seed ^ Math.imul(place | 0, 0x9e3779b1) ^ Math.imul(Math.floor(place / 0x1_0000_0000), 0x7feb352d)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** Returns a seed for one of several uses, so that two noises of one patient do not move together. */
export function branch(seed: number, use: number): number {
  return Math.floor(chance(seed, use) * 0x1_0000_0000);
}

/** Returns noise that moves smoothly between -1 and 1, with a new direction every `everyMs`; on average 0. */
export function drift(seed: number, t: number, everyMs: number): number {
  const place = Math.floor(t / everyMs);
  const share = t / everyMs - place;
  const weight = (1 - Math.cos(Math.PI * share)) / 2;
  const from = chance(seed, place) * 2 - 1;
  const to = chance(seed, place + 1) * 2 - 1;
  return from + (to - from) * weight;
}
