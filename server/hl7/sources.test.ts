import { addSender } from '../../test/addSender';
import { startTestServer } from '../../test/testServer';
import { createSources } from './sources';

const startWithSender = async () => {
  const test = await startTestServer('sqlite');
  const site = await test.addSite();
  const sender = await addSender(test, site);
  return { test, sender, ...createSources(test.store, test.server.liveState, test.now) };
};

it('makes at most 500 monitors, so that bed names without end leave room for probes', async () => {
  const { test, sender, make, find } = await startWithSender();
  const monitors = Array.from({ length: 600 }, (_, index) => ({ key: `monitor ${index}`, name: `Monitor ${index}` }));
  await make(sender, monitors.slice(0, 400));
  await make(sender, [...monitors.slice(400), { key: 'probe', name: 'Probe' }]);
  expect(monitors.filter(({ key }) => find(sender.id, key) !== null)).toHaveLength(500);
  expect(find(sender.id, 'probe')?.name).toBe('Probe');
  await test.stop();
});

it('keeps no more messages waiting for their sources than there can be connections', async () => {
  const { test, sender, make } = await startWithSender();
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
