import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib';
import { z } from 'zod';
import { maxMessageBytes } from '../../lib/hl7/Deframer';
import { messageFates, messageReasons } from '../../lib/interfaces/schema';

/** What a file says of a message without the key: nothing of a patient. */
const rawHead = z.object({
  /** Epoch milliseconds. */
  receivedAt: z.int(),
  /** Of `receivedAt` (server/clock/era). Files of earlier releases do not say: it is no era that there is. */
  era: z.int().default(-1),
  siteId: z.int(),
  senderId: z.int(),
  fate: z.enum(messageFates),
  reason: z.enum(messageReasons).nullable(),
  /** All of its values were taken, or it had none. */
  isWhole: z.boolean(),
  bytes: z.int(),
  /** In base 16; null: the contents are not known here, because the message was too long. */
  sha256: z.string().nullable(),
});
export type RawHead = z.infer<typeof rawHead>;

/** A message that is to be appended. */
export interface RawInput {
  head: Omit<RawHead, 'sha256'>;
  content: Uint8Array | null;
}

/** A record in a file: its place, its head, and whether contents follow. */
export interface RawRecord {
  offset: number;
  head: RawHead;
  hasContent: boolean;
}

/** A file that is being written. One is never continued after a fault or a restart: its end may be torn. */
export interface RawFile {
  /** In bytes. */
  size: () => number;
  /** Appends messages and resolves with their records, in order. If it rejects, nothing may be appended any more. */
  append: (messages: readonly RawInput[]) => Promise<RawRecord[]>;
  close: () => Promise<void>;
}

const magic = Buffer.from('WARDLIGHT HL7 1\n');
const saltBytes = 32;
/** The lengths of head and contents, before each record. */
const lengthsBytes = 8;
const tagBytes = 16;
const longestHead = 4_096;
/** What does not get smaller gets a little larger. */
const longestBody = maxMessageBytes + 1_024 + tagBytes;
/** The most bytes that a record takes beside its contents. */
export const besideContent = lengthsBytes + longestHead + 1_024 + tagBytes;

const [deflateInThread, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];
/** In bytes. What is shorter takes less time to compress than to hand to a thread and back. */
const compressedAtOnce = 16_384;
/** Little memory: to clear it, or to get it for each message, takes longer than a short message. */
const forShort = { windowBits: 12, memLevel: 5, chunkSize: 2_048 };

/** Creates a file whose key is made of `key` and a salt of its own. Rejects, and leaves none, if it cannot. */
export async function createRawFile(file: string, key: Buffer): Promise<RawFile> {
  const handle = await open(file, 'wx', 0o600);
  const salt = randomBytes(saltBytes);
  try {
    await handle.appendFile(Buffer.concat([magic, salt]));
  } catch (error) {
    await handle.close();
    await rm(file, { force: true });
    throw error;
  }
  const own = keyOf(key, salt);
  let size = magic.length + saltBytes;
  return {
    size: () => size,
    append: async (messages) => {
      const records: RawRecord[] = [];
      const sealed: Buffer[] = [];
      let end = size;
      for (const { head: sent, content } of messages) {
        const head = { ...sent, sha256: content === null ? null : hash('sha256', content, 'hex') };
        const packed = content === null ? null : await deflate(content);
        const record = seal(own, end, Buffer.from(JSON.stringify(head)), packed);
        records.push({ offset: end, head, hasContent: content !== null });
        sealed.push(record);
        end += record.length;
      }
      await handle.appendFile(Buffer.concat(sealed));
      size = end;
      return records;
    },
    close: () => handle.close(),
  };
}

/** Reads what a file says of its messages, in order. What is torn or damaged ends it. Rejects if there is no file. */
export async function readRawFile(file: string): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  for await (const record of recordsIn(await readFile(file))) {
    if (record !== null) {
      const { place, head, body } = record;
      records.push({ offset: place, head, hasContent: body > 0 });
    }
  }
  return records;
}

/** A message of a file that was opened. Null contents: a byte of it was changed, or the key is another one. */
export interface OpenedRecord {
  offset: number;
  head: RawHead;
  content: Uint8Array | null;
}

/**
 * Reads the messages of a file that are wanted and have contents, in order. Null: what follows is torn or damaged.
 * Rejects if there is no file.
 */
export async function* openRawFile(
  file: string,
  key: Buffer,
  isWanted: (head: RawHead, offset: number) => boolean,
): AsyncGenerator<OpenedRecord | null> {
  const bytes = await readFile(file);
  const own = keyOf(key, bytes.subarray(magic.length, magic.length + saltBytes));
  for await (const record of recordsIn(bytes)) {
    if (record === null) {
      yield null;
    } else if (record.body > 0 && isWanted(record.head, record.place)) {
      const { place, head, end } = record;
      yield { offset: place, head, content: await unseal(own, place, bytes.subarray(place, end)) };
    }
  }
}

