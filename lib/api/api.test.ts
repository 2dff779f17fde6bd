import { z } from 'zod';
import { calls } from './calls';
import { causeOf } from './failureCause';
import { parseResponse, rowsPerTask } from './parseResponse';

describe('failureCause', () => {
  it.each([
    ['unreachable', 'unreachable', null],
    ['unreachable', 'aborted', null],
    ['refused', 'forbidden', 403],
    ['throttled', 'too_many_requests', 429],
    ['throttled', 'unreadable_response', 429],
    ['failed', 'internal', 500],
    ['failed', 'unreadable_response', 502],
    ['unreadable', 'unreadable_response', 200],
    ['unreadable', 'unreadable_response', 403],
    ['unreadable', 'unreadable_response', null],
  ])('is %s for %s with status %s', (cause, code, status) => {
    expect(causeOf({ code, status })).toBe(cause);
  });
});

describe('parseResponse', () => {
  const item = z.object({ id: z.int() });
  const list = z.union([z.object({ items: z.array(item), total: z.int() }), z.object({ unchanged: z.literal(true) })]);
  const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, unknown: 'left out' }));
  const many = 3 * rowsPerTask + 1;

  describe('a response', () => {
    it.each([0, 1, rowsPerTask, rowsPerTask + 1, many])(
      'with %i rows is what one parsing would make of it',
      async (count) => {
        const body = { items: rows(count), total: count, unknown: 1 };
        await expect(parseResponse(list, body)).resolves.toEqual({ data: list.parse(body) });
      },
    );

    it('may have several long lists anywhere, with rows of more than one kind', async () => {
      const series = z.union([
        z.object({ every: z.literal(0), points: z.array(item) }),
        z.object({ every: z.int(), points: z.array(z.object({ low: z.int() })), silent: z.array(z.string()) }),
      ]);
      const schema = z.object({ series: z.array(series), names: z.array(z.unknown()) });
      const body = {
        series: [
          { every: 0, points: rows(many) },
          { every: 9, points: rows(many).map(({ id }) => ({ low: id })), silent: rows(many).map(String) },
          { every: 9, points: [{ low: 1 }], silent: [] },
        ],
        names: rows(many),
      };
      await expect(parseResponse(schema, body)).resolves.toEqual({ data: schema.parse(body) });
      expect(body.names).toHaveLength(many);
      const wrong = { ...body, series: [{ every: 9, points: [...rows(many)], silent: [] }] };
      await expect(parseResponse(schema, wrong)).resolves.toEqual({});
    });

    it('may have a long list that its schema does not know', async () => {
      await expect(parseResponse(z.object({ id: z.int() }), { id: 4, more: rows(many) })).resolves.toEqual({
        data: { id: 4 },
      });
    });

    it.each([
      ['a row', { items: [...rows(many), { id: 'one' }], total: 1 }],
      ['a wrong field beside the rows', { items: rows(many), total: 'one' }],
      ['everything', { items: rows(1), total: 'one' }],
      ['nothing', null],
    ])('is rejected for %s that does not match its schema', async (_, body) => {
      await expect(parseResponse(list, body)).resolves.toEqual({});
    });

    it('may have no rows', async () => {
      await expect(parseResponse(list, { unchanged: true })).resolves.toEqual({ data: { unchanged: true } });
      await expect(parseResponse(z.object({ id: z.int() }), { id: 4 })).resolves.toEqual({ data: { id: 4 } });
    });

    it('without a body is null if its schema says so', async () => {
      await expect(parseResponse(z.null(), null)).resolves.toEqual({ data: null });
    });

    it('lets other tasks run between the rows', async () => {
      let tasks = 0;
      let isOver = false;
      const other = new MessageChannel();
      other.port1.onmessage = () => {
        tasks += 1;
        if (!isOver) {
          other.port2.postMessage(null);
        }
      };
      other.port2.postMessage(null);
      await parseResponse(list, { items: rows(many), total: many });
      isOver = true;
      other.port1.close();
      expect(tasks).toBeGreaterThanOrEqual(3);
    });
  });

  describe('the schema of a response', () => {
    it.each(Object.entries(calls))(
      'of %s counts no rows, which would be another number in each part',
      (_, { response }) => {
        const schemaText = JSON.stringify(z.toJSONSchema(response, { unrepresentable: 'any', io: 'input' }));
        const pairs = /"items":false,"minItems":2,"maxItems":2/g;
        expect(schemaText.replace(pairs, '')).not.toMatch(/"(min|max)Items":/);
      },
    );
  });
});
