import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler as compileZod } from 'fastify-type-provider-zod';
import { config, type z } from 'zod';
import { HttpError } from './httpError';
import { plainFault } from './plainFault';

// A caller, and often a person, reads what is wrong; a schema's own words still win.
config({ localeError: plainFault });

/**
 * Returns the validator of one part of a request. It refuses what the schema itself cannot look at: zod compares the
 * `length` of any object with a limit, and throws if that `length` is an object that is no number either.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = compileZod(route);
  return (data) => {
    try {
      return validate(data);
    } catch {
      return {
        error:
          route.httpPart === 'body'
            ? new HttpError(422, 'invalid', 'body: is not valid', { fields: { body: 'is not valid' } })
            : new HttpError(400, 'malformed_request', 'The request is not valid.'),
      };
    }
  };
};
