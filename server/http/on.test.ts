import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Calls } from '../../lib/api/declaration';
import { calls } from '../../lib/api/calls';
import { anyone } from '../../lib/session/policy';
import { requirePolicies } from './access';
import { installErrors } from './errors';
import { on, requireEveryCall } from './on';

const east = { id: 7, name: 'East', patients: 0, people: 0, isOpen: true };

describe('on', () => {
  let app: FastifyInstance;

  beforeEach(() => {
    app = Fastify();
    app.setValidatorCompiler(validatorCompiler);
    app.setSerializerCompiler(serializerCompiler);
    installErrors(app, { onFault: () => 'f', onRejection: () => Promise.resolve() });
    requirePolicies(app);
  });

  afterEach(() => app.close());

  it('refuses a second handler of the same call', () => {
    on(app, 'listUnits', () => ({ items: [], total: 0 }));
    expect(() => {
      on(app, 'listUnits', () => ({ items: [], total: 0 }));
    }).toThrow(/already declared/);
  });

  it.each([
    ['a field of another type', { ...east, patients: 'none' }],
    ['a missing field', { id: 7, name: 'East' }],
    ['nothing', null],
  ])('answers 500 instead of a response that breaks its schema: %s', async (_, broken) => {
    on(app, 'createUnit', () => broken as never);
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/v2/units', payload: { name: 'East' } });
    expect(statusCode).toBe(500);
    expect(body).not.toContain('East');
  });

  it('refuses what breaks the schema of the params, the query or the body before the handler sees it', async () => {
    const handler = jest.fn();
    on(app, 'renameUnit', handler);
    on(app, 'listAudit', handler);
    const answers = [
      await app.inject({ method: 'PATCH', url: '/api/v2/units/0', payload: { name: 'East' } }),
      await app.inject({ method: 'PATCH', url: '/api/v2/units/7', payload: { name: 7 } }),
      await app.inject('/api/v2/audit?before=never'),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 422, 400]);
    expect(handler).not.toHaveBeenCalled();
  });

  it('hands the parsed parts to the handler', async () => {
    on(app, 'renameUnit', ({ params, body }) => ({ ...east, id: params.id, name: body.name }));
    const answer = await app.inject({ method: 'PATCH', url: '/api/v2/units/12', payload: { name: ' West ' } });
    expect(answer.json()).toEqual({ ...east, id: 12, name: 'West' });
  });

  it('answers with the declared status, also without a body', async () => {
    on(app, 'createUnit', () => Promise.resolve(east));
    on(app, 'deleteUnit', () => null);
    const created = await app.inject({ method: 'POST', url: '/api/v2/units', payload: { name: 'East' } });
    const deleted = await app.inject({ method: 'DELETE', url: '/api/v2/units/7' });
    expect([created.statusCode, deleted.statusCode, deleted.body]).toEqual([201, 204, '']);
  });

  it('sends what a handler has made into bytes by itself', async () => {
    on(app, 'listUnits', (_request, reply) => reply.type('application/json').send(Buffer.from('{"made":"before"}')));
    expect((await app.inject('/api/v2/units')).json()).toEqual({ made: 'before' });
  });
});

describe('requireEveryCall', () => {
  it('names a declared call that has no handler', () => {
    const app = Fastify();
    for (const { method, path } of Object.values(calls)) {
      if (path !== calls.renameUnit.path || method !== 'PATCH') {
        app.route({ method, url: path, handler: () => null });
      }
    }
    expect(() => {
      requireEveryCall(app);
    }).toThrow('The call renameUnit is declared but has no handler');
    on(app, 'renameUnit', () => east);
    expect(() => {
      requireEveryCall(app);
    }).not.toThrow();
  });
});

describe('a declaration', () => {
  it('does not compile without who may make the call', () => {
    const unit = { method: 'GET', path: '/api/v2/units', status: 200, response: z.null() } as const;
    // @ts-expect-error `who` is missing.
    const forgotten = { listUnits: unit } satisfies Calls;
    const complete = { listUnits: { ...unit, who: anyone } } satisfies Calls;
    expect([forgotten, complete]).toHaveLength(2);
  });

  it('has an address and method of its own', () => {
    const addresses = Object.values(calls).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('answers 204 if and only if its response is nothing that could be sent', () => {
    for (const { status, response } of Object.values(calls)) {
      expect(response.safeParse(null).success).toBe(status === 204 || status === 202);
    }
  });
});
