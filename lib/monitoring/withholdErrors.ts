import { logError } from '../log';
import { errorName } from './codeNames';

/**
 * Keeps the text of errors off the console, where the next person at the computer would read a name or a value that an
 * error quotes. React and Next print errors as they are, and Next's pages router takes no handlers for them
 * (`onCaughtError` and its siblings are options of a root that Next makes). So a printed error becomes its kind, such
 * as "TypeError" or "Error #418" (React's own number), and so does an uncaught one. The error itself goes to the
 * reports. Returns the function that ends this.
 */
export function withholdErrors(): () => void {
  const { error, warn } = console;
  const withholding =
    (print: typeof error): typeof error =>
    (...parts: unknown[]) => {
      print.apply(console, parts.map(withheld));
    };
  Object.assign(console, { error: withholding(error), warn: withholding(warn) });
  const onError = (event: ErrorEvent): void => {
    // Otherwise the browser prints it as well, with its text.
    event.preventDefault();
    if (event.error === null && event.message.startsWith('ResizeObserver loop')) {
      // No error: the browser says that it draws the rest of a change of size with the next frame.
      return;
    }
    logError(`Uncaught ${kindOf(event.error)}`);
  };
  const onRejection = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    logError(`Uncaught (in promise) ${kindOf(event.reason)}`);
  };
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onRejection);
  return () => {
    Object.assign(console, { error, warn });
    removeEventListener('error', onError);
    removeEventListener('unhandledrejection', onRejection);
  };
}

const withheld = (part: unknown): unknown => (part instanceof Error ? kindOf(part) : part);

function kindOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) {
    return typeof thrown;
  }
  const react = /^Minified React error( #\d+)/.exec(thrown.message)?.[1] ?? '';
  return `${errorName(thrown.name)}${react}`;
}
