import { z } from 'zod';
import { errorName, functionName } from './codeNames';
import { routePattern } from './routePattern';
import { safeMessage } from './safeMessage';

/**
 * The allow-list of what an error report may carry, as a schema: it drops what it does not name, and a field that does
 * not have its form. Used in the page before a report is sent and on the server before it is kept or passed on, so that
 * neither has to trust the other. The fields are those of Sentry's event payload.
 */
const dropped = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const shaped = (pattern: RegExp) => dropped(z.string().regex(pattern));
const listOf = <Schema extends z.ZodType>(schema: Schema, most: number) =>
  z.array(schema.nullable().catch(null)).transform((items) => items.filter((item) => item !== null).slice(-most));

const hex = (length: number) => shaped(new RegExp(`^[0-9a-f]{${length}}$`));
/** The names in code: without spaces, so no sentence and no full name. */
const wordForm = /^[\w.:/@$-]{1,80}$/;
const word = shaped(wordForm);
const number = dropped(z.number());
const address = dropped(z.string().transform(routePattern));
const fixedWord = <Word extends string>(...words: [Word, ...Word[]]) => dropped(z.enum(words));

/** Our own scripts by their path; any other script may be named after anything. */
const fileName = dropped(
  z
    .string()
    .transform(
      (text) =>
        /(?:\/_next\/static\/chunks\/[\w./~-]+|node:[\w:/]+|(?:dist|node_modules)\/[\w./@~-]+)$/.exec(text)?.[0] ??
        'other',
    ),
);

const frame = z.object({
  filename: fileName,
  function: dropped(z.string().transform(functionName)),
  lineno: number,
  colno: number,
  in_app: dropped(z.boolean()),
});

const exception = z.object({
  type: dropped(z.string().transform(errorName)),
  value: dropped(z.string().transform(safeMessage)),
  mechanism: dropped(z.object({ type: z.string().regex(wordForm), handled: dropped(z.boolean()) })),
  stacktrace: dropped(z.object({ frames: listOf(frame, 100) })),
});

const breadcrumb = z.object({
  timestamp: number,
  type: fixedWord('default', 'http', 'navigation', 'error', 'ui'),
  category: shaped(/^[a-z.]{1,30}$/),
  level: fixedWord('debug', 'info', 'warning', 'error', 'fatal', 'log'),
  data: dropped(
    z.object({ from: address, to: address, url: address, method: shaped(/^[A-Z]{3,7}$/), status_code: number }),
  ),
});

const traceContext = {
  trace_id: z.string().regex(/^[0-9a-f]{32}$/),
  span_id: z.string().regex(/^[0-9a-f]{16}$/),
  parent_span_id: hex(16),
  op: word,
  status: word,
};

const span = z
  .object({
    ...traceContext,
    start_timestamp: z.number(),
    timestamp: number,
    // A call's begins with its method.
    description: dropped(z.string().transform((text) => routePattern(text.replace(/^[A-Z]{3,7} /, '')))),
  })
  // Its attributes would name addresses and elements; the protocol requires the fields.
  .transform((known) => ({ ...known, status: known.status ?? 'unknown', data: {} }));

const shared = {
  event_id: hex(32),
  timestamp: number,
  start_timestamp: number,
  platform: word,
  level: fixedWord('debug', 'info', 'warning', 'error', 'fatal'),
  release: word,
  environment: word,
  sdk: dropped(z.object({ name: word, version: word })),
  user: dropped(
    z.object({
      id: dropped(
        z
          .union([z.string(), z.int()])
          .transform(String)
          .pipe(z.string().regex(/^\d{1,15}$/)),
      ),
    }),
  ),
};

const event = z.object({
  ...shared,
  type: fixedWord('transaction'),
  transaction: address,
  message: dropped(z.string().transform(safeMessage)),
  request: dropped(z.object({ url: address })),
  exception: dropped(z.object({ values: listOf(exception, 10) })),
  breadcrumbs: dropped(listOf(breadcrumb, 100)),
  contexts: dropped(
    z.object({ trace: dropped(z.object(traceContext)), replay: dropped(z.object({ replay_id: hex(32) })) }),
  ),
  // A receiver finds the replay of an error by it.
  tags: dropped(z.object({ replayId: hex(32) })),
  spans: dropped(listOf(span, 1_000)),
  transaction_info: dropped(z.object({ source: z.enum(['custom', 'url', 'route', 'view', 'component', 'task']) })),
  measurements: dropped(
    z.record(z.string().regex(/^[a-z0-9_.]{1,40}$/), z.object({ value: z.number(), unit: z.string().regex(wordForm) })),
  ),
});
export type ScrubbedEvent = z.infer<typeof event>;

const replayEvent = z.object({
  ...shared,
  type: fixedWord('replay_event'),
  replay_id: hex(32),
  replay_start_timestamp: number,
  segment_id: number,
  replay_type: fixedWord('session', 'buffer'),
  error_ids: dropped(listOf(z.string().regex(/^[0-9a-f]{32}$/), 100)),
  trace_ids: dropped(listOf(z.string().regex(/^[0-9a-f]{32}$/), 100)),
  urls: dropped(listOf(z.string().transform(routePattern), 100)),
});

const clientReport = z.object({
  timestamp: number,
  discarded_events: dropped(listOf(z.object({ reason: word, category: word, quantity: number }), 100)),
});

/** Returns what may be kept or sent of an error or a transaction of any form. */
export function scrubEvent(given: object): ScrubbedEvent {
  return event.parse(given);
}

/** Returns what may stay of a breadcrumb of a page, or null: no click, because its words name an element. */
export function scrubBreadcrumb(given: object): z.infer<typeof breadcrumb> | null {
  const parsed = breadcrumb.parse(given);
  return parsed.category !== undefined && ['navigation', 'fetch', 'xhr'].includes(parsed.category) ? parsed : null;
}

/** Does the same for the event of a replay. */
export function scrubReplayEvent(given: object): z.infer<typeof replayEvent> {
  return replayEvent.parse(given);
}

/** Does the same for the count of what a page did not send. */
export function scrubClientReport(given: object): z.infer<typeof clientReport> {
  return clientReport.parse(given);
}
