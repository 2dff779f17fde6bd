import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { KeepingFault, MessagesResponse } from '../../lib/interfaces/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { makeDataDir } from '../db/makeDataDir';
import type { SenderRow } from '../db/rows';
import { createSerialQueue } from '../db/serialQueue';
import { spaceOf } from '../disk/diskWatch';
import { isDiskLow, type DiskSpace } from '../disk/isDiskLow';
import type { Env } from '../env';
import { HttpError, notFound } from '../http/httpError';
import type { StorageWatch } from '../storageWatch';
import {
  besideContent,
  createRawFile,
  openRawFile,
  openRawRecord,
  readRawFile,
  type OpenedRecord,
  type RawFile,
  type RawHead,
} from './rawFile';
import { fileName, readFolder, type FileSet, type StoredFile } from './rawFolder';
import { loadRawKey } from './rawKey';

/** A message of a known sender, and what became of it. */
export interface RawMessage extends Omit<RawHead, 'siteId' | 'senderId' | 'sha256'> {
  sender: Pick<SenderRow, 'id' | 'site_id'>;
  /** Null: the message was too long. */
  content: Uint8Array | null;
}

/** A message in the list of a site. */
export interface RawEntry extends Omit<RawHead, 'sha256'> {
  /** Below 0 if it is in no file. */
  id: number;
  /** Its contents can be opened. */
  isKept: boolean;
}

/** What gateways sent, kept for those who look for the cause of a fault. */
export interface RawMessages {
  /** Lists a message and keeps it in a file soon after. Never throws, and nothing waits for it. */
  keep(message: RawMessage): void;
  /** Returns the last 500 messages of a site, the newest first; `notWhole`: of those that were not wholly taken. */
  list(siteId: number, which: 'all' | 'notWhole'): Promise<RawEntry[]>;
  /** Returns how much is kept, and why nothing is now. */
  usage(): MessagesResponse['kept'];
  /**
   * Resolves with a message that is in the list of a site. Rejects with 404 if it is not, and with 409 if it cannot be
   * opened: `message_not_kept`, `message_damaged` or `key_missing`.
   */
  open(siteId: number, id: number): Promise<{ entry: RawEntry; content: Uint8Array }>;
  /**
   * Reads the kept messages that were not wholly taken and are wanted, in the order in which they came, after the one
   * with the id `after`. Null: a part of a file cannot be read. Rejects with 409 `key_missing` without the key.
   */
  readNotWhole(
    isWanted: (head: RawHead) => boolean,
    after?: number,
  ): AsyncGenerator<(OpenedRecord & { id: number }) | null>;
  /** Deletes the files that are too old at the time `by`, and the oldest beyond the cap. `signal` ends it early. */
  deleteOld(by: EpochMs, signal: AbortSignal): Promise<void>;
  /** Resolves when what waits is written and the files are closed. The next message begins new ones. */
  flush(): Promise<void>;
}

const hourMs = 3_600_000;
const keptMs = { day: 24 * hourMs, month: 30 * 24 * hourMs } as const;
const mostListed = 500;
/** More bytes do not wait for the disk. */
const mostWaiting = 16 * 1_048_576;
/** In bytes. An id is the number of a file and a place in it. */
const largestFile = 2 ** 24;
/** In 2065. A clock that is far ahead must not use the numbers up. In minutes. */
const mostMinutes = 50_000_000;
/** After a fault nothing is tried for so long: a full disk must not be filled by attempts. In milliseconds. */
const pauseMs = 60_000;
/** So many messages are written in one go at most, and so many bytes unless one alone has more. */
const perBatch = 100;
const bytesPerBatch = 1_048_576;
/** They arrived within so many milliseconds, by a clock that was not set back: they belong to one hour's file. */
const batchMs = 1_000;
/** In bytes of one set of files. What is older is not listed after a start: to read it would take seconds. */
const mostRead = 16 * 1_048_576;

const faultWords = {
  key: 'the key of HL7 messages can be neither read nor made: their contents are not kept',
  disk: 'the disk with the data has no room, or takes no file: the contents of HL7 messages are not kept',
} as const;

interface Parts {
  env: Pick<Env, 'dataDir' | 'hl7Raw'>;
  storage: Pick<StorageWatch, 'notStoredSince'>;
  log: Logger;
  /** Milliseconds of a clock that is never set. */
  elapsed: () => number;
  readSpace?: (folder: string) => Promise<DiskSpace>;
}