/**
 * Reads the contents of the record at a place. Null if there is none, if a byte of it or of its head was changed, or if
 * the key is another one. Rejects if there is no file.
 */
export async function openRawRecord(file: string, key: Buffer, offset: number): Promise<Uint8Array | null> {
  const handle = await open(file, 'r');
  try {
    const salt = await readAt(handle, magic.length, saltBytes);
    const prefix = await readAt(handle, offset, lengthsBytes);
    const lengths = prefix === null ? null : lengthsIn(prefix);
    const record = lengths === null ? null : await readAt(handle, offset, lengthsBytes + lengths.head + lengths.body);
    return salt === null || record === null ? null : await unseal(keyOf(key, salt), offset, record);
  } finally {
    await handle.close();
  }
}

/** Compresses a message; a long one in a thread of its own, so that it holds up nothing. */
async function deflate(content: Uint8Array): Promise<Buffer> {
  return content.length <= compressedAtOnce ? deflateRawSync(content, forShort) : await deflateInThread(content);
}

/** Parsing a head takes some microseconds. */
const recordsPerTurn = 100;

/** Returns the place of the first record of a file, or null if it is none of ours. */
function firstPlace(bytes: Buffer): number | null {
  const place = magic.length + saltBytes;
  return bytes.length >= place && bytes.subarray(0, magic.length).equals(magic) ? place : null;
}

/** Yields the records of a file in order; null, as the last, if what follows is torn, damaged or none of ours. */
async function* recordsIn(bytes: Buffer): AsyncGenerator<(StoredRecord & { place: number }) | null> {
  let seen = 0;
  for (let place = firstPlace(bytes); place === null || place < bytes.length;) {
    const record = place === null ? null : recordAt(bytes, place);
    if (place === null || record === null) {
      yield null;
      return;
    }
    yield { ...record, place };
    place = record.end;
    seen += 1;
    if (seen % recordsPerTurn === 0) {
      await turn();
    }
  }
}

interface StoredRecord {
  head: RawHead;
  /** The length of its contents, in bytes. */
  body: number;
  /** The place after it. */
  end: number;
}

/** Returns the record at a place and where it ends, or null if it is torn or damaged, or there is none. */
function recordAt(bytes: Buffer, place: number): StoredRecord | null {
  const lengths = place + lengthsBytes > bytes.length ? null : lengthsIn(bytes.subarray(place));
  const headAt = place + lengthsBytes;
  if (lengths === null || headAt + lengths.head + lengths.body > bytes.length) {
    return null;
  }
  const head = parseHead(bytes.subarray(headAt, headAt + lengths.head));
  return head === null ? null : { head, body: lengths.body, end: headAt + lengths.head + lengths.body };
}

/** Resolves with the contents of a whole record at a place, or null if it was changed or the key is another one. */
async function unseal(own: Buffer, offset: number, record: Buffer): Promise<Uint8Array | null> {
  const lengths = lengthsIn(record);
  if (lengths === null || lengths.body < tagBytes) {
    return null;
  }
  const bodyAt = lengthsBytes + lengths.head;
  const tagAt = record.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', own, nonceOf(offset), { authTagLength: tagBytes });
  decipher.setAAD(record.subarray(0, bodyAt));
  decipher.setAuthTag(record.subarray(tagAt));
  try {
    const packed = Buffer.concat([decipher.update(record.subarray(bodyAt, tagAt)), decipher.final()]);
    return await inflate(packed, { maxOutputLength: maxMessageBytes });
  } catch {
    return null;
  }
}

function keyOf(key: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, 'wardlight hl7 messages', 32));
}

/** A key encrypts one file, to which bytes are only added: the place of a record is the nonce of no other. */
function nonceOf(offset: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(offset, 6, 6);
  return nonce;
}

/** Returns a record. What stays readable, the lengths and the head, cannot be changed without notice either. */
function seal(key: Buffer, offset: number, head: Buffer, packed: Buffer | null): Buffer {
  const lengths = Buffer.alloc(lengthsBytes);
  lengths.writeUInt32BE(head.length, 0);
  lengths.writeUInt32BE(packed === null ? 0 : packed.length + tagBytes, 4);
  if (packed === null) {
    return Buffer.concat([lengths, head]);
  }
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(offset));
  cipher.setAAD(Buffer.concat([lengths, head]));
  return Buffer.concat([lengths, head, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

function lengthsIn(bytes: Buffer): { head: number; body: number } | null {
  const [head, body] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  return head === 0 || head > longestHead || body > longestBody ? null : { head, body };
}

function parseHead(bytes: Buffer): RawHead | null {
  try {
    return rawHead.safeParse(JSON.parse(bytes.toString())).data ?? null;
  } catch {
    return null;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer | null> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return bytesRead === length ? buffer : null;
}
