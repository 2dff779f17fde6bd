import { release } from '../release';

/** What the page and the server tell Sentry alike. The first lines are fixed by the product specification. */
export const sentryValues = {
  tracesSampleRate: 1,
  environment: 'production',
  debug: false,
  release,
  // Whole transactions, which can be told apart by their page and dropped; a stream of spans could not.
  traceLifecycle: 'static' as const,
  sendClientReports: true,
  // Only what the allow-list of scrubEvent names leaves. Nothing else is even looked at: each kind is off by its name,
  // because what is not named is on.
  dataCollection: {
    userInfo: false,
    cookies: false,
    httpHeaders: { request: false, response: false },
    httpBodies: [],
    urlQueryParams: false,
    databaseQueryData: false,
    stackFrameVariables: false,
    frameContextLines: 0,
    queues: false,
    graphQL: { document: false, variables: false },
    genAI: { inputs: false, outputs: false },
  },
  // No call to anybody carries a trace: what our server would do with it, its own log does.
  tracePropagationTargets: [],
};

/** What of a replay is fixed by the product specification, and what else is hidden in one. */
export const replayValues = {
  maskAllText: true,
  maskAllInputs: true,
  blockAllMedia: true,
  block: ['canvas', 'svg', '[data-phi]'],
  maskAttributes: [
    'title',
    'aria-label',
    'aria-description',
    'aria-valuetext',
    'alt',
    'placeholder',
    'value',
    'content',
    'label',
  ],
  networkDetailAllowUrls: [],
  networkCaptureBodies: false,
};
export const replayRates = { replaysOnErrorSampleRate: 1, replaysSessionSampleRate: 0.1 };

/** The page of addresses that do not exist: nobody wants to know how fast it was. */
export const droppedTransaction = '/404';
