import type { Kysely } from 'kysely';
import { safeMessage } from '../../lib/monitoring/safeMessage';
import type { ScrubbedEvent } from '../../lib/monitoring/scrubEvent';
import type { ErrorReport } from '../../lib/monitoring/schema';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';

/** As many are kept; older ones go. */
const mostKept = 1_000;
/** So many ids stand with errors that are alike. */
const mostIds = 20;

/** An error as it is kept: where and what, nobody. */
interface ErrorEvent {
  /** The id that whoever met the error was shown. */
  report: string;
  source: 'page' | 'server';
  release: string;
  page: string;
  name: string;
  message: string;
  /** The innermost frame of our own code, "patients-3f.js PatientRow:12"; empty where there is none. */
  place: string;
}

/** Takes a scrubbed event of a page and returns what is kept of it. */
export function errorEventOf(event: ScrubbedEvent): ErrorEvent {
  const error = event.exception?.values.at(-1);
  const frames = error?.stacktrace?.frames ?? [];
  const frame = frames.findLast(({ in_app }) => in_app === true) ?? frames.at(-1);
  return {
    report: event.event_id ?? '',
    source: 'page',
    release: event.release ?? 'unknown',
    page: event.transaction ?? event.request?.url ?? 'unknown',
    name: error?.type ?? 'Error',
    message: error?.value ?? event.message ?? '',
    place: frame === undefined ? '' : `${frame.filename ?? ''} ${frame.function ?? ''}:${frame.lineno ?? 0}`,
  };
}

/** Takes what a route or a page threw, its pattern and the report's id and returns what is kept of it. */
export function serverErrorEvent(error: unknown, page: string, release: string, report: string): ErrorEvent {
  const known = error instanceof Error ? error : null;
  const line = known?.stack?.split('\n').find((text) => /dist\/main\.js|server\//.test(text)) ?? '';
  const place = /at (?:async )?([\w$.<>]+) .*?((?:dist|server)\/[\w./-]+:\d+)/.exec(line);
  return {
    report,
    source: 'server',
    release,
    page,
    name: /^[A-Za-z_$][\w$]{0,60}$/.test(known?.name ?? '') ? (known?.name ?? 'Error') : 'Error',
    message: safeMessage(known?.message ?? ''),
    place: place === null ? '' : `${place[2] ?? ''} ${place[1] ?? ''}`,
  };
}

/** Keeps an error and lets go of what is older than the last thousand. `at` is epoch milliseconds. */
export async function keepErrorEvent(db: Kysely<Database>, at: number, event: ErrorEvent): Promise<void> {
  const { id } = await db
    .insertInto('error_events')
    .values({ at, ...event })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom('error_events')
    .where('id', '<=', id - mostKept)
    .execute();
}

/**
 * The kept errors, alike ones together, the latest first: when, what, which release and page, how often, under which
 * ids.
 */
export async function listErrorReports(db: Kysely<Database>): Promise<ErrorReport[]> {
  // A thousand at most, so they are counted here, where the ids stay in their order on both engines.
  const rows = await db.selectFrom('error_events').selectAll().orderBy('id', 'desc').execute();
  const found = new Map<string, ErrorReport>();
  for (const { at, report, source, release, page, name, message, place } of rows) {
    const key = JSON.stringify([source, release, page, name, message, place]);
    const known = found.get(key);
    if (known === undefined) {
      const when = toInstant(at);
      found.set(key, {
        source,
        release,
        page,
        name,
        message,
        place,
        reports: ids(report),
        count: 1,
        first: when,
        last: when,
      });
    } else {
      known.count += 1;
      known.first = toInstant(at);
      known.reports.push(...(known.reports.length < mostIds ? ids(report) : []));
    }
  }
  return [...found.values()];
}

const ids = (report: string): string[] => (report === '' ? [] : [report]);
