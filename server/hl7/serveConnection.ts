import type { Socket } from 'node:net';
import { createDeframer, maxMessageBytes, type Frame } from '../../lib/hl7/Deframer';
import type { Taken } from './takeMessage';

/** More bytes than this between two messages are no noise: it is another protocol. */
const mostBytesOutside = 65_536;

/** So many broken frames in a row are no bad line: each costs more than to read a byte. */
const mostBroken = 100;

const carriageReturn = 0x0d;

type Fault = Extract<Frame, { kind: 'fault' }>;

export interface ConnectionWork {
  /** Takes a message and resolves with its answer. Never rejects. */
  take: (bytes: Uint8Array) => Promise<Taken>;
  /** Called for a frame that broke off or is over the limit, and for bytes outside. Returns the answer, or nothing. */
  onBroken: (fault: Fault) => Uint8Array;
  /** Called for a fault of ours. */
  onFault: (error: unknown) => void;
  /** Called when a whole header has come: the first segment of a message. */
  onHeader: () => void;
  /** Returns whether the connection may stay open while it is silent: a known sender is at its other end. */
  mayStay: () => boolean;
  /** Returns whether the server stops: the connection ends after the message under way. */
  isStopping: () => boolean;
  /**
   * So long it may be silent inside a frame, keep an answer waiting, or send without being a known sender, in
   * milliseconds.
   */
  idleMs: number;
  /** After so long a silence, in milliseconds, an end byte without 0x0D is the end, and bytes outside are a fault. */
  pauseMs: number;
}

/**
 * Serves a connection until it ends: takes its messages one after another, and reads no more of it meanwhile, so that
 * a sender that is faster than the store waits. Resolves when it has ended, and never rejects.
 */
export async function serveConnection(socket: Socket, work: ConnectionWork): Promise<void> {
  const deframer = createDeframer({ maxBytes: maxMessageBytes });
  socket.setNoDelay(true);
  // A gateway that was switched off says nothing, and would keep its place for ever.
  socket.setKeepAlive(true, 60_000);
  socket.on('error', () => undefined);
  socket.on('timeout', () => {
    socket.destroy();
  });
  const send = async (bytes: Uint8Array): Promise<void> => {
    if (bytes.length > 0) {
      socket.setTimeout(work.idleMs);
      await new Promise<void>((resolve) => {
        // Also called if the connection breaks.
        socket.write(bytes, () => {
          resolve();
        });
      });
    }
  };
  // Bytes that trickle in are no silence, and would keep a stranger's place for ever.
  const deadline = setTimeout(() => {
    if (!work.mayStay()) {
      socket.destroy();
    }
  }, work.idleMs);
  let broken = 0;
  let outside = 0;
  let pause: NodeJS.Timeout | undefined;
  const noteFault = (fault: Fault): Uint8Array => {
    if (fault.reason === 'bytes_outside') {
      outside += fault.count;
    } else {
      broken += 1;
    }
    return work.onBroken(fault);
  };
  /** Resolves with whether the connection goes on. */
  const answer = async (frame: ReturnType<typeof deframer.push>[number]): Promise<boolean> => {
    if (frame.kind === 'message') {
      broken = 0;
      outside = 0;
      const { answer: bytes, isLast } = await work.take(frame.bytes);
      await send(bytes);
      return !isLast && !work.isStopping() && !socket.destroyed;
    }
    await send(noteFault(frame));
    return frame.reason !== 'too_long' && broken < mostBroken && !socket.destroyed;
  };
  const expectMore = (): void => {
    socket.setTimeout(deframer.isInsideFrame || !work.mayStay() ? work.idleMs : 0);
    if (deframer.isEndUnsure || deframer.bytesOutside > 0) {
      pause = setTimeout(() => {
        if (deframer.isEndUnsure) {
          // Its sender leaves out 0x0D and waits for the answer. Put before what is read next, it is answered in turn.
          socket.unshift(Uint8Array.of(carriageReturn));
          return;
        }
        for (const frame of deframer.end()) {
          if (frame.kind === 'fault') {
            noteFault(frame);
          }
        }
      }, work.pauseMs);
    }
  };
  try {
    expectMore();
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      socket.setTimeout(0);
      clearTimeout(pause);
      const frames = chunk instanceof Uint8Array ? deframer.push(chunk) : [];
      if (
        frames.length > 0 ||
        (deframer.isInsideFrame && chunk instanceof Uint8Array && chunk.includes(carriageReturn))
      ) {
        work.onHeader();
      }
      for (const frame of frames) {
        if (!(await answer(frame))) {
          return;
        }
      }
      if (work.isStopping() || outside + deframer.bytesOutside > mostBytesOutside) {
        return;
      }
      expectMore();
    }
    clearTimeout(pause);
    for (const frame of deframer.end()) {
      if (!(await answer(frame))) {
        return;
      }
    }
  } catch (error) {
    // The iterator throws if the connection breaks.
    if (!socket.destroyed) {
      work.onFault(error);
    }
  } finally {
    clearTimeout(deadline);
    clearTimeout(pause);
    socket.destroySoon();
  }
}
