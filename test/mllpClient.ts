import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createDeframer, maxMessageBytes } from '../lib/hl7/Deframer';

/** An answer as a gateway reads it. */
export interface Ack {
  /** MSA-1. */
  code: string;
  /** MSA-2, the message that it answers. */
  controlId: string;
  /** ERR-3.1, the number of HL7's table 0357; '' without an error. */
  error: string;
  /** All of it, with a line break after each segment. */
  text: string;
}

/** A gateway's end of a connection. */
export interface MllpClient {
  socket: Socket;
  /** Sends bytes as they are. */
  write: (bytes: string | Uint8Array) => void;
  /** Sends messages, each in a frame of its own, in one packet. */
  send: (...messages: string[]) => void;
  /** Resolves with the next answer. Rejects if the connection ends before. */
  next: () => Promise<Ack>;
  /** Resolves when the server has ended the connection. */
  closed: Promise<unknown>;
  /** How many answers have come that `next` has not returned. */
  waiting: () => number;
}

/** Returns a message in its frame. Segments are divided by line breaks, which become CR. */
export function frame(message: string): string {
  return `\x0b${message.trim().replaceAll(/\n\s*/g, '\r')}\r\x1c\r`;
}

/** Connects as a gateway does. */
export async function connectMllp(port: number, socket: Socket = connect(port, '127.0.0.1')): Promise<MllpClient> {
  const deframer = createDeframer({ maxBytes: maxMessageBytes });
  const acks: Ack[] = [];
  let awaited: { resolve: (ack: Ack) => void; reject: (error: Error) => void } | null = null;
  socket.on('data', (chunk) => {
    for (const one of deframer.push(chunk)) {
      if (one.kind === 'message') {
        acks.push(ackOf(one.bytes));
      }
    }
    const first = awaited === null ? undefined : acks.shift();
    if (first !== undefined) {
      awaited?.resolve(first);
      awaited = null;
    }
  });
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  void closed.then(() => {
    awaited?.reject(new Error('The connection ended without an answer'));
  });
  socket.on('error', () => undefined);
  await once(socket, 'encrypted' in socket ? 'secureConnect' : 'connect');
  return {
    socket,
    write: (bytes) => {
      socket.write(bytes);
    },
    send: (...messages) => {
      socket.write(messages.map(frame).join(''));
    },
    next: async () => {
      const first = acks.shift();
      if (first !== undefined) {
        return first;
      }
      if (socket.closed) {
        throw new Error('The connection ended without an answer');
      }
      return await new Promise((resolve, reject) => {
        awaited = { resolve, reject };
      });
    },
    closed,
    waiting: () => acks.length,
  };
}

/** Reads it as the simplest gateways do: by the separator of its first line, whatever its character set. */
function ackOf(bytes: Uint8Array): Ack {
  const text = Buffer.from(bytes).toString('utf8').replaceAll('\r', '\n');
  const separator = text[3] ?? '|';
  const part = (name: string, field: number): string => {
    const line = text.split('\n').find((one) => one.startsWith(`${name}${separator}`));
    return line?.split(separator)[field] ?? '';
  };
  return { code: part('MSA', 1), controlId: part('MSA', 2), error: part('ERR', 3).split('^')[0] ?? '', text };
}
