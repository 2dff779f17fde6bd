import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ErrorBody } from '../../lib/api/errorBody';
import { dataPolicy } from './headers';
import { HttpError } from './httpError';

/** Our codes and messages for the errors that Fastify itself raises. */
const frameworkErrors: Record<string, [status: number, code: string, message: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The body is larger than this call takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'This call does not take a body of this type.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'malformed_body', 'The body is not as long as its Content-Length says.'],
  FST_ERR_BAD_URL: [400, 'malformed_url', 'The address is not a valid one.'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'malformed_url', 'The address is longer than any of this server.'],
};

/**
 * Error codes of the two engines that mean "cannot store now", as opposed to a fault in our code. 25006 is that of a
 * PostgreSQL that takes no writes, as after a failover.
 */
const storageUnavailable = new RegExp(
  '^(SQLITE_(FULL|BUSY|IOERR|READONLY|CANTOPEN)|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE' +
    '|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN' +
    '|57014|57P0[1-5]|25P03|53\\d{3}|58030|08\\d{3}|25006|40001|40P01|55P03|TAKEN_OVER)',
);
/** What the driver of PostgreSQL says without a code. */
const connectionLost =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|is not queryable/;

/** Returns the error response for any thrown value. What is not the caller's fault becomes a 500 or 503. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) {
    return error;
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const found = new Map<string, string>();
    for (const { instancePath, message, keyword, params } of error.validation) {
      const path = instancePath
        .split('/')
        .filter((part) => part !== '')
        .join('.');
      const unknownKeys = keysOf(keyword, params);
      for (const field of unknownKeys.length > 0 ? unknownKeys : [path === '' ? 'body' : path]) {
        const name = field.slice(0, 100);
        found.set(
          name,
          found.get(name) ?? (unknownKeys.length > 0 ? 'is not a field of this call' : (message ?? 'is not valid')),
        );
      }
    }
    const fields = Object.fromEntries(found);
    const inBody = error.validationContext === 'body';
    const [first] = found;
    const message = first === undefined ? 'The request is not valid.' : `${first[0]}: ${first[1]}`;
    return new HttpError(inBody ? 422 : 400, inBody ? 'invalid' : 'malformed_request', message, { fields });
  }
  const { code, statusCode, message } = describe(error);
  const framework = frameworkErrors[code];
  if (framework !== undefined) {
    return new HttpError(...framework);
  }
  // Checked before the engines' codes: a caller who disconnects half-way is an ECONNRESET as well.
  if (statusCode !== null && statusCode >= 400 && statusCode < 500) {
    return new HttpError(statusCode, 'malformed_request', 'The request is not valid.');
  }
  if (storageUnavailable.test(code) || connectionLost.test(message)) {
    return new HttpError(503, 'storage_unavailable', 'The server cannot use its database just now.', {
      retryAfter: 2,
    });
  }
  return new HttpError(500, 'internal_error', 'Something went wrong on the server. Nothing was changed.');
}

/** Returns whether an error means that the store cannot store now. */
export function isStorageUnavailable(error: unknown): boolean {
  return toHttpError(error).code === 'storage_unavailable';
}

/** Passes over the fault of an act that can wait until something can be stored again; throws any other. */
export function passOver(error: unknown): void {
  if (!isStorageUnavailable(error)) {
    throw error;
  }
}

/** Returns the keys that the schema does not know, or none if the issue is another one. */
function keysOf(keyword: string, params: unknown): string[] {
  const found = z.object({ keys: z.array(z.string()) }).safeParse(params);
  return keyword === 'unrecognized_keys' && found.success ? found.data.keys : [];
}

function describe(error: unknown): { code: string; statusCode: number | null; message: string } {
  if (!(error instanceof Error)) {
    return { code: '', statusCode: null, message: '' };
  }
  const { code, statusCode } = error as Partial<FastifyError>;
  return { code: typeof code === 'string' ? code : '', statusCode: statusCode ?? null, message: error.message };
}

