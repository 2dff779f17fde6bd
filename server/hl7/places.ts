import type { Socket } from 'node:net';
import { networkOf } from '../session/throttle';

/** How many connections gateways may have. */
export interface PlaceLimits {
  connections: number;
  /** IPv6 counts with its /64. */
  connectionsOfAddress: number;
  /** Of all addresses together that no accepted sender has. */
  strangers: number;
  /** So long a stranger may take to send its first whole header, in milliseconds. */
  headerMs: number;
}

interface Place {
  socket: Socket;
  network: string;
  isKnown: boolean;
  hasHeader: boolean;
}

/** The connections of the port, also those whose TLS handshake is not over. */
export interface Places {
  /** Takes a new connection in, or cuts it, or one that gives way to it. */
  enter(socket: Socket): void;
  /** A whole header has come by a connection. */
  headerCame(socket: Socket): void;
  /** An accepted sender is at the other end of a connection: by its certificate, or it has sent a message. */
  know(socket: Socket): void;
  /** Cuts all. */
  clear(): void;
}

/** Of a socket and of what TLS makes of it. */
const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Counts connections before a TLS handshake, which costs more than to count. Addresses of accepted senders have places
 * of their own, so that no stranger keeps them out. Who has sent no whole header gives way, strangers first and the
 * oldest first. `onCut` is called for each connection that gets or keeps no place.
 */
export function createPlaces(
  limits: PlaceLimits,
  { isExpected, onCut }: { isExpected: (socket: Socket) => boolean; onCut: (isKnown: boolean) => void },
): Places {
  const places = new Map<string, Place>();
  /** Networks from which an accepted sender has sent since this start. */
  const heard = new Set<string>();
  const cut = ({ socket, isKnown }: Place): void => {
    places.delete(keyOf(socket));
    socket.destroy();
    onCut(isKnown);
  };
  const count = (counts: (place: Place) => boolean): number => [...places.values()].filter(counts).length;
  return {
    enter: (socket) => {
      const network = networkOf(socket.remoteAddress ?? '');
      const key = keyOf(socket);
      const place = { socket, network, isKnown: heard.has(network) || isExpected(socket), hasHeader: false };
      const isFull = places.size >= limits.connections;
      const isCrowded = !place.isKnown && count(({ isKnown }) => !isKnown) >= limits.strangers;
      const waiting = [...places.values()].filter(
        (one) => !one.hasHeader && !heard.has(one.network) && (place.isKnown || !one.isKnown),
      );
      const [victim] = waiting.sort((a, b) => Number(a.isKnown) - Number(b.isKnown));
      const isTooMany = count((one) => one.network === network) >= limits.connectionsOfAddress;
      if (isTooMany || ((isCrowded || isFull) && victim === undefined && !heard.has(network))) {
        cut(place);
        return;
      }
      if ((isCrowded || isFull) && victim !== undefined) {
        cut(victim);
      }
      places.set(key, place);
      const late = setTimeout(() => {
        if (!place.hasHeader && !place.isKnown) {
          socket.destroy();
        }
      }, limits.headerMs);
      socket.once('close', () => {
        clearTimeout(late);
        places.delete(key);
      });
    },
    headerCame: (socket) => {
      const place = places.get(keyOf(socket));
      if (place !== undefined) {
        place.hasHeader = true;
      }
    },
    know: (socket) => {
      const place = places.get(keyOf(socket));
      if (place !== undefined) {
        place.isKnown = true;
        heard.add(place.network);
      }
    },
    clear: () => {
      for (const { socket } of places.values()) {
        socket.destroy();
      }
    },
  };
}
