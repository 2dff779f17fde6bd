import { constants } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { ConnectionRefusal, SendersResponse } from '../../lib/interfaces/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { SenderRow } from '../db/rows';
import type { Hl7Env } from '../env';
import { plainAddress } from '../http/addressRange';
import { placesOf } from '../http/errors';
import { certificateName } from './certificateName';
import { createPlaces, type PlaceLimits } from './places';
import type { Peer, Senders } from './senders';
import { serveConnection } from './serveConnection';
import { answerFault, createTakeMessage, type Hl7Parts } from './takeMessage';

/** What came from an address and is no message, for one reason. */
type RefusedConnection = Omit<SendersResponse['refusedConnections'][number], 'lastAt'> & { lastAt: EpochMs };

const mostListed = 100;

interface RefusedConnections {
  /** `bytes` are what came, if there are any: their shape is kept. */
  note(address: string, reason: ConnectionRefusal, now: EpochMs, bytes?: Uint8Array): void;
  /** Returns the last ones since this start, the newest first. */
  list(): RefusedConnection[];
}

/** Creates the list of what is no message. Without it a gateway with wrong settings would be seen nowhere. */
function createRefusedConnections(): RefusedConnections {
  const known = new Map<string, RefusedConnection>();
  return {
    note: (address, reason, now, bytes) => {
      const key = `${address} ${reason}`;
      const count = (known.get(key)?.count ?? 0) + 1;
      known.delete(key);
      known.set(key, { address, reason, shape: bytes === undefined ? null : shapeOf(bytes), count, lastAt: now });
      const [oldest] = known.keys();
      if (known.size > mostListed && oldest !== undefined) {
        known.delete(oldest);
      }
    },
    list: () => [...known.values()].reverse(),
  };
}

/** Returns what bytes look like, without what they say: of the first 40 letters are "a" and digits "9". */
const shapeOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, 40))
    .toString('latin1')
    .replaceAll(/[A-Za-z]/g, 'a')
    .replaceAll(/[0-9]/g, '9')
    .replaceAll(/[^ -~]/g, '\ufffd');

/** What OpenSSL and Node say, and what it means; everything else is `other`. */
const meanings: readonly (readonly [RegExp, ConnectionRefusal])[] = [
  [/PEER_DID_NOT_RETURN_A_CERTIFICATE/, 'no_certificate'],
  [/ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_)/, 'not_trusted'],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST|HTTPS_PROXY_REQUEST/, 'not_tls'],
  [/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION|NO_SHARED_CIPHER|HANDSHAKE_FAILURE/, 'not_agreed'],
  [/HANDSHAKE_TIMEOUT|ECONNRESET/, 'unfinished'],
];

/** Returns why a handshake failed, from the error of Node and what it found in the certificate. */
function handshakeRefusal(
  error: Error & { code?: string },
  { authorizationError }: Pick<TLSSocket, 'authorizationError'>,
): ConnectionRefusal {
  // Node types it as an error. It is a code, or null.
  const ofCertificate = String(authorizationError ?? '');
  if (ofCertificate !== '') {
    return ofCertificate.includes('CERT_HAS_EXPIRED') ? 'expired' : 'wrong_certificate';
  }
  return meanings.find(([said]) => said.test(error.code ?? ''))?.[1] ?? 'other';
}

/** What gateways may take of the server. */
export interface Hl7Limits extends PlaceLimits {
  /** So long a connection may be silent inside a frame, or without a known sender, in milliseconds. */
  idleMs: number;
  /** So long a sender may be silent after 0x1C without 0x0D before that is the end of its frame, in milliseconds. */
  pauseMs: number;
  /** So long a TLS handshake may take, in milliseconds. */
  handshakeMs: number;
  /** If the store takes longer, the sender is asked to send again, in milliseconds: a gateway waits 10 s. */
  answerWithinMs: number;
}

const usualLimits: Hl7Limits = {
  connections: 200,
  connectionsOfAddress: 10,
  strangers: 20,
  headerMs: 5_000,
  idleMs: 60_000,
  pauseMs: 200,
  handshakeMs: 10_000,
  answerWithinMs: 8_000,
};
/** A connection still open so long after a stop began is cut, in milliseconds. */
const cutAfterMs = 5_000;

