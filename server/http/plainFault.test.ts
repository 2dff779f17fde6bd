import { z } from 'zod';
import { plainFault } from './plainFault';

const secret = 'Ines Moreau';

describe('what is wrong with a field', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'is missing'],
    [z.string(), null, 'is not a text'],
    [z.number(), secret, 'is not a number'],
    [z.int(), 1.5, 'is not a whole number'],
    [z.boolean(), secret, 'is not true or false'],
    [z.array(z.string()), secret, 'is not a list'],
    [z.object({}), secret, 'is not an object'],
    [z.bigint(), secret, 'is not of the right kind'],
    [z.string().max(3), secret, 'is longer than 3 characters'],
    [z.string().min(1), '', 'is empty'],
    [z.string().min(20), secret, 'is shorter than 20 characters'],
    [z.array(z.string()).max(1), [secret, secret], 'holds more than 1'],
    [z.array(z.string()).min(1), [], 'is empty'],
    [z.array(z.string()).min(2), [secret], 'holds less than 2'],
    [z.number().max(0), 1, 'is more than 0'],
    [z.number().min(0), -1, 'is less than 0'],
    [z.number().lt(0), 0, 'is not less than 0'],
    [z.number().gt(0), 0, 'is not more than 0'],
    [z.enum(['day', 'night']), secret, 'is not one of day, night'],
    [z.email(), secret, 'is not an e-mail address'],
    [z.iso.datetime(), secret, 'is not an instant such as 2026-05-01T10:00:00Z'],
    [z.string().regex(/^\d+$/), secret, 'is not of the right form'],
    [z.union([z.number(), z.boolean()]), secret, 'is not valid'],
    [z.string().regex(/^\d+$/, 'is not a number of a bed'), secret, 'is not a number of a bed'],
  ])('of %# is said in plain words and never quoted', (schema, value, says) => {
    const { error } = schema.safeParse(value, { error: plainFault });
    // What the schema says itself wins in a request, where these words are only the language.
    const own = schema.safeParse(value).error?.issues[0]?.message ?? '';
    expect([error?.issues[0]?.message, own]).toContain(says);
    expect(error?.issues[0]?.message).not.toContain(secret);
  });
});
