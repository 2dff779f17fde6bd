import type { TestServer } from './startServer';
import { expect, test } from './test';
import { enter, startWard } from './ward';

/** What the text of an error may quote. In two parts, because the stack names the address of this very code. */
const quoted = ['Jons', 'dottir'];
/** Faults of the server that come from no call: a signal throws one, another rejects one that no one awaits. */
const faulty = `
  process.on('SIGUSR2', () => { throw new Error('${quoted.join("' + '")}') });
  process.on('SIGHUP', () => void Promise.reject(new Error('${quoted.join("' + '")}')));`;

let server: TestServer;

test.beforeAll(async () => {
  server = await startWard({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(faulty)}` });
});

test.afterAll(async () => {
  await server.remove();
});

test('ends the server in order after a fault, says nothing of its text, and says so after the start', async ({
  context,
}) => {
  const page = await context.newPage();
  // Next adds handlers of its own when it first renders a page.
  await enter(page, server);
  await page.close();
  // An exception that no one catches, and a rejection that no one awaits.
  for (const signal of ['SIGUSR2', 'SIGHUP'] as const) {
    const before = server.output().length;
    expect(await server.end(signal)).toBe(70);
    const output = server.output().slice(before);
    expect(output).not.toContain(quoted.join(''));
    expect(output).toMatch(/"fault":"Error","stack":\["at .*"msg":"uncaught fault"/);
    expect(output).toContain('"msg":"stopped"');
    if (signal === 'SIGUSR2') {
      await server.start();
      const later = await context.newPage();
      await later.goto(`${server.url}/dashboard`);
      await expect(later.getByText('Server ended by a fault and was started again').first()).toBeVisible();
      await later.close();
    }
  }
});
