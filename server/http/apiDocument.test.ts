import { z } from 'zod';
import { calls } from '../../lib/api/calls';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))),
  components: z.object({ schemas: z.record(z.string(), z.object({ properties: z.unknown() })) }),
});

let test: TestServer;
let text: string;
let document: z.output<typeof documentSchema>;

beforeAll(async () => {
  test = await sharedTestServer('sqlite');
  text = (await test.app.inject({ method: 'GET', url: '/api/openapi.json' })).body;
  document = documentSchema.parse(JSON.parse(text));
});

const responsesOf = (method: string, path: string) => document.paths[path]?.[method]?.responses ?? {};
const statusesOf = (method: string, path: string) => Object.keys(responsesOf(method, path)).map(Number);

describe('the API document', () => {
  it.each([
    ['post', '/api/v2/vitals', [200, 400, 401, 413, 415, 422, 429, 503]],
    ['patch', '/api/v2/devices/{id}', [200, 400, 401, 403, 404, 409, 413, 415, 422, 423, 429, 503]],
    ['get', '/api/v2/devices', [200, 401, 403, 423, 429, 503]],
    // It answers while the screen is locked.
    ['get', '/api/v2/alerts/strip', [200, 401, 403, 429, 503]],
    ['post', '/api/v2/auth/sign-up', [201, 400, 403, 409, 413, 415, 422, 429, 503]],
  ])('lists the errors of %s %s', (method, path, statuses) => {
    expect(statusesOf(method, path)).toEqual(statuses);
  });

  it('describes every call with its success and the errors that any call can get', () => {
    const lacking = Object.values(calls).filter(({ method, path, status }) => {
      const listed = statusesOf(method.toLowerCase(), path.replaceAll(/:(\w+)/g, '{$1}'));
      return ![status, 429, 503].every((one) => listed.includes(one));
    });
    expect(lacking).toEqual([]);
  });

  it('says what each error means, and refers to the one schema of errors', () => {
    expect(responsesOf('get', '/api/v2/devices')[401]).toEqual({
      description: expect.stringContaining('signed in') as unknown,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    });
    expect(document.components.schemas.Error?.properties).toHaveProperty('error');
    // Beside it the library lists the form of a schema in requests, which no call takes.
    expect(text.match(/"triesLeft"/g)).toHaveLength(2);
  });
});
