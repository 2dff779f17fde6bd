import type { Kysely } from 'kysely';
import { errorName } from '../../lib/monitoring/codeNames';
import { safeMessage } from '../../lib/monitoring/safeMessage';
import type { ScrubbedEvent } from '../../lib/monitoring/scrubEvent';
import type { ErrorReport } from '../../lib/monitoring/schema';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';

/**
 * The most errors that are kept of the server, of the pages of one site, and of pages without a session. Older ones of
 * the same sender are deleted: no stranger can push out what a ward reported.
 */
const mostKept = { server: 1_000, site: 1_000, strangers: 200 };
/** The most ids listed for errors that are alike. */
const maxIds = 20;

/** An error as it is stored: what happened and where, without personal data. */
interface ErrorEvent {
  /** The id that was shown to the user. */
  report: string;
  source: 'page' | 'server';
  release: string;
  page: string;
  name: string;
  message: string;
  /** The innermost frame of our own code, for example "patients-3f.js:1:5120"; empty if there is none. */
  place: string;
}

/** Returns what is stored of a page's scrubbed event. */
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
    place: frame === undefined ? '' : `${frame.filename ?? ''}:${frame.lineno ?? 0}:${frame.colno ?? 0}`,
  };
}

/** Returns what is stored of an error that a route or a page threw. `page` is its pattern, `report` the report's id. */
export function serverErrorEvent(error: unknown, page: string, release: string, report: string): ErrorEvent {
  const known = error instanceof Error ? error : null;
  const line = known?.stack?.split('\n').find((text) => /dist\/main\.js|server\//.test(text)) ?? '';
  const place = /(?:dist|server)\/[\w./-]+:\d+:\d+/.exec(line);
  return {
    report,
    source: 'server',
    release,
    page,
    name: errorName(known?.name ?? 'Error'),
    message: safeMessage(known?.message ?? ''),
    place: place?.[0] ?? '',
  };
}

/**
 * Stores an error and deletes older ones of the same sender. `siteId`: the site of the user whose page sent it, null
 * for the server's own errors and for a page without a session.
 */
export async function keepErrorEvent(
  db: Kysely<Database>,
  at: number,
  event: ErrorEvent,
  siteId: number | null,
): Promise<void> {
  await db
    .insertInto('error_events')
    .values({ at, ...event, site_id: siteId })
    .execute();
  const most = event.source === 'server' ? mostKept.server : siteId === null ? mostKept.strangers : mostKept.site;
  const ofSender = db
    .selectFrom('error_events')
    .select('id')
    .where('source', '=', event.source)
    .where('site_id', siteId === null ? 'is' : '=', siteId);
  const last = await ofSender.orderBy('id', 'desc').offset(most).limit(1).executeTakeFirst();
  if (last !== undefined) {
    await db
      .deleteFrom('error_events')
      .where('id', 'in', ofSender.where('id', '<=', last.id))
      .execute();
  }
}

/**
 * Returns the stored errors that concern a site, latest first, with those that are alike in one entry: when, what,
 * which release and page, how often, and under which ids. They are those of its pages, of pages without a session and
 * of the server.
 */
export async function listErrorReports(db: Kysely<Database>, siteId: number): Promise<ErrorReport[]> {
  // At most some thousand, so they are grouped here, where the ids keep their order on both engines.
  const rows = await db
    .selectFrom('error_events')
    .selectAll()
    .where((is) => is.or([is('site_id', 'is', null), is('site_id', '=', siteId)]))
    .orderBy('id', 'desc')
    .execute();
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
      known.reports.push(...(known.reports.length < maxIds ? ids(report) : []));
    }
  }
  return [...found.values()];
}

const ids = (report: string): string[] => (report === '' ? [] : [report]);
