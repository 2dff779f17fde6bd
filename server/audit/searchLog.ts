import type { Actor } from './actor';

/** The most ids of patients that one row keeps. */
export const mostIds = 50;
/** The least time between two rows of one session, in milliseconds. */
const rowEveryMs = 60_000;

/** What one search showed. */
export interface Search {
  filters: readonly string[];
  patientIds: readonly number[];
  /** Under an emergency access. */
  isOpened: boolean;
}

/** The details of a row: how many searches, how many patients they showed, by which filters, and the first ids. */
export interface SearchDetails {
  searches: number;
  count: number;
  filters: string[];
  patientIds: number[];
  breakGlass?: true;
}

export interface SearchLog {
  /**
   * Counts a search of a session, which has another name under an emergency access. Returns a promise of its row if the
   * session wrote none for a minute, else null: the next row counts it. Rejects if no row can be written; the search
   * must not be answered then.
   */
  note(session: string, actor: Actor, search: Search): Promise<void> | null;
  /** Writes what is counted and a minute old; `all`: everything, before the server stops. */
  flush(all?: boolean): Promise<void>;
}

interface Counted {
  actor: Actor;
  /** By the clock that no one sets, in milliseconds; null: never. */
  wroteAt: number | null;
  writing: Promise<void> | null;
  isOpened: boolean;
  searches: number;
  filters: Set<string>;
  patientIds: Set<number>;
}

/**
 * Creates a log that writes at most one row a minute for each session, however often it searches: rows of the audit
 * cannot be deleted, and every letter that is typed is a search.
 */
export function createSearchLog(
  elapsed: () => number,
  write: (actor: Actor, details: SearchDetails) => Promise<void>,
): SearchLog {
  const sessions = new Map<string, Counted>();

  const isDue = ({ wroteAt }: Counted): boolean => wroteAt === null || elapsed() - wroteAt >= rowEveryMs;

  function writeRow(counted: Counted): Promise<void> {
    const { actor, wroteAt, isOpened, searches, filters, patientIds } = counted;
    const details: SearchDetails = {
      searches,
      count: patientIds.size,
      filters: [...filters],
      patientIds: [...patientIds].slice(0, mostIds),
      ...(isOpened ? { breakGlass: true } : {}),
    };
    Object.assign(counted, { wroteAt: elapsed(), searches: 0, filters: new Set(), patientIds: new Set() });
    const writing = write(actor, details).then(
      () => {
        counted.writing = null;
      },
      (error: unknown) => {
        counted.writing = null;
        counted.wroteAt = wroteAt;
        counted.searches += searches;
        counted.filters = new Set([...filters, ...counted.filters]);
        counted.patientIds = new Set([...patientIds, ...counted.patientIds]);
        throw error;
      },
    );
    counted.writing = writing;
    return writing;
  }

  return {
    note: (session, actor, { filters, patientIds, isOpened }) => {
      const counted = sessions.get(session) ?? {
        actor,
        wroteAt: null,
        writing: null,
        isOpened,
        searches: 0,
        filters: new Set<string>(),
        patientIds: new Set<number>(),
      };
      sessions.set(session, counted);
      counted.searches += 1;
      filters.forEach((filter) => counted.filters.add(filter));
      patientIds.forEach((id) => counted.patientIds.add(id));
      return counted.writing ?? (isDue(counted) ? writeRow(counted) : null);
    },
    flush: async (all = false) => {
      for (const [session, counted] of sessions) {
        if (counted.searches > 0 && (all || isDue(counted))) {
          await writeRow(counted);
        } else if (counted.searches === 0 && counted.writing === null && isDue(counted)) {
          sessions.delete(session);
        }
      }
    },
  };
}
