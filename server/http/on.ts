import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { z } from 'zod';
import { calls, type CallName, type CallTable } from '../../lib/api/calls';
import type { Declaration } from '../../lib/api/declaration';

type Output<Name extends CallName, Part extends string> =
  CallTable[Name] extends Readonly<Record<Part, infer Schema extends z.ZodType>> ? z.output<Schema> : unknown;

interface CallRoute<Name extends CallName> {
  Params: Output<Name, 'params'>;
  Querystring: Output<Name, 'query'>;
  /** A body of bytes arrives as a Buffer if the declaration lists its media type. */
  Body: CallTable[Name] extends { bytes: readonly string[] } ? unknown : Output<Name, 'body'>;
}

/** A request after the schemas of the call's declaration have parsed it. */
export type CallRequest<Name extends CallName> = FastifyRequest<CallRoute<Name>>;

type Sent<Name extends CallName> = z.input<CallTable[Name]['response']>;

/** What a handler returns: the response, or the reply if the handler has sent the bytes itself. */
type Result<Name extends CallName> = Sent<Name> | FastifyReply;

/** An empty response is nothing, though only of a promise: Fastify waits for a reply after a plain `undefined`. */
type Resolved<Name extends CallName> = Result<Name> | (Sent<Name> extends null ? void : never);

export type Handler<Name extends CallName> = (
  request: CallRequest<Name>,
  reply: FastifyReply,
) => Result<Name> | Promise<Resolved<Name>>;

type Options = Pick<
  RouteShorthandOptions,
  'bodyLimit' | 'exposeHeadRoute' | 'onSend' | 'preParsing' | 'preValidation' | 'serializerCompiler'
>;

/**
 * Adds the route of a declared call. Method, address, schemas, policy and success status come from the declaration.
 * Throws if the call already has a handler.
 */
export function on<Name extends CallName>(
  app: FastifyInstance,
  name: Name,
  handler: Handler<Name>,
  options: Options = {},
): void {
  const { method, path, status, who, description, params, query, body, bytes, response }: Declaration = calls[name];
  app.route<CallRoute<Name>>({
    ...options,
    method,
    url: path,
    schema: {
      ...(description === undefined ? {} : { description }),
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined || bytes !== undefined ? {} : { body }),
      ...(bytes === undefined ? {} : { consumes: [...bytes] }),
      ...(who.who === 'device' ? { security: [{ device: [] }] } : {}),
      response: { [status]: response },
    },
    handler: (request, reply) => {
      void reply.code(status);
      const result = handler(request, reply);
      // A reply has a `then` method: Fastify would wait for it like for a promise.
      return result === reply ? undefined : result;
    },
  });
}

/** Throws if a declared call has no route. */
export function requireEveryCall(app: FastifyInstance): void {
  for (const [name, { method, path }] of Object.entries(calls)) {
    if (!app.hasRoute({ method, url: path })) {
      throw new Error(`The call ${name} is declared but has no handler`);
    }
  }
}
