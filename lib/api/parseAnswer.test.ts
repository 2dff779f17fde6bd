import { z } from 'zod';
import { dailyRoutes } from './dailyRoutes';
import { parseAnswer, rowsPerTask } from './parseAnswer';

const item = z.object({ id: z.int() });
const list = z.union([z.object({ items: z.array(item), total: z.int() }), z.object({ unchanged: z.literal(true) })]);
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, unknown: 'left out' }));
const many = 3 * rowsPerTask + 1;

describe('an answer', () => {
  it.each([0, 1, rowsPerTask, rowsPerTask + 1, many])('with %i rows is what one parsing would make of it', async (count) => {
    const body = { items: rows(count), total: count, unknown: 1 };
    await expect(parseAnswer(list, item, body)).resolves.toEqual({ data: list.parse(body) });
  });

  it.each([
    ['a row', { items: [...rows(many), { id: 'one' }], total: 1 }],
    ['what stands beside the rows', { items: rows(many), total: 'one' }],
    ['everything', { items: rows(1), total: 'one' }],
    ['nothing', null],
  ])('is refused for %s that is not of its schema', async (_, body) => {
    await expect(parseAnswer(list, item, body)).resolves.toEqual({});
  });

  it('that has no rows needs none', async () => {
    await expect(parseAnswer(list, item, { unchanged: true })).resolves.toEqual({ data: { unchanged: true } });
    await expect(parseAnswer(z.object({ id: z.int() }), undefined, { id: 4 })).resolves.toEqual({ data: { id: 4 } });
  });

  it('without a body is null, as its schema says', async () => {
    await expect(parseAnswer(z.null(), undefined, null)).resolves.toEqual({ data: null });
  });

  it('leaves tasks of others their turn between the rows', async () => {
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
    await parseAnswer(list, item, { items: rows(many), total: many });
    isOver = true;
    other.port1.close();
    expect(tasks).toBeGreaterThanOrEqual(3);
  });
});

describe('the lists of the ward', () => {
  it.each(Object.entries(dailyRoutes).flatMap(([name, route]) => ('item' in route ? [[name, route] as const] : [])))(
    'that %s answers name the schema of their own rows',
    (_, { item: row, response }) => {
      const lists = 'options' in response ? response.options : [response];
      expect(lists.some((one) => 'items' in one.shape && one.shape.items.element === row)).toBe(true);
    },
  );
});