/** The door of HL7 v2 gateways: MLLP over TCP or TLS. */
export interface Hl7 {
  senders: Senders;
  refusedConnections: Pick<RefusedConnections, 'list'>;
  /** Binds the port of `HL7_PORT`. Returns null without one. Rejects if it is taken, or a file cannot be read. */
  listen(): Promise<AddressInfo | null>;
  /** Returns how many connections a sender has now: those with its certificate, or whose newest message was its. */
  connectionsOf(sender: Pick<SenderRow, 'id' | 'certificate'>): number;
  /** Ends the connections of a sender that is revoked. Values that are being stored still are. */
  endConnections(sender: Pick<SenderRow, 'id' | 'certificate'>): void;
  /** Ends each connection after the message under way has its answer, after 5 s at most. */
  stop(): Promise<void>;
}

/** Creates the door, which is not open yet. `parts` is called when it opens. */
export function createHl7(
  env: Hl7Env | null,
  senders: Senders,
  parts: () => Hl7Parts,
  given: Partial<Hl7Limits> = {},
): Hl7 {
  const limits = { ...usualLimits, ...given };
  const open = new Map<Socket, { peer: Peer; sender: SenderRow | null; isIdle: boolean; ended: Promise<void> }>();
  const connectionsOf = (sender: Pick<SenderRow, 'id' | 'certificate'>): Socket[] =>
    [...open].flatMap(([socket, { peer, sender: last }]) =>
      last?.id === sender.id || (sender.certificate !== null && peer.certificate === sender.certificate)
        ? [socket]
        : [],
    );
  const places = createPlaces(limits, {
    isExpected: (socket) =>
      senders.isExpected({ address: plainAddress(socket.remoteAddress ?? ''), certificate: null }),
    onCut: (isKnown) => {
      parts().alerts.connectionCut(isKnown);
    },
  });
  const refusedConnections = createRefusedConnections();
  let server: NetServer | null = null;
  let isStopping = false;

  const serve = (socket: Socket): void => {
    const { log, reportFault, rawMessages, clockWatch, now } = parts();
    const peer = { address: plainAddress(socket.remoteAddress ?? ''), certificate: certificateOf(socket) };
    const connection = { peer, sender: null as SenderRow | null, isIdle: true, ended: Promise.resolve() };
    open.set(socket, connection);
    if (peer.certificate !== null && senders.isExpected(peer)) {
      places.know(socket);
    }
    const senderOf = (): SenderRow | null => connection.sender;
    connection.ended = serveConnection(socket, {
      take: async (bytes) => {
        connection.isIdle = false;
        try {
          const taken = await takeMessage(bytes, { ...peer, isGone: () => socket.destroyed });
          if (taken.refusal !== null) {
            refusedConnections.note(peer.address, taken.refusal, now(), bytes);
            return taken;
          }
          connection.sender = taken.sender;
          if (taken.sender !== null) {
            places.know(socket);
          }
          return taken;
        } finally {
          connection.isIdle = true;
        }
      },
      onBroken: (fault) => {
        const sender = senderOf();
        if (sender !== null) {
          senders.stateOf(sender.id).broken += 1;
        }
        if (sender !== null && fault.reason === 'too_long') {
          const fate = { fate: 'AR', reason: fault.reason, isWhole: false } as const;
          const at = { receivedAt: now(), era: clockWatch.era() };
          rawMessages.keep({ sender, ...at, bytes: fault.count, content: null, ...fate });
        }
        if (fault.reason === 'bytes_outside') {
          refusedConnections.note(peer.address, fault.hasEnd ? 'no_start' : 'no_frame', now(), fault.cut);
        }
        return answerFault(fault, now());
      },
      onFault: (error) => {
        const fault = error instanceof Error ? error.name : typeof error;
        log.error({ report: reportFault(error, ''), fault, stack: placesOf(error) }, 'an HL7 connection failed');
      },
      onHeader: () => {
        places.headerCame(socket);
      },
      mayStay: () => senderOf() !== null || senders.isExpected(peer),
      isStopping: () => isStopping,
      idleMs: limits.idleMs,
      pauseMs: limits.pauseMs,
    }).finally(() => {
      open.delete(socket);
    });
  };

  let takeMessage: ReturnType<typeof createTakeMessage> = () => Promise.reject(new Error('The HL7 door is not open'));

  return {
    senders,
    refusedConnections,
    listen: async () => {
      if (env === null || isStopping) {
        return null;
      }
      const { log, now } = parts();
      takeMessage = createTakeMessage(parts(), senders, limits);
      const created = createListener(env, serve, limits, (address, reason) => {
        refusedConnections.note(address, reason, now());
      });
      server = created;
      created.prependListener('connection', places.enter);
      created.listen({ port: env.port, host: env.host });
      await once(created, 'listening');
      created.on('error', (error) => {
        log.error({ code: error.name }, 'the HL7 port failed');
      });
      const bound = created.address();
      if (bound === null || typeof bound === 'string') {
        throw new Error('The HL7 server has no port');
      }
      log.info({ port: bound.port, host: env.host, isEncrypted: env.tls !== null }, 'HL7 gateways may connect');
      if (env.isExposed) {
        log.warn('HL7_ALLOW_PLAIN: patient data of HL7 gateways can be read on the network');
      }
      return bound;
    },
    connectionsOf: (sender) => connectionsOf(sender).length,
    endConnections: (sender) => {
      for (const socket of connectionsOf(sender)) {
        socket.destroySoon();
      }
    },
    stop: async () => {
      isStopping = true;
      const closed = server?.listening === true ? once(server, 'close') : null;
      server?.close();
      for (const [socket, { isIdle }] of open) {
        if (isIdle) {
          socket.destroySoon();
        }
      }
      const cut = setTimeout(() => {
        for (const socket of open.keys()) {
          socket.destroy();
        }
      }, cutAfterMs);
      await Promise.all([...open.values()].map(({ ended }) => ended));
      clearTimeout(cut);
      places.clear();
      await closed;
    },
  };
}

