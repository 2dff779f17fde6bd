import type { TLSSocket } from 'node:tls';
import type { HandshakeRefusal } from '../../lib/interfaces/schema';
import type { EpochMs } from '../../lib/time/epochMs';

/** Connections of an address whose TLS handshake was refused, for one reason. */
interface RefusedHandshake {
  address: string;
  reason: HandshakeRefusal;
  count: number;
  lastAt: EpochMs;
}

const mostListed = 100;

export interface RefusedHandshakes {
  note(address: string, reason: HandshakeRefusal, now: EpochMs): void;
  /** Returns the last ones since this start, the newest first. */
  list(): RefusedHandshake[];
}

/** Creates the list of refused handshakes. Without it a gateway with a wrong certificate would be seen nowhere. */
export function createRefusedHandshakes(): RefusedHandshakes {
  const known = new Map<string, RefusedHandshake>();
  return {
    note: (address, reason, now) => {
      const key = `${address} ${reason}`;
      const count = (known.get(key)?.count ?? 0) + 1;
      known.delete(key);
      known.set(key, { address, reason, count, lastAt: now });
      const [oldest] = known.keys();
      if (known.size > mostListed && oldest !== undefined) {
        known.delete(oldest);
      }
    },
    list: () => [...known.values()].reverse(),
  };
}

/** What OpenSSL and Node say, and what it means; everything else is `other`. */
const meanings: readonly (readonly [RegExp, HandshakeRefusal])[] = [
  [/PEER_DID_NOT_RETURN_A_CERTIFICATE/, 'no_certificate'],
  [/ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_)/, 'not_trusted'],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST/, 'not_tls'],
  [/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|NO_SHARED_CIPHER|HANDSHAKE_FAILURE/, 'not_agreed'],
  [/HANDSHAKE_TIMEOUT|ECONNRESET/, 'unfinished'],
];

/** Returns why a handshake failed, from the error of Node and what it found in the certificate. */
export function handshakeRefusal(
  error: Error & { code?: string },
  { authorizationError }: Pick<TLSSocket, 'authorizationError'>,
): HandshakeRefusal {
  // Node types it as an error. It is a code, or null.
  const ofCertificate = String(authorizationError ?? '');
  if (ofCertificate !== '') {
    return ofCertificate.includes('CERT_HAS_EXPIRED') ? 'expired' : 'wrong_certificate';
  }
  return meanings.find(([said]) => said.test(error.code ?? ''))?.[1] ?? 'other';
}
