import type { z } from 'zod';

const kindWords: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const formatWords: Record<string, string> = {
  email: 'an e-mail address',
  datetime: 'an instant such as 2026-05-01T10:00:00Z',
  date: 'a date such as 2026-05-01',
  url: 'an address such as https://ward.example',
};

/** Returns in plain words what is wrong with a field, to follow its name: "is missing". Never quotes the input. */
export const plainFault: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `is not ${kindWords[issue.expected] ?? 'of the right kind'}`;
    case 'too_big':
      return tooBig(issue.origin, String(issue.maximum), issue.inclusive ?? true);
    case 'too_small':
      return tooSmall(issue.origin, String(issue.minimum), issue.inclusive ?? true);
    case 'invalid_value':
      return `is not one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return `is not ${formatWords[issue.format] ?? 'of the right form'}`;
    case 'unrecognized_keys':
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'is not valid';
  }
};

function tooBig(origin: string, limit: string, inclusive: boolean): string {
  if (origin === 'string') {
    return `is longer than ${limit} characters`;
  }
  if (origin === 'array') {
    return `holds more than ${limit}`;
  }
  return inclusive ? `is more than ${limit}` : `is not less than ${limit}`;
}

function tooSmall(origin: string, limit: string, inclusive: boolean): string {
  if (origin === 'string' || origin === 'array') {
    if (limit === '1') {
      return 'is empty';
    }
    return origin === 'string' ? `is shorter than ${limit} characters` : `holds less than ${limit}`;
  }
  return inclusive ? `is less than ${limit}` : `is not more than ${limit}`;
}
