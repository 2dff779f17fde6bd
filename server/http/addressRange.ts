import { BlockList, isIP, isIPv4 } from 'node:net';
import { remember } from '../../lib/remember';

/**
 * Returns whether a text is an IP address or a CIDR network. Host names are refused: DNS could be used to forge them.
 */
export function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  return (
    version !== 0 &&
    !address.includes('%') &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}

/**
 * Returns an address as it is usually written: a socket of both versions writes one of version 4 as ::ffff:10.1.2.3,
 * and adds its network card to one of this link: fe80::1%eth0.
 */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** Returns the address of a text of `isRange` without the size of its network. */
export function baseOf(text: string): string {
  return text.split('/')[0] ?? '';
}

/** A range of addresses, and how many bits of an address it fixes, of 128. */
export interface AddressRange {
  has: (address: string) => boolean;
  bits: number;
}

/** Returns the range that a text of `isRange` means. One of version 6, such as ::/32, holds none of version 4. */
export function addressRange(text: string): AddressRange {
  const [address = '', bits] = text.split('/');
  const [family, all] = isIPv4(address) ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const fixed = bits === undefined ? all : Number(bits);
  const list = new BlockList();
  list.addSubnet(address, fixed, family);
  return {
    // Each message of a gateway asks for the same address, and to check one takes the platform 10 us.
    has: remember((other: string) => {
      const plain = plainAddress(other);
      return isIP(plain) === isIP(address) && list.check(plain, family);
    }, 100),
    bits: fixed + 128 - all,
  };
}