/** Returns the stack lines of an error without its message, which may have several lines and quote patient data. */
export function placesOf(error: unknown): string[] {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines
    .map((line) => line.trim())
    .filter((line) => /^at .*:\d+:\d+\)?$/.test(line))
    .slice(0, 8);
}

/** Returns the JSON of an error. A 404 has the same bytes for every row. Only server errors carry the id in the log. */
export function errorBodyOf({ status, code, message, details }: HttpError, requestId: string): ErrorBody {
  const { retryAfter: _, conflict, ...shown } = details;
  return { error: { code, message, ...shown, ...conflict, ...(status >= 500 ? { requestId } : {}) } };
}

/** Called before an error response is sent: `onFault` for our own faults, `onRejection` for every error. */
interface ErrorListeners {
  onFault: (error: unknown, route: string) => unknown;
  onRejection: (request: FastifyRequest, httpError: HttpError) => Promise<void>;
}

/** Turns every error of a handler, expected or not, into the one JSON shape. */
export function installErrors(app: FastifyInstance, { onFault, onRejection }: ErrorListeners): void {
  app.setErrorHandler(async (error, request, reply) => {
    const httpError = toHttpError(error);
    if (httpError.status === 500) {
      onFault(error, request.routeOptions.url ?? '');
    }
    await onRejection(request, httpError);
    await sendError(error, request, reply);
  });
}

/** Sends the error response for any thrown value, and logs server errors. */
export async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const httpError = toHttpError(error);
  // A call that was refused on purpose is in the log of requests: a flood must not fill the log with stacks.
  if (httpError.status >= 500 && error !== httpError) {
    const { code } = describe(error);
    // The text of an error may quote a patient's values: the log has only its kind and its place in the code. That the
    // store is away is no fault of the place where it shows.
    const fault = error instanceof Error ? error.name : typeof error;
    const place = httpError.status === 500 ? { stack: placesOf(error) } : {};
    request.log.error(
      { requestId: request.id, code: code === '' ? httpError.code : code, fault, ...place },
      'request failed',
    );
  }
  const { retryAfter } = httpError.details;
  if (retryAfter !== undefined) {
    void reply.header('Retry-After', retryAfter);
  }
  // Also of a request that was refused before its route was known.
  void reply.header('content-security-policy', dataPolicy);
  await reply
    .code(httpError.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBodyOf(httpError, request.id)));
}

/** Our codes and messages for the errors that Node raises while it reads a request. */
const unreadable: Record<string, [status: number, code: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers are larger than this server takes.'],
};

/**
 * Responds to bytes that Node could not parse, and closes the connection: no request comes of them. `isOurFault`: the
 * server did not read in time, so the client has to send it again.
 */
export function rejectUnreadable(
  { code = '' }: Error & { code?: string },
  socket: Duplex,
  isOurFault: () => boolean,
): void {
  if (code !== 'ECONNRESET' && socket.writable) {
    const fault = unreadable[code] ?? ([400, 'malformed_http', 'This is not a request of HTTP/1.1.'] as const);
    writeError(
      fault[0] === 408 && isOurFault()
        ? new HttpError(503, 'busy', 'The server was too busy to read this. Send it again.', { retryAfter: 1 })
        : new HttpError(...fault),
      socket,
    );
  }
  socket.destroy();
}

/**
 * Rejects a request for another protocol with 400 and closes its connection. An offer of HTTP/2 is ignored, as RFC 9110
 * section 7.8 allows: the HTTP client of Java, in which many gateways are written, offers it with its first request.
 */
export async function rejectUpgrade({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (headers.upgrade !== undefined && headers.upgrade.toLowerCase() !== 'h2c') {
    void reply.header('Connection', 'close');
    throw new HttpError(400, 'no_upgrade', 'This server speaks HTTP/1.1 only.');
  }
}

function writeError(httpError: HttpError, socket: Duplex): void {
  const body = JSON.stringify(errorBodyOf(httpError, ''));
  const { retryAfter } = httpError.details;
  const again = retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`;
  socket.write(
    `HTTP/1.1 ${httpError.status} ${STATUS_CODES[httpError.status] ?? ''}\r\nConnection: close\r\n${again}` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
