/** Where error reports go: the parts of a Sentry DSN, `https://<publicKey>@<host><path>/<projectId>`. */
export interface Dsn {
  protocol: 'http:' | 'https:';
  publicKey: string;
  /** With its port, where it names one. */
  host: string;
  /** Between the host and the project, such as "/sentry"; else empty. */
  path: string;
  projectId: string;
}

/** Takes a text and returns the parts of the DSN that it is, or null. It is compared part by part, never as a text. */
export function parseDsn(text: string): Dsn | null {
  // What URL would mend silently is refused: backslashes, white space, dots at a host's end, names in other alphabets.
  if (!/^https?:\/\/[\w-]+@[A-Za-z0-9.:[\]-]+(\/[\w-][\w.-]*)*\/\d{1,20}$/.test(text)) {
    return null;
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const parts = url.pathname.split('/').slice(1);
  const projectId = parts.at(-1) ?? '';
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
  if (url.hostname.endsWith('.')) {
    return null;
  }
  const path = parts
    .slice(0, -1)
    .map((part) => `/${part}`)
    .join('');
  return { protocol, publicKey: url.username, host: url.host, path, projectId };
}

/** Whether two DSNs are the same in every part. */
export function sameDsn(a: Dsn, b: Dsn): boolean {
  return (
    a.protocol === b.protocol &&
    a.publicKey === b.publicKey &&
    a.host === b.host &&
    a.path === b.path &&
    a.projectId === b.projectId
  );
}

/**
 * The DSN as a text: what a page, which may say only its own receiver, repeats in its envelopes. It holds no secret.
 */
export function dsnText({ protocol, publicKey, host, path, projectId }: Dsn): string {
  return `${protocol}//${publicKey}@${host}${path}/${projectId}`;
}

/**
 * The address that takes this project's envelopes. It is made at start from the server's own DSN; nothing of a request
 * is in it.
 */
export function envelopeUrl({ protocol, publicKey, host, path, projectId }: Dsn): string {
  return `${protocol}//${host}${path}/api/${projectId}/envelope/?sentry_version=7&sentry_key=${publicKey}`;
}
