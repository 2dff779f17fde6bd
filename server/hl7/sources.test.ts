import { addBedMapping } from '../../test/addBedMapping';
import { addSender } from '../../test/addSender';
import { apiEngines } from '../../test/database';
import { gatewayAddress } from '../../test/hl7Door';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import type { DeviceRow, SenderRow } from '../db/rows';
import { changeDevice } from '../devices/commands';
import { endBedMapping } from '../mappings/bedCommands';
import { createSources, type Sources } from './sources';
import { earlierOf, sourceOf, type Source } from './sourceOf';

const startWithSender = async () => {
  const test = await sharedTestServer('sqlite');
  const site = await test.addSite();
  const sender = await addSender(test, site, { address: gatewayAddress() });
  return { test, sender, ...createSources(test.server) };
};

it('makes at most 500 monitors, so that bed names without end leave room for probes', async () => {
  const { sender, make, find } = await startWithSender();
  const monitors = Array.from({ length: 600 }, (_, index) => ({ key: `monitor ${index}`, name: `Monitor ${index}` }));
  await make(sender, monitors.slice(0, 400));
  await make(sender, [...monitors.slice(400), { key: 'probe', name: 'Probe' }]);
  expect(monitors.filter(({ key }) => find(sender.id, key) !== null)).toHaveLength(500);
  expect(find(sender.id, 'probe')?.name).toBe('Probe');
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
  const devices = [...test.server.liveState.devices.values()];
  expect(devices.filter(({ site_id }) => site_id === sender.site_id)).toHaveLength(301);
});

describe.each(apiEngines)('sources of a mapping on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let sender: SenderRow;
  let sources: Sources;

  beforeEach(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    sender = await addSender(test, site, { address: gatewayAddress() });
    sources = createSources(test.server);
  });

  const observation = { deviceId: null, code: { id: 'SAT', text: 'Saturation', system: 'L' }, subId: '1' };
  /** A source of a bed that another mapping than before may say. */
  const ofBed = (bed: string, bedMappingId: number): Source =>
    sourceOf(observation, { bed, patient: { hasIdentifier: false }, bedMappingId, codeMappingId: null });
  const map = async (bed: string): Promise<number> => {
    const unitId = await test.addUnit(site, 'ICU');
    await addBedMapping(test, site, { senderId: sender.id, senderBed: bed, unitId, bed: '7' });
    return test.server.beds.find(sender.id, bed)?.id ?? 0;
  };
  const end = async (id: number, wasWrong: boolean): Promise<void> => {
    const decider = { siteId: site, userId: (await test.addUser(site, 'physician')).id };
    test.server.beds.put(await endBedMapping(test.store, test.now(), system, decider, { id, wasWrong }));
  };
  const expectEvery = async (device: DeviceRow | null, expectedEveryMs: number): Promise<void> => {
    const { store, server, now } = test;
    await changeDevice(store, server.liveState, now(), system, device?.id ?? 0, { expectedEveryMs });
  };
  const made = async (source: Source) => {
    await sources.make(sender, [source]);
    return sources.find(sender.id, source.key);
  };

  it.each([false, true])('make room for others once it has ended, undone or not (%p)', async (wasWrong) => {
    const id = await map('ICU^^7');
    const many = Array.from({ length: 1_999 }, (_, index) => ({ ...ofBed('ICU^^7', id), key: `bed ${index}` }));
    await sources.make(sender, many);
    const next = await map('ICU^^8');
    await expect(made(ofBed('ICU^^8', next))).resolves.toBeNull();
    await end(id, wasWrong);
    await expect(made(ofBed('ICU^^8', next))).resolves.toMatchObject({ bed_mapping_id: next });
  });

  it('leave the room of others while what came before the mapping is read again', async () => {
    const code = { bed: 'ICU^^7', patient: { hasIdentifier: true }, bedMappingId: null, codeMappingId: 1 };
    const mapped = sourceOf(observation, code);
    const earlier = Array.from({ length: 2_001 }, (_, index) => earlierOf({ ...mapped, key: `probe ${index}` }));
    await sources.make(sender, earlier);
    expect(earlier.filter(({ key }) => sources.find(sender.id, key) !== null)).toHaveLength(2_000);
    await expect(made(sourceOf(observation, { ...code, codeMappingId: null }))).resolves.toMatchObject({
      code_mapping_id: null,
    });
  });

  it('that is mapped again are expected as often as before, and those of other places are not', async () => {
    const first = await map('ICU^^7');
    const before = await made(ofBed('ICU^^7', first));
    const everyMs = 300_000;
    await expectEvery(before, everyMs);
    await end(first, false);
    const second = await map('ICU^^7');
    const again = await made(ofBed('ICU^^7', second));
    expect([again?.id === before?.id, again?.expected_every_ms]).toEqual([false, everyMs]);
    await expect(made(ofBed('ICU^^9', second))).resolves.toMatchObject({ expected_every_ms: null });
    const other = { ...observation, subId: '2' };
    const probe = sourceOf(other, {
      ...{ bed: 'ICU^^7', patient: { hasIdentifier: false } },
      ...{ bedMappingId: second, codeMappingId: null },
    });
    await expect(made(probe)).resolves.toMatchObject({ expected_every_ms: null });
  });

  it('are expected as often as by any earlier mapping of their code, the newest first', async () => {
    const ofCode = (codeMappingId: number): Source =>
      sourceOf(observation, { bed: 'ICU^^7', patient: { hasIdentifier: true }, bedMappingId: null, codeMappingId });
    for (const [id, expectedEveryMs] of [
      [1, 60_000],
      [2, 300_000],
    ] as const) {
      const device = await made(ofCode(id));
      await expectEvery(device, expectedEveryMs);
    }
    await expect(made(ofCode(3))).resolves.toMatchObject({ expected_every_ms: 300_000 });
  });
});
