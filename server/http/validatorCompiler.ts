import type { FastifySchemaCompiler } from 'fastify';
import { validatorCompiler as compileZod } from 'fastify-type-provider-zod';
import { config, type z } from 'zod';
import { HttpError, invalid } from './httpError';
import { plainFault } from './plainFault';

// People read these messages. A schema's own message still takes precedence.
config({ localeError: plainFault });

/**
 * Returns the validator of one part of a request. A validator that throws counts as a failed validation: zod compares
 * the `length` of any object with a limit, and throws if that `length` cannot be converted to a number.
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
            ? invalid({ body: 'is not valid' })
            : new HttpError(400, 'malformed_request', 'The request is not valid.'),
      };
    }
  };
};