/** Returns the name in the certificate that a connection has shown and the CA has signed; null: it has shown none. */
function certificateOf(socket: Socket): string | null {
  const certificate = socket instanceof TLSSocket && socket.authorized ? socket.getPeerX509Certificate() : undefined;
  return certificate === undefined ? null : certificateName(certificate.raw);
}

/** A sender that ends its half after the last message still reads the answer. */
const half = { allowHalfOpen: true };

function createListener(
  { tls }: Hl7Env,
  serve: (socket: Socket) => void,
  { handshakeMs }: Pick<Hl7Limits, 'handshakeMs'>,
  noteRefused: (address: string, reason: ConnectionRefusal) => void,
): NetServer {
  if (tls === null) {
    return createServer(half, serve);
  }
  const { certFile, keyFile, caFile } = tls;
  const server = createTlsServer(
    {
      ...half,
      cert: readPem('HL7_TLS_CERT', certFile),
      key: readPem('HL7_TLS_KEY', keyFile),
      ...(caFile === null ? {} : { ca: readPem('HL7_TLS_CA', caFile), requestCert: true, rejectUnauthorized: true }),
      minVersion: 'TLSv1.2',
      // Each connection shows its certificate, once: none goes on with an earlier one, and none changes it later.
      secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
      handshakeTimeout: handshakeMs,
    },
    serve,
  );
  // Node only says that a handshake took too long or failed, and leaves the connection open.
  const addressOf = createAddressOf(server);
  server.on('tlsClientError', (error, socket) => {
    const reason = handshakeRefusal(error, socket);
    addressOf(socket, (address) => {
      noteRefused(plainAddress(address), reason);
    });
    socket.destroy();
  });
  return server;
}

/** A connection closes and its refusal is said within the same moment, in milliseconds. */
const pairedWithinMs = 1_000;

/**
 * Returns what calls back with the address of a connection whose handshake was refused. If Node does not accept a
 * certificate it closes the connection, and its address is gone: the one that closes with it is that.
 */
function createAddressOf(server: NetServer): (socket: TLSSocket, then: (address: string) => void) => void {
  const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  /** Of open connections: those that are secure, or whose refusal is noted. */
  const settled = new Set<string>();
  /** Of the two that belong together either may come first. One that stays alone is forgotten. */
  const closed = new Set<{ address: string }>();
  const waiting = new Set<{ then: (address: string) => void }>();
  const add = <Item>(items: Set<Item>, item: Item): void => {
    items.add(item);
    setTimeout(() => items.delete(item), pairedWithinMs).unref();
    const [[one], [other]] = [closed, waiting];
    if (one !== undefined && other !== undefined) {
      closed.delete(one);
      waiting.delete(other);
      other.then(one.address);
    }
  };
  server.on('secureConnection', (socket: TLSSocket) => {
    settled.add(keyOf(socket));
  });
  server.prependListener('connection', (socket: Socket) => {
    const [key, address] = [keyOf(socket), socket.remoteAddress ?? ''];
    socket.once('close', () => {
      if (!settled.delete(key)) {
        add(closed, { address });
      }
    });
  });
  return (socket, then) => {
    if (socket.remoteAddress === undefined) {
      add(waiting, { then });
      return;
    }
    settled.add(keyOf(socket));
    then(socket.remoteAddress);
  };
}

function readPem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new Error(`${name} names a file that cannot be read`);
  }
}
