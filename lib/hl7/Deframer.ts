/** What MLLP puts before a message, after it, and after that. */
const startByte = 0x0b;
const endByte = 0x1c;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/**
 * The most bytes of one message. Monitors send about 2 kB for a bed, so this holds a report on a whole unit. To read
 * and evaluate one of 1 MB takes more than a second, in which no alert is raised.
 */
export const maxMessageBytes = 131_072;

/** A larger buffer is not kept for the next message. */
const keptBytes = 65_536;

/** So many bytes outside of frames are kept: a whole header with room. */
const headBytes = 1_024;

/**
 * Something that a stream contained. The faults:
 * - `bytes_outside`: `count` bytes between two frames. `cut` is how they begin, `hasEnd` that an end byte was the last.
 * - `too_long`: a message of more than the limit, whose rest is dropped; `count` bytes were read of it.
 * - `no_end`: a frame without its end; the next began inside it, or the connection ended. `cut` is what came of it.
 * - `end_inside`: an end byte in the middle of a segment, with more behind it. `cut` is what came before.
 *
 * `cut` is evidence for the quarantine and never a message: a value in it may have lost digits.
 */
export type Frame =
  | { kind: 'message'; bytes: Uint8Array }
  | { kind: 'fault'; reason: 'too_long'; count: number }
  | { kind: 'fault'; reason: 'bytes_outside'; count: number; cut: Uint8Array; hasEnd: boolean }
  | { kind: 'fault'; reason: 'no_end' | 'end_inside'; count: number; cut: Uint8Array };

export interface Deframer {
  /** Takes the next bytes of the stream and returns what they complete, in order. Keeps no reference to `chunk`. */
  push: (chunk: Uint8Array) => Frame[];
  /** The stream has ended: returns what was left, and starts again. */
  end: () => Frame[];
  /** Whether an end byte came in the middle of a segment and nothing after it, so that the next byte decides. */
  readonly isEndUnsure: boolean;
  /** Whether a frame has begun whose end has not come, so that its sender owes bytes. */
  readonly isInsideFrame: boolean;
  /** How many bytes of the unfinished message are in memory; at most the limit. */
  readonly heldBytes: number;
  /** How many bytes outside of frames have come since the last frame or fault. */
  readonly bytesOutside: number;
}

/**
 * `ended`: the end byte came in the middle of a segment, so the next byte decides. `skipping`: the rest of a frame that
 * is lost already.
 */
type State = 'outside' | 'inside' | 'ended' | 'skipping';

/**
 * Returns a reader of one connection's MLLP stream. What it returns depends on the bytes only, never on how packets
 * split them. Time is linear in the bytes: each is copied into the buffer once, and the buffer grows by doubling.
 *
 * - A frame ends with 0x1C; the 0x0D after it may be missing. After a whole segment, 0x1C alone ends it, because a
 *   sender without 0x0D waits for its answer. In the middle of a segment the next byte decides: 0x0D or a new frame
 *   means the end, anything else that a byte was damaged into 0x1C. Otherwise "120" could be taken as "12". Where no
 *   byte follows, `isEndUnsure` says so: the caller knows the time, and gives 0x0D after a pause.
 * - A new 0x0B inside a frame: the frame before is a fault and is not read, for the same reason. The new one starts.
 *   Its sender has no answer for the lost one and repeats it.
 */
export function createDeframer({ maxBytes }: { maxBytes: number }): Deframer {
  let state: State = 'outside';
  let buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let length = 0;
  let outside = 0;
  const head = new Uint8Array(headBytes);

  const hold = (chunk: Uint8Array, from: number, to: number): void => {
    const needed = length + to - from;
    if (needed > buffer.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(4_096, needed, 2 * buffer.length)));
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(chunk.subarray(from, to), length);
    length = needed;
  };
  const take = (): Uint8Array => {
    const bytes = buffer.slice(0, length);
    length = 0;
    if (buffer.length > keptBytes) {
      buffer = new Uint8Array(0);
    }
    return bytes;
  };
  const takeFault = (reason: 'no_end' | 'end_inside'): Frame => {
    const cut = take();
    return { kind: 'fault', reason, count: cut.length, cut };
  };
  const takeOutside = (hasEnd: boolean): Frame[] => {
    const count = outside;
    outside = 0;
    return count === 0 ? [] : [{ kind: 'fault', reason: 'bytes_outside', count, cut: head.slice(0, count), hasEnd }];
  };
  /** Returns what is complete because a new frame begins or the stream ends. */
  const close = (): Frame[] => {
    switch (state) {
      case 'inside':
        return [takeFault('no_end')];
      case 'ended':
        return [{ kind: 'message', bytes: take() }];
      case 'outside':
        return takeOutside(false);
      case 'skipping':
        return [];
    }
  };

  /** Returns the place after the message's bytes from `from` on that hold no sign of MLLP. */
  const findSign = (chunk: Uint8Array, from: number): number => {
    let place = from;
    while (place < chunk.length && chunk[place] !== startByte && chunk[place] !== endByte) {
      place += 1;
    }
    return place;
  };

  const push = (chunk: Uint8Array): Frame[] => {
    const frames: Frame[] = [];
    let place = 0;
    while (place < chunk.length) {
      const byte = chunk[place];
      if (byte === startByte) {
        frames.push(...close());
        state = 'inside';
        place += 1;
        continue;
      }
      switch (state) {
        case 'inside': {
          if (byte === endByte) {
            const last = buffer[length - 1];
            if (length === 0 || last === carriageReturn || last === lineFeed) {
              frames.push({ kind: 'message', bytes: take() });
              state = 'outside';
            } else {
              state = 'ended';
            }
            place += 1;
            break;
          }
          const sign = findSign(chunk, place);
          if (length + sign - place > maxBytes) {
            frames.push({ kind: 'fault', reason: 'too_long', count: maxBytes + 1 });
            length = 0;
            buffer = new Uint8Array(0);
            state = 'skipping';
          } else {
            hold(chunk, place, sign);
          }
          place = sign;
          break;
        }
        case 'ended': {
          if (byte === carriageReturn) {
            frames.push({ kind: 'message', bytes: take() });
            state = 'outside';
          } else {
            frames.push(takeFault('end_inside'));
            state = 'skipping';
          }
          place += 1;
          break;
        }
        case 'skipping': {
          state = byte === endByte ? 'outside' : 'skipping';
          place = byte === endByte ? place + 1 : findSign(chunk, place);
          break;
        }
        case 'outside': {
          // Line ends between frames are the 0x0D after 0x1C, or what an editor left; they hide nothing.
          if (byte !== undefined && (outside > 0 || (byte !== carriageReturn && byte !== lineFeed))) {
            // Beyond its length nothing is kept.
            head[outside] = byte;
            outside += 1;
          }
          if (byte === endByte || outside >= maxBytes) {
            frames.push(...takeOutside(byte === endByte));
          }
          place += 1;
          break;
        }
      }
    }
    return frames;
  };

  return {
    push,
    end: () => {
      const frames = close();
      state = 'outside';
      return frames;
    },
    get isEndUnsure() {
      return state === 'ended';
    },
    get isInsideFrame() {
      return state !== 'outside';
    },
    get heldBytes() {
      return length;
    },
    get bytesOutside() {
      return outside;
    },
  };
}
