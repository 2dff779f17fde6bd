// The recording of what led to an error: the largest part of the SDK, loaded after everything else.
import { addIntegration, replayIntegration } from '@sentry/nextjs';
import { scrubReplayFrame } from './lib/monitoring/scrubReplayFrame';
import { replayValues } from './lib/monitoring/sentryValues';

addIntegration(
  replayIntegration({
    ...replayValues,
    // The SDK would make its worker from a text, which the Content-Security-Policy forbids.
    workerUrl: '/replay_worker.js',
    beforeAddRecordingEvent: (event) => {
      switch (event.data.tag) {
        case 'options':
          return event;
        case 'performanceSpan': {
          const payload = scrubReplayFrame(event.data.payload);
          return payload === null ? null : { ...event, data: { tag: 'performanceSpan', payload } };
        }
        // The words of a click or a key name the element, and with it its content.
        case 'breadcrumb':
          return null;
      }
    },
  }),
);
