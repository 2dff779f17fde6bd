import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { z } from 'zod';
import { calls, type CallName, type CallTable } from '../../lib/api/calls';
import type { Declaration } from '../../lib/api/declaration';

type Output<Name extends CallName, Part extends string> =
  CallTable[Name] extends Readonly<Record<Part, infer Schema extends z.ZodType>> ? z.output<Schema> : unknown;

interface CallRoute<Name extends CallName> {
  Params: Output<Name, 'params'>;
  Querystring: Output<Name, 'query'>;
  /** A body of bytes is a Buffer if its media type is one of the declaration's. */
  Body: CallTable[Name] extends { bytes: readonly string[] } ? unknown : Output<Name, 'body'>;
}

/** A request whose parts the schemas of the call's declaration have parsed. */
export type CallRequest<Name extends CallName> = FastifyRequest<CallRoute<Name>>;

/** What a handler returns: the response, or the reply if it has sent bytes by itself. */
type Answer<Name extends CallName> = z.input<CallTable[Name]['response']> | FastifyReply;

export type Handler<Name extends CallName> = (
  request: CallRequest<Name>,
  reply: FastifyReply,
) => Answer<Name> | Promise<Answer<Name>>;

type Options = Pick<RouteShorthandOptions, 'bodyLimit' | 'onSend' | 'serializerCompiler'>;

/**
 * Adds the route of a declared call: method, address, schemas, policy and the status of success come from the
 * declaration. Throws if the call has a handler already.
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
      const answer = handler(request, reply);
      // Fastify would wait for a reply that is returned as if it were a promise.
      return answer === reply ? undefined : answer;
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
