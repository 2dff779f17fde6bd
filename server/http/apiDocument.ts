import type { FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorBody } from '../../lib/api/errorBody';
import { type RoutePolicy } from './access';

// With an id the document has the schema once, instead of some hundred times.
errorBody.register(z.globalRegistry, { id: 'Error' });

/** What each error says that any call of its kind can get. */
const descriptions = {
  400: 'The address or the body is malformed.',
  401: 'No user is signed in, or the token is not that of a device.',
  403: 'The user may not do this, or the call comes from another site.',
  404: 'It does not exist, or is out of reach.',
  409: 'It has changed meanwhile, is there already, or is in no state that allows this: `error.code` says which.',
  413: 'The body is larger than this call takes.',
  415: 'The body is of a media type or a coding that this call does not take.',
  422: 'The body is not valid; `fields` says what is wrong with each field.',
  423: 'The screen is locked.',
  429: 'Too many calls. `Retry-After` says how many seconds to wait.',
  503: 'The server cannot answer just now, or cannot store. `Retry-After` says how many seconds to wait.',
} as const;
type ErrorStatus = keyof typeof descriptions;

/** Returns the errors that a call can get before its handler runs, or that any handler can return. */
function errorsOf(
  { params, querystring, body, consumes }: FastifySchema,
  policy: RoutePolicy,
  isRead: boolean,
): ErrorStatus[] {
  const hasBody = body !== undefined || consumes !== undefined;
  const isPerson = policy.who === 'session' || policy.who === 'can';
  const can: Record<ErrorStatus, boolean> = {
    400: hasBody || params !== undefined || querystring !== undefined,
    401: isPerson || policy.who === 'device',
    403: policy.who !== 'device',
    404: params !== undefined,
    409: policy.who !== 'device' && !isRead,
    413: hasBody,
    // Of a coding also where no body is expected.
    415: hasBody || !isRead,
    422: body !== undefined,
    423: isPerson && !(policy.who === 'session' && policy.whileLocked === true),
    429: true,
    503: true,
  };
  return ([400, 401, 403, 404, 409, 413, 415, 422, 423, 429, 503] as const).filter((status) => can[status]);
}

/** The parts of the OpenAPI document: each call with its schemas and the errors that its declaration implies. */
export const apiDocument = {
  transform: (route: Parameters<typeof jsonSchemaTransform>[0]): ReturnType<typeof jsonSchemaTransform> => {
    const { schema, url } = route;
    const { policy } = route.route.config ?? {};
    if (schema === undefined || schema.hide === true || policy === undefined) {
      return jsonSchemaTransform(route);
    }
    const errors = errorsOf(schema, policy, route.route.method === 'GET').map((status) => {
      const answer = { description: descriptions[status], content: { 'application/json': { schema: errorBody } } };
      return [status, answer] as const;
    });
    const response = { ...Object.fromEntries(errors), ...(schema.response ?? {}) };
    return jsonSchemaTransform({ ...route, url, schema: { ...schema, response } });
  },
  transformObject: jsonSchemaTransformObject,
};
