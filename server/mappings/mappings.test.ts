import type { z } from 'zod';
import type { mappingsResponse } from '../../lib/mappings/schema';
import { addSender } from '../../test/addSender';
import { apiEngines } from '../../test/database';
import { gatewayAddress } from '../../test/hl7Door';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { revokeSender } from '../hl7/commands';

type Mappings = z.infer<typeof mappingsResponse>;

describe.each(apiEngines)('which bed a bed of an HL7 sender is, on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let senderId: number;
  let unitId: number;
  let technician: Caller;
  let physician: Caller;

  beforeEach(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    ({ id: senderId } = await addSender(test, site, { name: 'Gateway A', address: gatewayAddress() }));
    unitId = await test.addUnit(site, 'North');
    technician = await test.signIn(site, 'technician');
    physician = await test.signIn(site, 'physician');
  });

  const address = '/api/v2/admin/mappings';
  const propose = async (by: Caller, more: object = {}) =>
    await by.call('POST', address, { senderId, senderBed: 'ICU^^7', unitId, bed: '7', ...more });
  const decide = async (by: Caller, id: number, how: 'confirm' | 'end') =>
    await by.call('POST', `${address}/${id}/${how}`);
  const listed = async (by = physician): Promise<Mappings['items']> =>
    (await by.call('GET', address)).json<Mappings>().items;
  const idOf = (response: { json: <T>() => T }): number => response.json<Mappings>().items[0]?.mapping?.id ?? 0;
  const faultOf = (response: { statusCode: number; json: <T>() => T }): [number, string] => [
    response.statusCode,
    response.json<{ error: { code: string } }>().error.code,
  ];
  const find = (): string | null => test.server.beds.find(senderId, 'ICU^^7')?.bed ?? null;

  it('is proposed for a sender and a unit of the site only, and once', async () => {
    const elsewhere = await test.addSite('Other ward');
    const { id: sender } = await addSender(test, elsewhere, { name: 'Gateway B', address: gatewayAddress() });
    const other = { sender, unit: await test.addUnit(elsewhere, 'South') };
    expect(faultOf(await propose(technician, { senderId: other.sender }))).toEqual([404, 'not_found']);
    expect(faultOf(await propose(technician, { unitId: other.unit }))).toEqual([404, 'not_found']);
    expect(faultOf(await propose(physician))).toEqual([403, 'forbidden']);
    const first = await propose(technician);
    expect(first.statusCode).toBe(200);
    expect(faultOf(await propose(technician, { bed: '8' }))).toEqual([409, 'bed_mapped']);
    // The same again, after a lost response.
    expect(idOf(await propose(technician))).toBe(idOf(first));
    await expect(listed()).resolves.toHaveLength(1);
  });

  it('counts only once a second person, who knows the patients, has confirmed it', async () => {
    const both = await test.signIn(site, 'physician', true);
    const id = idOf(await propose(both));
    expect(find()).toBeNull();
    expect(faultOf(await decide(both, id, 'confirm'))).toEqual([403, 'own_proposal']);
    expect(faultOf(await decide(technician, id, 'confirm'))).toEqual([403, 'forbidden']);
    expect((await listed(both))[0]?.mapping?.canConfirm).toBe(false);
    expect((await listed(physician))[0]?.mapping?.canConfirm).toBe(true);
    expect(find()).toBeNull();
    expect((await decide(physician, id, 'confirm')).statusCode).toBe(200);
    expect(find()).toBe('7');
    expect((await decide(physician, id, 'confirm')).statusCode).toBe(200);
    await test.restart();
    expect(find()).toBe('7');
  });

  it('ends by either, at once, and cannot be confirmed afterwards', async () => {
    const id = idOf(await propose(technician));
    await decide(physician, id, 'confirm');
    expect((await decide(technician, id, 'end')).statusCode).toBe(200);
    expect(find()).toBeNull();
    expect((await decide(technician, id, 'end')).statusCode).toBe(200);
    expect(faultOf(await decide(physician, id, 'confirm'))).toEqual([409, 'mapping_ended']);
    await expect(listed()).resolves.toEqual([]);
    const next = idOf(await propose(technician, { bed: '9' }));
    expect(next).not.toBe(id);
    await decide(await test.signIn(site, 'ward_lead'), next, 'confirm');
    expect(find()).toBe('9');
  });

  it('is reached in no other site', async () => {
    const id = idOf(await propose(technician));
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    await expect(listed(stranger)).resolves.toEqual([]);
    expect(faultOf(await decide(stranger, id, 'confirm'))).toEqual([404, 'not_found']);
    expect(faultOf(await decide(stranger, id, 'end'))).toEqual([404, 'not_found']);
  });

  it('lists beds that came without a mapping with their count, and none of a sender that is revoked', async () => {
    const { senders } = test.server.hl7;
    senders.noteUnknownBeds(senderId, ['ICU^^9', 'ICU^^9', 'x'.repeat(101), 'a\u0007b']);
    await propose(technician);
    expect((await listed()).map(({ sender, bed, unmapped, mapping }) => [sender, bed, unmapped, mapping?.bed])).toEqual(
      [
        ['Gateway A', 'ICU^^7', 0, '7'],
        ['Gateway A', 'ICU^^9', 2, undefined],
      ],
    );
    await revokeSender(test.server, test.now(), system, site, senderId);
    await expect(listed()).resolves.toEqual([]);
    expect(faultOf(await propose(technician, { senderBed: 'ICU^^9' }))).toEqual([404, 'not_found']);
  });

  it('leaves a row of the audit with each decision', async () => {
    const id = idOf(await propose(technician));
    await decide(physician, id, 'confirm');
    await decide(physician, id, 'end');
    const rows = await test.store.db
      .selectFrom('audit')
      .where('site_id', '=', site)
      .select(['action', 'actor_id', 'object_type', 'object_id'])
      .where('action', 'like', '%bed_mapping')
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { action: 'propose_bed_mapping', actor_id: technician.userId, object_type: 'sender', object_id: senderId },
      { action: 'confirm_bed_mapping', actor_id: physician.userId, object_type: 'sender', object_id: senderId },
      { action: 'end_bed_mapping', actor_id: physician.userId, object_type: 'sender', object_id: senderId },
    ]);
  });
});
