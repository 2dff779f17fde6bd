/**
 * Returns a Sentry DSN, `https://<public key>@<host><path>/<project>`, or null if the text is not one. DSNs are compared
 * as URLs, never as text. It holds no secret.
 */
export function parseDsn(text: string): URL | null {
  // Rejects what URL would silently correct: backslashes, white space, trailing dots of a host, other alphabets.
  const isDsn = /^https?:\/\/[\w-]+@[A-Za-z0-9.:[\]-]+(\/[\w-][\w.-]*)*\/\d{1,20}$/.test(text) && URL.canParse(text);
  const url = isDsn ? new URL(text) : null;
  return url === null || url.hostname.endsWith('.') ? null : url;
}

/**
 * Returns the address for this project's envelopes. It is made at start from the server's own DSN and contains nothing
 * from a request.
 */
export function envelopeUrl({ origin, pathname, username }: URL): string {
  const path = pathname.replace(/\/(\d+)$/, '/api/$1/envelope/');
  return `${origin}${path}?sentry_version=7&sentry_key=${username}`;
}
