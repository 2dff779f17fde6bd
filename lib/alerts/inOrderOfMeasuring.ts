interface Measured {
  /** Epoch milliseconds. */
  at: number;
  /** Where it comes from, and which device of that sort. */
  source: number;
  deviceId: number;
}

/** Which of two values is judged first; 0 for the same one told twice. */
export function inOrderOfMeasuring(a: Measured, b: Measured): number {
  if (a.at !== b.at) {
    return a.at - b.at;
  }
  return a.source === b.source ? a.deviceId - b.deviceId : a.source - b.source;
}
