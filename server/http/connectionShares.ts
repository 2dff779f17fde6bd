import { addressRange } from './addressRange';

/** How many connections an address may have, and the ranges of addresses that may have another number. */
export interface ConnectionShares {
  most: number;
  /** The first range that holds an address counts. Each is an address or a network such as 10.0.0.0/8. */
  ranges: readonly { range: string; most: number }[];
}

/** Returns the function that says how many connections an address may have: trusted proxies as many as there are. */
export function createShares(
  { most, ranges }: ConnectionShares,
  proxies: readonly string[],
): (address: string) => number {
  const rules = [...proxies.map((range) => ({ range, most: Infinity })), ...ranges].map((rule) => ({
    range: addressRange(rule.range),
    most: rule.most,
  }));
  return (address) => rules.find(({ range }) => range.has(address))?.most ?? most;
}
