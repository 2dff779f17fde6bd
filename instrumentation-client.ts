// Runs before hydration.
import { config } from 'zod/v4/core';
import { holdErrors } from './lib/monitoring/pageErrors';
import { withholdErrors } from './lib/monitoring/withholdErrors';
import { whenIdle } from './lib/browser/whenIdle';
import { whenLoaded } from './lib/browser/whenLoaded';

// zod would try whether it may compile schemas with `new Function`; the Content-Security-Policy forbids it and reports
// the try.
config({ jitless: true });

// antd's variables and icons, and the scroll lock of drawers, arrive as style elements that the page makes itself; the
// policy lets only elements with this page's nonce in. A script element gets none: whoever could make one could
// otherwise run anything.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const createElement = Document.prototype.createElement;

Document.prototype.createElement = function createWithNonce(
  this: Document,
  name: string,
  options?: ElementCreationOptions,
): HTMLElement {
  const element = createElement.call(this, name, options);
  if (nonce !== undefined && element instanceof HTMLStyleElement) {
    element.nonce = nonce;
  }
  return element;
};

/** The first numbers are read and drawn by then, on a slow computer too. */
const reportsAfterLoadMs = 5_000;
const tryAgainMs = 30_000;
let isFetching = false;

/**
 * The code that sends reports comes by itself some time after the page, and at once when there is something to send.
 */
function fetchReports(): void {
  if (!isFetching) {
    isFetching = true;
    import('./sentry.client.config').catch(() => {
      isFetching = false;
      setTimeout(fetchReports, tryAgainMs);
    });
  }
}

// In development the patients are made up, and whoever looks at the console needs the error itself.
if (process.env.NODE_ENV === 'production') {
  withholdErrors();
}
holdErrors(() => void whenLoaded(fetchReports));
whenLoaded(() => setTimeout(() => whenIdle(fetchReports), reportsAfterLoadMs));
