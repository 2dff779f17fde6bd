import type { FastifyRequest } from 'fastify';
import type { CsvCell } from '../../lib/csvLine';
import type { EpochMs } from '../../lib/time/epochMs';
import type { PatientRow } from '../db/rows';
import type { Server } from '../server';

/** Of what and whom a file is, and for whom. */
export interface Exported {
  server: Server;
  request: FastifyRequest;
  patient: PatientRow;
  /** The first instant, epoch milliseconds. */
  from: EpochMs;
  /** The instant after the last. */
  to: EpochMs;
  /** Writes an instant as the site's clocks show it, with its offset. */
  siteTime: (at: EpochMs) => string;
  /** Writes an instant in UTC. */
  utcTime: (at: EpochMs) => string;
}

/** One kind of rows. */
export interface ExportedKind {
  /** The columns behind those that say whose row it is. */
  columns: readonly string[];
  /** Resolves with about how many rows there are; null if counting them would take too long. */
  estimate: (exported: Exported) => Promise<number | null>;
  /**
   * Yields the rows, the oldest first. Reading one part takes a few milliseconds of the thread that also takes samples
   * in. Its rows may be made one by one, while they are taken.
   */
  rows: (exported: Exported) => AsyncGenerator<Iterable<CsvCell[]>>;
}

/** Returns the two columns of an instant. */
export const timeColumns = (name: string): string[] => [`${name}_site`, `${name}_utc`];

/** Returns the two cells of an instant; empty: there is none. */
export function timeCells({ siteTime, utcTime }: Exported, at: EpochMs | null): CsvCell[] {
  return at === null ? [null, null] : [siteTime(at), utcTime(at)];
}

/** "yes" or "no". */
export const yesNo = (is: boolean): string => (is ? 'yes' : 'no');
