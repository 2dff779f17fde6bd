import { BlockList, isIPv4 } from 'node:net';

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
    holds: rangeOf(rule.range),
    most: rule.most,
  }));
  return (address) => {
    // A socket that takes both versions writes those of version 4 like this.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
    return rules.find(({ holds }) => holds.check(plain, family))?.most ?? most;
  };
}

function rangeOf(range: string): BlockList {
  const [address = '', bits] = range.split('/');
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  return list;
}
