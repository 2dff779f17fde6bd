import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { inflateSync } from 'node:zlib';

interface Answer {
  id: number | undefined;
  method: string;
  success: boolean;
  response: Uint8Array | undefined;
}

/**
 * Runs the worker in a scope of its own, as a browser does. The worker is in public/, where a test would be served as
 * well.
 */
function startWorker(more: object = { CompressionStream }) {
  const answers: Answer[] = [];
  let hear: (message: { data: object }) => void = () => undefined;
  let notify: () => void = () => undefined;
  const self = {
    addEventListener: (_: string, listener: typeof hear) => {
      hear = listener;
    },
    postMessage: (answer: Answer) => {
      answers.push(answer);
      notify();
    },
  };
  runInContext(
    readFileSync(join(__dirname, '../public/replay_worker.js'), 'utf8'),
    createContext({ self, Response, Blob, Uint8Array, ...more }),
  );
  let id = 0;
  return {
    first: answers[0],
    ask: async (method: string, arg?: string): Promise<Answer | undefined> => {
      const answered = new Promise<void>((resolve) => {
        notify = resolve;
      });
      hear({ data: { id: (id += 1), method, arg } });
      await answered;
      return answers.at(-1);
    },
  };
}

const recorded = (answer: Answer | undefined): unknown =>
  JSON.parse(inflateSync(answer?.response ?? new Uint8Array()).toString());

describe('the worker that compresses recordings', () => {
  it('rejects unknown messages, and goes on', async () => {
    const { ask } = startWorker();
    await expect(ask('explode')).resolves.toMatchObject({ id: 1, success: false });
    await expect(ask('addEvent', '{"type":2}')).resolves.toMatchObject({ id: 2, method: 'addEvent', success: true });
  });

  it('reports that it cannot work if the browser cannot compress', () => {
    expect(startWorker({}).first).toMatchObject({ method: 'init', success: false });
    expect(startWorker().first).toMatchObject({ method: 'init', success: true });
  });

  it('removes query and fragment from the page’s address and keeps the rest', async () => {
    const { ask } = startWorker();
    const picture = { type: 2, data: { node: { attributes: { href: 'http://ward.example/a?b' } } } };
    await ask(
      'addEvent',
      JSON.stringify({ type: 4, data: { href: 'http://ward.example/sign_up?x=1#invitation=secret', width: 1 } }),
    );
    await ask('addEvent', JSON.stringify(picture));
    expect(recorded(await ask('finish'))).toEqual([
      { type: 4, data: { href: 'http://ward.example/sign_up', width: 1 } },
      picture,
    ]);
  });

  it('forgets what was sent and what was cleared', async () => {
    const { ask } = startWorker();
    await ask('addEvent', '{"type":2}');
    expect(recorded(await ask('finish'))).toEqual([{ type: 2 }]);
    await ask('addEvent', '{"type":3}');
    await ask('clear');
    expect(recorded(await ask('finish'))).toEqual([]);
  });
});
