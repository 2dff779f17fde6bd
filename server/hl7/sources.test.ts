import { startTestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { acceptSender } from './commands';
import { createSources } from './sources';

it('keeps no more messages waiting for their sources than there can be connections', async () => {
  const test = await startTestServer('sqlite');
  const site = await test.addSite();
  test.server.hl7.senders.noteUnknown({ address: '10.1.2.3', application: '', facility: '' }, test.now());
  const [unknown] = test.server.hl7.senders.unknown();
  const accepted = { unknownId: unknown?.id ?? 0, name: 'Gate', address: '10.1.2.3' };
  const sender = await acceptSender(test.server, test.now(), system, site, accepted);
  const { make } = createSources(test.store, test.server.liveState, test.now);
  const sources = Array.from({ length: 300 }, (_, index) => ({ key: `key ${index}`, name: `Probe ${index}` }));
  const made = await Promise.allSettled(sources.map((source) => make(sender, [source])));
  const codes = made.map((one) =>
    one.status === 'fulfilled' ? 'made' : String((one.reason as { code: string }).code),
  );
  expect([codes.filter((code) => code === 'made').length, new Set(codes)]).toEqual([200, new Set(['made', 'busy'])]);
  await expect(make(sender, sources.slice(200))).resolves.toBeUndefined();
  expect(test.server.liveState.devices.size).toBe(301);
  await test.stop();
});
