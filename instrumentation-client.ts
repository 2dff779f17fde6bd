// Runs before hydration.
import { hydrateInSlices } from './components/layout/hydrateInSlices';
import { holdErrors } from './lib/monitoring/pageErrors';
import { withholdErrors } from './lib/monitoring/withholdErrors';
import { whenIdle } from './lib/browser/whenIdle';
import { whenLoaded } from './lib/browser/whenLoaded';

// zod would test whether it may compile schemas with `new Function`; the Content-Security-Policy forbids and reports
// that. zod reads this object when it is loaded with the first call; its own `config` would bring 5 kB into every page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// antd's variables and icons, and the scroll lock of drawers, are style elements that the page creates; the policy
// admits only elements with this page's nonce. A script element gets none: otherwise code that can create one could run
// anything.
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

hydrateInSlices();

// A browser's first formatter takes a slow computer 60 ms, whichever it is. Hydration needs one: made in a task before
// it, that is no part of one of its slices.
if (document.querySelector('time') !== null) {
  setTimeout(() => new Intl.DateTimeFormat('en-GB').format());
}

/** By then the first numbers are read and drawn, on a slow computer too. */
const reportsAfterLoadMs = 5_000;
const tryAgainMs = 30_000;
let isFetching = false;

/** Loads the code that sends reports some time after the page, and at once when there is something to send. */
function fetchReports(): void {
  if (!isFetching) {
    isFetching = true;
    import('./sentry.client.config').catch(() => {
      isFetching = false;
      setTimeout(fetchReports, tryAgainMs);
    });
  }
}

// In development the patients are invented, and developers need the error itself on the console.
if (process.env.NODE_ENV === 'production') {
  withholdErrors();
}
holdErrors(() => void whenLoaded(fetchReports));
whenLoaded(() => setTimeout(() => whenIdle(fetchReports), reportsAfterLoadMs));
