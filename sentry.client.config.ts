// The page's error reports. Loaded by instrumentation-client.ts when the page is usable, never part of the first load.
import {
  breadcrumbsIntegration,
  browserTracingIntegration,
  captureException,
  dedupeIntegration,
  eventFiltersIntegration,
  globalHandlersIntegration,
  init,
  linkedErrorsIntegration,
  setUser,
} from '@sentry/nextjs';
import { handOver } from './lib/monitoring/pageErrors';
import { routePattern } from './lib/monitoring/routePattern';
import { scrubBreadcrumb, scrubEvent, scrubReplayEvent } from './lib/monitoring/scrubEvent';
import { droppedTransaction, replayRates, sentryValues } from './lib/monitoring/sentryValues';
import { whenIdle } from './lib/browser/whenIdle';
import { paths } from './lib/paths';

/**
 * The receiver that the operator named, as _document wrote it. Without one the server keeps errors and needs nothing
 * else.
 */
const receiver = document.documentElement.dataset.reports;

const client = init({
  ...sentryValues,
  ...replayRates,
  // The SDK needs a receiver to send anything at all. Everything goes through the tunnel, so this address receives
  // nothing.
  dsn: receiver ?? `${location.protocol}//page@${location.host}/1`,
  tunnel: '/monitoring',
  // The SDK's own list contains the console, the language, cookies' sessions and more.
  defaultIntegrations: false,
  integrations: [
    eventFiltersIntegration(),
    globalHandlersIntegration(),
    linkedErrorsIntegration(),
    dedupeIntegration(),
    breadcrumbsIntegration({ dom: false, history: true, fetch: true, xhr: true, sentry: false }),
    ...(receiver === undefined
      ? []
      : [
          browserTracingIntegration({
            enableLongTask: false,
            enableLongAnimationFrame: false,
            enableHTTPTimings: false,
            // Polled every five seconds, and measured by the server.
            traceFetch: false,
            traceXHR: false,
            linkPreviousTrace: 'off',
          }),
        ]),
  ],
  beforeBreadcrumb: (breadcrumb) => scrubBreadcrumb(breadcrumb),
  beforeSend: (event) => ({
    ...scrubEvent({ ...event, transaction: routePattern(location.pathname) }),
    type: undefined,
  }),
  beforeSendTransaction: (event) =>
    event.transaction === droppedTransaction ? null : { ...scrubEvent(event), type: 'transaction' },
});
client?.addEventProcessor((event) =>
  event.type === 'replay_event' ? { ...scrubReplayEvent(event), type: 'replay_event' } : event,
);

handOver({
  send: (error, id) => {
    captureException(error, { event_id: id });
  },
  setUser: (id) => {
    setUser(id === null ? null : { id });
  },
});

// Patients at home are not recorded (pages/check_in.tsx); no other page leads there, and it leads to none.
if (receiver !== undefined && location.pathname !== paths.checkIn) {
  whenIdle(() => {
    // Without it errors are reported all the same.
    import('./sentry.replay.config').catch(() => undefined);
  });
}
