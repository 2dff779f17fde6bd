import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { makeTestFolder } from '../../test/testFolder';
import type { PreviewTask } from './previewTask';
import { createPreviews } from './previews';

const task: PreviewTask = {
  store: { dataDir: '', databaseUrl: null },
  patientId: 1,
  stream: 'oxygenation',
  scale: 1,
  isComfortCare: false,
  isUnder16: false,
  now: { limits: {}, own: {} },
  proposed: { limits: {}, own: {} },
  every: {},
  assigned: [],
  offsets: [],
  from: 0,
  to: 1,
};
const counts = '{ high: 0, medium: 0, low: 0 }';
const preview = `{ parameter: 'spo2', from: new Date(0).toISOString(), to: new Date(1).toISOString(), coveredMs: 0,
  now: ${counts}, proposed: ${counts}, missed: ${counts}, milder: ${counts} }`;
/** A worker that does something with each task. */
const onTask = (what: string): string =>
  `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (task) => { ${what} })`;
const answers = `parentPort.postMessage(${preview})`;

describe('previews of limits', () => {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  let folder: string;

  beforeAll(() => {
    folder = makeTestFolder('previews');
  });
  beforeEach(() => {
    lines.length = 0;
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Previews by a worker with this program. */
  const previewsBy = (program: string, limitMs?: number) => {
    const file = path.join(folder, `worker${program.length}.js`);
    writeFileSync(file, program);
    return createPreviews({ file, log, limitMs });
  };
  const codeOf = (run: Promise<unknown>) =>
    run.then(
      () => 'done',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );

  it.each([
    ['throws', onTask(`throw new Error('the patient with 77 %')`)],
    ['rejects', onTask(`void (async () => { throw new Error('the patient with 77 %') })()`)],
    ['cannot start', `throw new Error('the patient with 77 %')`],
    ['ends without an answer', ''],
    ['leaves', onTask('process.exit(3)')],
    ['answers something else', onTask('parentPort.postMessage({ now: 3 })')],
    ['takes all memory', onTask('const all = []; for (;;) { all.push(new Array(1e6).fill({})) }')],
  ])('are refused and nothing else happens if the worker %s', async (_, program) => {
    const previews = previewsBy(program);
    await expect(codeOf(previews.run(1, task))).resolves.toBe('preview_failed');
    expect(lines.join()).not.toContain('77 %');
    expect(lines.join()).not.toContain('the patient');
  });

  it('are refused if there is no such file', async () => {
    const previews = createPreviews({ file: path.join(folder, 'none.js'), log });
    await expect(codeOf(previews.run(1, task))).resolves.toBe('preview_failed');
  });

  it('are given up after a time, and those of others run then', async () => {
    const previews = previewsBy(onTask(`if (task.patientId === 1) { for (;;) {} }; ${answers}`), 1_000);
    const [late, next] = [previews.run(1, task), previews.run(2, { ...task, patientId: 2 })];
    await expect(codeOf(late)).resolves.toBe('preview_late');
    // It waited behind the other one for as long as that ran.
    await expect(codeOf(next)).resolves.toMatch(/^(done|preview_late)$/);
    await expect(codeOf(previews.run(2, { ...task, patientId: 2 }))).resolves.toBe('done');
  });

  it('are one for each user, the newest', async () => {
    const previews = previewsBy(onTask(`if (task.patientId !== 1) { ${answers} }`));
    const old = codeOf(previews.run(1, task));
    const waiting = codeOf(previews.run(1, task));
    const newest = codeOf(previews.run(1, { ...task, patientId: 2 }));
    await expect(Promise.all([old, waiting, newest])).resolves.toEqual([
      'preview_replaced',
      'preview_replaced',
      'done',
    ]);
  });

  it('are computed again after a thread has failed', async () => {
    const previews = previewsBy(onTask(`if (task.patientId === 1) { throw new Error('no') }; ${answers}`));
    await expect(codeOf(previews.run(1, { ...task, patientId: 2 }))).resolves.toBe('done');
    await expect(codeOf(previews.run(1, task))).resolves.toBe('preview_failed');
    await expect(codeOf(previews.run(1, { ...task, patientId: 2 }))).resolves.toBe('done');
    previews.stop();
  });

  it('end when the server stops', async () => {
    const previews = previewsBy(onTask(''));
    const run = codeOf(previews.run(1, task));
    previews.stop();
    await expect(run).resolves.toBe('preview_failed');
  });
});
