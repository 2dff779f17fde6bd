import type * as Config from './sentry.server.config';
import { startReportReceiver, type ReportReceiver } from './test/reportReceiver';

const id = 'a'.repeat(32);

/** Loads the module as a server does that was started with this DSN. */
function startedWith(dsn: string): typeof Config.serverReporter {
  process.env.SENTRY_DSN = dsn;
  let started: typeof Config | undefined;
  jest.isolateModules(() => {
    started = jest.requireActual<typeof Config>('./sentry.server.config');
  });
  if (started === undefined) {
    throw new Error('The file was not loaded');
  }
  return started.serverReporter;
}

describe('the server’s error reports', () => {
  const dsnOfDeveloper = process.env.SENTRY_DSN;
  let receiver: ReportReceiver;
  beforeEach(async () => {
    receiver = await startReportReceiver();
  });
  afterEach(async () => {
    if (dsnOfDeveloper === undefined) {
      delete process.env.SENTRY_DSN;
    } else {
      process.env.SENTRY_DSN = dsnOfDeveloper;
    }
    await receiver.stop();
  });

  it.each(['', 'nonsense', 'https://key:secret@reports.example/7'])('go nowhere if the DSN is %j', (dsn) => {
    expect(startedWith(dsn)).toBeNull();
  });

  it('go straight to the operator’s receiver, with release and route and without personal data', async () => {
    const reporter = startedWith(receiver.dsn);
    reporter?.send(
      new TypeError('Moreau is not here', { cause: new Error('MRN 471108150815') }),
      '/api/v2/patients/:id',
      id,
    );
    reporter?.send('Moreau', '/patients', 'b'.repeat(32));
    await reporter?.close();
    const events = receiver.items().filter(({ type }) => type === 'event');
    expect(events.map(({ json }) => json)).toEqual([
      expect.objectContaining({
        event_id: id,
        environment: 'production',
        release: 'wardlight@0.1.0',
        transaction: '/api/v2/patients/:id',
        exception: {
          values: [
            expect.objectContaining({ type: 'Error', value: 'Message withheld' }),
            expect.objectContaining({ type: 'TypeError', value: 'Message withheld' }),
          ],
        },
      }),
      expect.objectContaining({ transaction: '/patients' }),
    ]);
    expect(JSON.stringify(receiver.received)).not.toMatch(/Moreau|471108150815/);
  });

  it('slow no one while the receiver hangs', async () => {
    receiver.hang = true;
    const reporter = startedWith(receiver.dsn);
    for (let count = 0; count < 200; count += 1) {
      reporter?.send(new Error('x'), '/patients', id);
    }
    await expect(reporter?.close()).resolves.toBeUndefined();
  });
});