/**
 * Creates what keeps messages, in `DATA_DIR/hl7`. It reads nothing before the first message or the first question. If
 * it cannot write, it counts what was not kept; no message is refused for that.
 */
export function createRawMessages({ env, storage, log, elapsed, readSpace = spaceOf }: Parts): RawMessages {
  const { keyFile, mostBytes } = env.hl7Raw;
  const folder = path.join(env.dataDir, 'hl7');
  const inTurn = createSerialQueue();
  /** By number, the oldest first. */
  const files = new Map<number, StoredFile>();
  const writing = new Map<FileSet, { stored: StoredFile; raw: RawFile }>();
  const lists = new Map<number, Record<FileSet, RawEntry[]>>();
  let waiting: RawMessage[] = [];
  let waitingBytes = 0;
  let work: Promise<void> | null = null;
  let loading: Promise<StoredFile[]> | null = null;
  let listing: Promise<void> | null = null;
  let key: Buffer | null = null;
  let [notKept, lastUnkept, lastNumber] = [0, 0, 0];
  let fault: KeepingFault | null = null;
  let pausedUntil = -Infinity;
  let isLow = false;

  const fileOf = (file: StoredFile): string => path.join(folder, fileName(file));
  const usedBytes = (): number => [...files.values()].reduce((sum, { bytes }) => sum + bytes, 0);

  const listOf = (siteId: number): Record<FileSet, RawEntry[]> => {
    const list = lists.get(siteId) ?? { day: [], month: [] };
    lists.set(siteId, list);
    return list;
  };
  const enter = (entry: RawEntry): void => {
    const list = listOf(entry.siteId)[setOf(entry)];
    list.push(entry);
    list.splice(0, list.length - mostListed);
  };
  const enterUnkept = ({ sender, content, ...message }: RawMessage): void => {
    notKept += content === null ? 0 : 1;
    lastUnkept -= 1;
    enter({ ...message, id: lastUnkept, siteId: sender.site_id, senderId: sender.id, isKept: false });
  };

  /** Resolves with the files of before this start. */
  const load = (): Promise<StoredFile[]> => {
    loading ??= readFolder(folder).then(
      (found) => {
        for (const file of found) {
          files.set(file.number, file);
          lastNumber = file.number;
        }
        return found;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  /** Lists what the files of before this start say. */
  const readLists = async (): Promise<void> => {
    const found = await load();
    for (const set of ['day', 'month'] as const) {
      let entries: RawEntry[] = [];
      let read = 0;
      for (const file of found.filter((one) => one.set === set).reverse()) {
        if (entries.length >= mostListed || read + file.bytes > mostRead) {
          break;
        }
        read += file.bytes;
        // It may have been deleted meanwhile.
        const records = await readRawFile(fileOf(file)).catch(() => []);
        const ofFile = records.map(({ offset, head, hasContent }) => ({
          ...head,
          id: idOf(file.number, offset),
          isKept: hasContent,
        }));
        entries = [...ofFile, ...entries];
      }
      for (const siteId of new Set(entries.map((entry) => entry.siteId))) {
        const list = listOf(siteId);
        list[set] = [...entries.filter((entry) => entry.siteId === siteId), ...list[set]].slice(-mostListed);
      }
    }
  };
  const listed = (): Promise<void> => {
    listing ??= readLists().catch((error: unknown) => {
      log.warn({ code: codeOf(error) }, 'the HL7 messages of before this start cannot be listed');
    });
    return listing;
  };

  const pause = (reason: keyof typeof faultWords, error?: unknown): void => {
    if (fault !== reason) {
      log.warn(error === undefined ? {} : { code: codeOf(error) }, faultWords[reason]);
    }
    fault = reason;
    pausedUntil = elapsed() + pauseMs;
  };
  /** Resolves with the key if messages can be kept now. */
  const ready = async (): Promise<Buffer | null> => {
    if (storage.notStoredSince() !== null) {
      fault = 'storage';
      return null;
    }
    if (elapsed() < pausedUntil) {
      return null;
    }
    makeDataDir(folder);
    isLow = isDiskLow(await readSpace(folder), isLow);
    if (isLow) {
      pause('disk');
      return null;
    }
    try {
      key ??= await loadRawKey(keyFile, env.dataDir);
    } catch (error) {
      pause('key', error);
      return null;
    }
    await load();
    if (fault !== null) {
      log.info('the contents of HL7 messages are kept again');
      fault = null;
    }
    return key;
  };

  const keyToOpen = async (): Promise<Buffer> => {
    const by = key ?? (await loadRawKey(keyFile, env.dataDir).catch(() => null));
    if (by === null) {
      throw new HttpError(409, 'key_missing', 'The key of the messages cannot be read. Ask who runs the server.');
    }
    key = by;
    return by;
  };

  const endFile = async (set: FileSet): Promise<void> => {
    const file = writing.get(set);
    writing.delete(set);
    await file?.raw.close();
  };
  const endFiles = async (): Promise<void> => {
    for (const set of ['day', 'month'] as const) {
      await endFile(set).catch(() => undefined);
    }
  };
  const isWriting = ({ number, set }: StoredFile): boolean => writing.get(set)?.stored.number === number;
  const remove = async (file: StoredFile): Promise<void> => {
    if (isWriting(file)) {
      await endFile(file.set);
    }
    await rm(fileOf(file), { force: true });
    files.delete(file.number);
  };
  /** Deletes the oldest files until there is room for so many bytes. */
  const makeRoom = async (bytes: number): Promise<void> => {
    let [oldest] = files.values();
    while (oldest !== undefined && usedBytes() + bytes > mostBytes) {
      await remove(oldest);
      [oldest] = files.values();
    }
  };
  const fileFor = async (set: FileSet, at: EpochMs, bytes: number, by: Buffer) => {
    const current = writing.get(set);
    const age = at - (current?.stored.startedAt ?? 0);
    // Small beside the cap, so that the oldest file is never all that there is.
    const largest = Math.min(largestFile, mostBytes / 8);
    if (current !== undefined && age >= 0 && age < hourMs && current.raw.size() + bytes <= largest) {
      return current;
    }
    await endFile(set);
    // By the minute, so that no id comes twice, not even after all files were deleted.
    const number = Math.max(lastNumber + 1, Math.min(Math.floor(at / 60_000), mostMinutes));
    // Also if this fails: what is left of it must not be in the way of the next.
    lastNumber = number;
    const stored = { number, set, startedAt: at, bytes: 0 };
    const raw = await createRawFile(fileOf(stored), by);
    stored.bytes = raw.size();
    files.set(number, stored);
    writing.set(set, { stored, raw });
    return { stored, raw };
  };
  /** Takes the messages that are written in one go from those that wait. */
  const takeBatch = (): RawMessage[] => {
    let bytes = 0;
    const begun = waiting[0]?.receivedAt ?? 0;
    const isWithin = (message: RawMessage, index: number): boolean => {
      bytes += sizeOf(message);
      const after = message.receivedAt - begun;
      return index === 0 || (index < perBatch && bytes <= bytesPerBatch && after >= 0 && after < batchMs);
    };
    const end = waiting.findIndex((message, index) => !isWithin(message, index));
    const batch = end === -1 ? waiting : waiting.slice(0, end);
    waiting = waiting.slice(batch.length);
    waitingBytes -= batch.reduce((sum, message) => sum + sizeOf(message), 0);
    return batch;
  };
  /** Writes messages of one set into one file. */
  const write = async (messages: readonly RawMessage[], by: Buffer): Promise<void> => {
    const last = messages.at(-1);
    if (last === undefined) {
      return;
    }
    const bytes = messages.reduce((sum, message) => sum + sizeOf(message), 0);
    await makeRoom(bytes);
    const { stored, raw } = await fileFor(setOf(last), last.receivedAt, bytes, by);
    const records = await raw.append(
      messages.map(({ sender, content, ...message }) => ({
        head: { ...message, siteId: sender.site_id, senderId: sender.id },
        content,
      })),
    );
    stored.bytes = raw.size();
    for (const { head, offset, hasContent } of records) {
      enter({ ...head, id: idOf(stored.number, offset), isKept: hasContent });
    }
  };

  const writeSome = async (givenUp: AbortSignal): Promise<void> => {
    const batch = takeBatch();
    let unkept = batch;
    try {
      const by = await ready();
      if (by !== null) {
        for (const ofSet of [batch.filter(({ isWhole }) => isWhole), batch.filter(({ isWhole }) => !isWhole)]) {
          givenUp.throwIfAborted();
          await write(ofSet, by);
          unkept = unkept.filter((message) => !ofSet.includes(message));
        }
      }
    } catch (error) {
      await endFiles();
      pause('disk', error);
    }
    unkept.forEach(enterUnkept);
  };
  const writeAll = async (): Promise<void> => {
    // The answer to the message goes first.
    await turn();
    while (waiting.length > 0) {
      await inTurn(writeSome).catch((error: unknown) => {
        // The disk does not respond. A file that is not closed is none to go on with.
        writing.clear();
        pause('disk', error);
      });
    }
    work = null;
  };

  return {
    keep: (message) => {
      if (waitingBytes + sizeOf(message) > mostWaiting) {
        enterUnkept(message);
        return;
      }
      waiting.push(message);
      waitingBytes += sizeOf(message);
      work ??= writeAll();
    },
    list: async (siteId, which) => {
      await listed();
      const { day, month } = lists.get(siteId) ?? { day: [], month: [] };
      const entries = which === 'notWhole' ? month.toReversed() : [...month.toReversed(), ...day.toReversed()];
      return entries
        .sort((a, b) => b.receivedAt - a.receivedAt)
        .slice(0, mostListed)
        .map((entry) => ({ ...entry, isKept: entry.isKept && files.has(fileNumberOf(entry.id)) }));
    },
    usage: () => ({ usedBytes: usedBytes(), mostBytes, notKept, fault }),
    open: async (siteId, id) => {
      await listed();
      const { day, month } = lists.get(siteId) ?? { day: [], month: [] };
      const entry = [...day, ...month].find((one) => one.id === id);
      const file = files.get(fileNumberOf(id));
      if (entry === undefined) {
        throw notFound();
      }
      if (!entry.isKept || file === undefined) {
        throw new HttpError(409, 'message_not_kept', 'What is in this message is no longer kept.');
      }
      const by = await keyToOpen();
      const content = await openRawRecord(fileOf(file), by, id % largestFile).catch(() => null);
      if (content === null) {
        throw new HttpError(
          409,
          'message_damaged',
          'This message cannot be opened: its file was changed, or it was kept under another key.',
        );
      }
      return { entry, content };
    },
    async *readNotWhole(isWanted, after = 0) {
      await load();
      const left = [...files.values()].filter(({ number }) => number >= fileNumberOf(after));
      for (const file of left.filter(({ set }) => set === 'month')) {
        const by = await keyToOpen();
        // Its hour may end while it is read.
        const wasWriting = isWriting(file);
        try {
          const isLeft = (head: RawHead, offset: number): boolean =>
            idOf(file.number, offset) > after && isWanted(head);
          for await (const record of openRawFile(fileOf(file), by, isLeft)) {
            if (record !== null) {
              yield { ...record, id: idOf(file.number, record.offset) };
            } else if (!wasWriting) {
              // Else it is the end of what is being written, and no damage.
              yield null;
            }
          }
        } catch (error) {
          if (!(error instanceof Error && 'code' in error)) {
            throw error;
          }
          // Else it was deleted, because it was too old or there was no room.
          if (files.has(file.number)) {
            yield null;
          }
        }
      }
    },
    deleteOld: async (by, signal) => {
      await load();
      for (const file of [...files.values()]) {
        if (signal.aborted) {
          return;
        }
        await inTurn(async () => {
          if (!files.has(file.number)) {
            return;
          }
          if (by >= file.startedAt + hourMs + keptMs[file.set]) {
            await remove(file);
          } else if (file.startedAt > by) {
            // That of a clock that was set back since: it counts as now.
            const before = fileOf(file);
            if (isWriting(file)) {
              await endFile(file.set);
            }
            await rename(before, fileOf({ ...file, startedAt: by }));
            file.startedAt = by;
          }
        });
      }
      await inTurn(() => makeRoom(0));
    },
    flush: async () => {
      await work;
      await inTurn(endFiles);
    },
  };
}

const setOf = ({ isWhole }: Pick<RawHead, 'isWhole'>): FileSet => (isWhole ? 'day' : 'month');
const sizeOf = ({ content }: RawMessage): number => besideContent + (content?.length ?? 0);
const idOf = (number: number, offset: number): number => number * largestFile + offset;
const fileNumberOf = (id: number): number => Math.floor(id / largestFile);
const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';
