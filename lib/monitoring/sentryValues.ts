import { release } from '../release';

/** The values of the page and of the server for Sentry. The product specification fixes the first lines. */
export const sentryValues = {
  tracesSampleRate: 1,
  environment: 'production',
  debug: false,
  release,
  // Whole transactions, which can be dropped by their page; a stream of spans could not.
  traceLifecycle: 'static' as const,
  sendClientReports: true,
  // Only what the allow-list of scrubEvent names is sent. Each kind is switched off by its name, because a kind that is
  // not named is on.
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
  // No call carries a trace: the server's own log has what a trace would add.
  tracePropagationTargets: [],
};

/** The product specification fixes some values of a replay; the others hide more of it. */
export const replayValues = {
  maskAllText: true,
  maskAllInputs: true,
  blockAllMedia: true,
  // A link's address may have the number of a patient, and the recorder masks no addresses.
  block: ['canvas', 'svg', '[data-phi]', '[href*="?"]'],
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

/** The page of unknown addresses: its speed is of no interest. */
export const droppedTransaction = '/404';
