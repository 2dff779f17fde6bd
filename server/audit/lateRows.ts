import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { audit, type AuditEvent } from '../audit';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { untilHung } from '../db/untilHung';
import { passOver } from '../http/errors';
import { HttpError } from '../http/httpError';
import { system, type Actor } from './actor';

/** How many rows of the audit wait in memory: `from` the time of the oldest, for each site (null: of no site). */
const waitingRows = z.object({
  from: z.number(),
  sites: z.array(z.tuple([z.number().nullable(), z.number()])),
});
type WaitingRows = z.infer<typeof waitingRows>;

/** Says on the disk, beside the database, that rows of the audit wait in memory: a crash would lose them. */
interface LossMarker {
  /** What waited when the process before this one ended; null: nothing; `unreadable`: something did. */
  found: WaitingRows | 'unreadable' | null;
  /** Says what waits from now on; null: nothing. Throws if it cannot be written. */
  write(waiting: WaitingRows | null): void;
}

/** In bytes: room for some hundred sites. */
const markerSize = 8_192;

/**
 * Opens the marker of a data folder. It is overwritten in place and never grows, because it is needed when the disk is
 * full.
 */
function openLossMarker(dataDir: string): LossMarker {
  const file = path.join(dataDir, 'audit-waiting');
  let isMarked = false;
  if (!existsSync(file)) {
    try {
      writeFileSync(file, textOf(null), { mode: 0o600 });
    } catch {
      // No room for it: then `write` throws until there is.
    }
  }
  return {
    found: read(file),
    write: (waiting) => {
      const text = textOf(waiting);
      const open = openSync(file, existsSync(file) ? 'r+' : 'w', 0o600);
      try {
        writeSync(open, text, 0);
        // That some wait outlives a power cut; how many only the process, because a view must not take long.
        if (!isMarked || waiting === null) {
          fsyncSync(open);
        }
        isMarked = waiting !== null;
      } finally {
        closeSync(open);
      }
    },
  };
}

function textOf(waiting: WaitingRows | null): string {
  const text = JSON.stringify(waiting);
  if (text.length > markerSize) {
    throw new Error('Rows of too many sites wait for the audit');
  }
  return text.padEnd(markerSize);
}

function read(file: string): LossMarker['found'] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  try {
    return waitingRows.nullable().parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}

/** A row of the audit that may be written after what it records has happened. */
export interface LateRow {
  at: EpochMs;
  actor: Actor;
  event: AuditEvent;
  /** Stored in the same transaction. */
  also?: (transaction: Kysely<Database>) => Promise<void>;
}

/**
 * The rows of views, and of those who leave. While nothing can be stored patients are still looked at: then these rows
 * wait in memory. Rows of all other acts are written with the act (`audit`), or it does not happen.
 */
export interface LateRows {
  /**
   * Resolves once the row is committed; if the store cannot store now, once it waits. Rejects with 503 if too many
   * wait, or if the disk cannot even say that some do. Any other fault rejects as it is.
   */
  write(row: LateRow): Promise<void>;
  /** Appends what waits to the audit, in its order. Rejects if that fails; what is left goes on waiting. */
  append(givenUp?: AbortSignal): Promise<void>;
  /** Returns how many rows wait. */
  count(): number;
}

const mostWaiting = 10_000;
/** How long a view waits for its row at most, in milliseconds: a store that hangs must not hold it up. */
const viewWaitsMs = 2_000;
/** Rows of one transaction, so that others have their turn within some 30 ms. */
const rowsAtOnce = 50;

/** A row that waits, and how many its loss would lose: that of a loss speaks for all that were lost. */
interface Waiting extends LateRow {
  rows: number;
  from: EpochMs;
}

const cannotRecord = (): HttpError =>
  new HttpError(503, 'storage_unavailable', 'Nothing can be stored just now, and this has to be recorded. Try again.', {
    retryAfter: 2,
  });

/** Opens the rows of a data folder. What the process before this one has lost is the first that is written. */
export async function openLateRows(
  { db }: Pick<Store, 'db'>,
  dataDir: string,
  now: () => EpochMs,
  most = mostWaiting,
): Promise<LateRows> {
  const waiting: Waiting[] = [];
  const marker = openLossMarker(dataDir);

  const store = (rows: readonly LateRow[], givenUp: AbortSignal | undefined): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      for (const { also } of rows) {
        await also?.(transaction);
      }
      // Last, because it locks the audit for all others.
      for (const { at, actor, event } of rows) {
        await audit(transaction, at, actor, event);
      }
      givenUp?.throwIfAborted();
    });

  /** What of each site waits. Counted row by row: with thousands of them each view would count them all. */
  let sites = new Map<number | null, number>();
  const count = ({ actor, rows }: Waiting): void => {
    sites.set(actor.siteId, (sites.get(actor.siteId) ?? 0) + rows);
  };
  const mark = (): void => {
    const [first] = waiting;
    marker.write(first === undefined ? null : { from: first.from, sites: [...sites] });
  };

  const keep = (row: Waiting): void => {
    if (waiting.length >= most) {
      throw cannotRecord();
    }
    waiting.push(row);
    const before = new Map(sites);
    count(row);
    try {
      mark();
    } catch {
      // Its loss could not be known.
      waiting.pop();
      sites = before;
      throw cannotRecord();
    }
  };

  const write = async (row: Waiting): Promise<void> => {
    if (waiting.length === 0) {
      try {
        await untilHung(viewWaitsMs, (givenUp) => store([row], givenUp));
        return;
      } catch (error) {
        passOver(error);
      }
    }
    keep(row);
  };

  const rows: LateRows = {
    write: (row) => write({ ...row, rows: 1, from: row.at }),
    append: async (givenUp) => {
      while (waiting.length > 0) {
        const next = waiting.slice(0, rowsAtOnce);
        await store(next, givenUp);
        waiting.splice(0, next.length);
        sites = new Map();
        waiting.forEach(count);
        mark();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    count: () => waiting.length,
  };
  await recordLoss();
  return rows;

  async function recordLoss(): Promise<void> {
    const { found } = marker;
    if (found === null) {
      return;
    }
    const sites = found === 'unreadable' ? [[null, 0] as const] : found.sites;
    for (const [siteId, count] of sites) {
      const details = found === 'unreadable' ? undefined : { count, from: toInstant(found.from) };
      await write({
        at: now(),
        actor: { ...system, siteId },
        event: { action: 'lose_views', outcome: 'done', details },
        rows: count,
        from: found === 'unreadable' ? now() : found.from,
      });
    }
    if (waiting.length === 0) {
      marker.write(null);
    }
  }
}
