/** The receiver of error reports: the parts of a Sentry DSN, `https://<publicKey>@<host><path>/<projectId>`. */
export interface Dsn {
  protocol: 'http:' | 'https:';
  publicKey: string;
  /** Includes the port if there is one. */
  host: string;
  /** The part between the host and the project, for example "/sentry"; often empty. */
  path: string;
  projectId: string;
}

/** Returns the parts of a DSN, or null if the text is not one. DSNs are compared by parts, never as text. */
export function parseDsn(text: string): Dsn | null {
  // Rejects what URL would silently correct: backslashes, white space, trailing dots of a host, other alphabets.
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

/** Returns whether two DSNs are the same in every part. */
export function sameDsn(a: Dsn, b: Dsn): boolean {
  return (
    a.protocol === b.protocol &&
    a.publicKey === b.publicKey &&
    a.host === b.host &&
    a.path === b.path &&
    a.projectId === b.projectId
  );
}

/** Returns the DSN as text, which a page repeats in its envelopes to name its receiver. It holds no secret. */
export function dsnText({ protocol, publicKey, host, path, projectId }: Dsn): string {
  return `${protocol}//${publicKey}@${host}${path}/${projectId}`;
}

/**
 * Returns the address for this project's envelopes. It is made at start from the server's own DSN and contains nothing
 * from a request.
 */
export function envelopeUrl({ protocol, publicKey, host, path, projectId }: Dsn): string {
  return `${protocol}//${host}${path}/api/${projectId}/envelope/?sentry_version=7&sentry_key=${publicKey}`;
}
