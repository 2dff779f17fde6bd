import type { Kysely } from 'kysely';
import { routePattern } from '../../lib/monitoring/routePattern';
import { safeMessage } from '../../lib/monitoring/safeMessage';
import type { ScrubbedEvent } from '../../lib/monitoring/scrubEvent';
import type { ErrorReport } from '../../lib/monitoring/schema';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';

/** As many are kept; older ones go. */
const mostKept = 1_000;

/** An error as it is kept: where and what, nobody. */
interface ErrorEvent {
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
    source: 'page',
    release: event.release ?? 'unknown',
    page: event.transaction ?? event.request?.url ?? 'unknown',
    name: error?.type ?? 'Error',
    message: error?.value ?? event.message ?? '',
    place: frame === undefined ? '' : `${frame.filename ?? ''} ${frame.function ?? ''}:${frame.lineno ?? 0}`,
  };
}

/** Takes what a route threw and the route's pattern and returns what is kept of it. */
export function serverErrorEvent(error: unknown, route: string, release: string): ErrorEvent {
  const known = error instanceof Error ? error : null;
  const line = known?.stack?.split('\n').find((text) => /dist\/main\.js|server\//.test(text)) ?? '';
  const place = /at (?:async )?([\w$.<>]+) .*?((?:dist|server)\/[\w./-]+:\d+)/.exec(line);
  return {
    source: 'server',
    release,
    page: routePattern(route),
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

/** The kept errors, alike ones together, the latest first: when, what, which release and page, how often. */
export async function listErrorReports(db: Kysely<Database>): Promise<ErrorReport[]> {
  const rows = await db
    .selectFrom('error_events')
    .select((select) => [
      'source',
      'release',
      'page',
      'name',
      'message',
      'place',
      select.fn.countAll<number>().as('count'),
      select.fn.min('at').as('first'),
      select.fn.max('at').as('last'),
    ])
    .groupBy(['source', 'release', 'page', 'name', 'message', 'place'])
    .orderBy('last', 'desc')
    .execute();
  return rows.map(({ first, last, ...row }) => ({ ...row, first: toInstant(first), last: toInstant(last) }));
}
