import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ErrorBody } from '../../lib/api/errorBody';
import { HttpError } from './httpError';

/** What Fastify itself refuses, in our words. */
const frameworkRefusals: Record<string, [status: number, code: string, message: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The body is larger than this call takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'This call does not take a body of this type.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'malformed_body', 'The body is not as long as its Content-Length says.'],
  FST_ERR_BAD_URL: [400, 'malformed_url', 'The address is not a valid one.'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'malformed_url', 'The address is longer than any of this server.'],
};

/** Codes with which the two engines say that they cannot store now, as against a fault of ours. */
const storageUnavailable =
  /^(SQLITE_(FULL|BUSY|IOERR|READONLY|CANTOPEN)|ECONNREFUSED|ECONNRESET|ETIMEDOUT|57P0[123]|53\d{3}|08\d{3}|40001|40P01)/;

/**
 * Takes anything thrown and returns the refusal that the caller gets; what is not the caller's fault becomes a 500 or
 * 503.
 */
export function toRefusal(error: unknown): HttpError {
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
  const framework = frameworkRefusals[code];
  if (framework !== undefined) {
    return new HttpError(...framework);
  }
  // Before the engines' codes: a caller who hangs up half-way is an ECONNRESET as well.
  if (statusCode !== null && statusCode >= 400 && statusCode < 500) {
    return new HttpError(statusCode, 'malformed_request', 'The request is not valid.');
  }
  if (storageUnavailable.test(code) || /Connection terminated|timeout exceeded when trying to connect/.test(message)) {
    return new HttpError(503, 'storage_unavailable', 'Nothing can be stored or read just now. Try again.', {
      retryAfter: 2,
    });
  }
  return new HttpError(500, 'internal_error', 'Something went wrong on the server. Nothing was changed.');
}

/** The keys that a schema does not know, where that is the issue. */
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

/** Where in the code an error arose; the lines of its text, which may be many, stay out. */
export function placesOf(error: unknown): string[] {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines
    .map((line) => line.trim())
    .filter((line) => /^at .*:\d+:\d+\)?$/.test(line))
    .slice(0, 8);
}

/** The JSON of a refusal. */
export function errorBodyOf(refusal: HttpError, requestId: string): ErrorBody {
  return {
    error: {
      code: refusal.code,
      message: refusal.message,
      ...(refusal.fields === undefined ? {} : { fields: refusal.fields }),
      ...(refusal.id === undefined ? {} : { id: refusal.id }),
      // A 404 is the same bytes for every row; only faults of ours carry the id under which the log has them.
      ...(refusal.status >= 500 ? { requestId } : {}),
    },
  };
}

/** Who hears of what is refused before it leaves: `onFault` of what is our own fault, `onRefusal` of the rest. */
interface ErrorListeners {
  onFault: (error: unknown, route: string) => unknown;
  onRefusal: (request: FastifyRequest, refusal: HttpError) => Promise<void>;
}

/** Makes every refusal of this server, expected or not, leave in the one JSON shape. */
export function installErrors(app: FastifyInstance, { onFault, onRefusal }: ErrorListeners): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toRefusal(error);
    if (refusal.status === 500) {
      onFault(error, request.routeOptions.url ?? '');
    }
    await onRefusal(request, refusal);
    await sendRefusal(error, request, reply);
  });
}

/** Sends the refusal that anything thrown amounts to. */
export async function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const refusal = toRefusal(error);
  if (refusal.status >= 500) {
    const { code } = describe(error);
    // The text of an error may quote a patient's values, so what is logged is its kind and its place in the code.
    const fault = error instanceof Error ? error.name : typeof error;
    request.log.error(
      { requestId: request.id, code: code === '' ? refusal.code : code, fault, stack: placesOf(error) },
      'request failed',
    );
  }
  if (refusal.retryAfter !== undefined) {
    void reply.header('Retry-After', refusal.retryAfter);
  }
  await reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBodyOf(refusal, request.id)));
}

/** What Node itself refuses while it reads a request, in our words. */
const unreadable: Record<string, [status: number, code: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The headers are larger than this server takes.'],
};

/** Refuses on the bare connection what never became a request: there is no reply to send it by. */
export function refuseUnreadable({ code }: ConnectionError, socket: Socket): void {
  if (code !== 'ECONNRESET' && socket.writable) {
    writeRefusal(
      new HttpError(...(unreadable[code] ?? [400, 'malformed_http', 'This is not a request of HTTP/1.1.'])),
      socket,
    );
  }
  socket.destroy();
}

/**
 * Refuses a request to speak another protocol with 400 and closes its connection. HTTP/2 is ignored instead, as RFC 9110
 * section 7.8 allows: Java's own client, with which gateways are written, offers it with its first request.
 */
export async function refuseUpgrade({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (headers.upgrade !== undefined && headers.upgrade.toLowerCase() !== 'h2c') {
    void reply.header('Connection', 'close');
    throw new HttpError(400, 'no_upgrade', 'This server speaks HTTP/1.1 only.');
  }
}

function writeRefusal(refusal: HttpError, socket: Duplex): void {
  const body = JSON.stringify(errorBodyOf(refusal, ''));
  socket.write(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
