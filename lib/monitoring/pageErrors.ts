/** Receives a page's errors as soon as the code that sends them is loaded. */
export interface PageReporter {
  /** Sends an error under the id that the page has shown for it. */
  send(error: unknown, id: string): void;
  /** Sets whose page it is: a number and nothing else, null while no one is signed in. */
  setUser(id: number | null): void;
}

/** The most errors that wait; a page that throws all the time repeats itself. */
const mostWaiting = 20;

const waiting: [error: unknown, id: string][] = [];
let reporter: PageReporter | null = null;
let userId: number | null = null;
let onFirst: () => void = () => undefined;

/**
 * Reports an error and returns the id of its report, 32 hexadecimal digits. The code that sends reports is loaded after
 * the page is usable, so until then errors wait here: this file is part of the first load and stays under a kilobyte.
 */
export function reportError(error: unknown): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (reporter !== null) {
    reporter.send(error, id);
  } else if (waiting.push([error, id]) > mostWaiting) {
    waiting.pop();
  }
  onFirst();
  return id;
}

/** Sets whose page it is. */
export function setReportedUser(id: number | null): void {
  userId = id;
  reporter?.setUser(id);
}

/**
 * Installs handlers that keep uncaught errors; `first` is called when something is to be sent. Returns the function
 * that removes them.
 */
export function holdErrors(first: () => void): () => void {
  const onError = ({ error, message }: ErrorEvent): void => {
    reportError(error ?? message);
  };
  const onRejection = ({ reason }: PromiseRejectionEvent): void => {
    reportError(reason);
  };
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onRejection);
  onFirst = first;
  release = () => {
    removeEventListener('error', onError);
    removeEventListener('unhandledrejection', onRejection);
    onFirst = () => undefined;
  };
  return release;
}
let release: () => void = () => undefined;

/** Gives the reporter all errors that wait, and every later one. It installs its own handler for uncaught errors. */
export function handOver(to: PageReporter): void {
  release();
  reporter = to;
  to.setUser(userId);
  for (const [error, id] of waiting.splice(0)) {
    to.send(error, id);
  }
}
