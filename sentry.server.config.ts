// The server's error reports. Imported first of all by server/main.ts.
import { createRequire } from 'node:module';
import type * as Sentry from '@sentry/nextjs';
import { scrubEvent } from './lib/monitoring/scrubEvent';
import { droppedTransaction, sentryValues } from './lib/monitoring/sentryValues';
import { parseDsn } from './server/monitoring/dsn';
import type { ServerReporter } from './server/monitoring/serverReporter';

const load = createRequire(__filename);
const closeWithinMs = 2_000;

/**
 * Sends to the receiver in SENTRY_DSN, directly. Null without one: then the SDK, 40 MB of memory, is not even loaded.
 */
export const serverReporter = start(process.env.SENTRY_DSN ?? '');

function start(dsn: string): ServerReporter | null {
  if (parseDsn(dsn) === null) {
    return null;
  }
  const sentry = load('@sentry/nextjs') as typeof Sentry;
  sentry.init({
    ...sentryValues,
    dsn,
    // The SDK's own list watches every request, query, child process and local variable, and prints what it finds.
    defaultIntegrations: false,
    integrations: [sentry.linkedErrorsIntegration()],
    enableOpenTelemetrySetup: false,
    // It would rewrite the packages that the server loads, to listen to them.
    enableRuntimeChannelInjection: false,
    includeServerName: false,
    beforeSend: (event) => ({ ...scrubEvent(event), type: undefined }),
    beforeSendTransaction: (event) =>
      event.transaction === droppedTransaction ? null : { ...scrubEvent(event), type: 'transaction' },
  });
  return {
    send: (error, route, id) => {
      sentry.withScope((scope) => {
        scope.setTransactionName(route);
        sentry.captureException(error, { event_id: id });
      });
    },
    close: async () => {
      await sentry.close(closeWithinMs);
    },
  };
}
