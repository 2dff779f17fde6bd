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
  const decide = async (by: Caller, id: number, how: 'confirm' | 'reject') =>
    await by.call('POST', `${address}/proposals/${id}/${how}`);
  const end = async (by: Caller, id: number) => await by.call('POST', `${address}/${id}/end`);
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
    const id = idOf(await propose(technician));
    expect(faultOf(await propose(technician, { bed: '8' }))).toEqual([409, 'proposal_open']);
    await decide(physician, id, 'confirm');
    expect(faultOf(await propose(technician, { bed: '8' }))).toEqual([409, 'bed_mapped']);
    await expect(listed()).resolves.toHaveLength(1);
  });

  it('counts once a physician has confirmed what two may propose and read, also after a restart', async () => {
    const both = await test.signIn(site, 'physician', true);
    const id = idOf(await propose(both));
    expect((await listed(both))[0]?.mapping?.canConfirm).toBe(false);
    expect((await listed(physician))[0]?.mapping?.canConfirm).toBe(true);
    await test.restart();
    expect(find()).toBeNull();
    expect((await decide(physician, id, 'confirm')).statusCode).toBe(200);
    expect(find()).toBe('7');
    await test.restart();
    expect(find()).toBe('7');
  });

  it('ends by either, at once, and so does a proposal', async () => {
    const rejected = idOf(await propose(technician));
    expect((await decide(technician, rejected, 'reject')).statusCode).toBe(200);
    await expect(listed()).resolves.toEqual([]);
    const id = idOf(await decide(physician, idOf(await propose(technician)), 'confirm'));
    expect((await end(technician, id)).statusCode).toBe(200);
    expect(find()).toBeNull();
    expect((await end(technician, id)).statusCode).toBe(200);
    await expect(listed()).resolves.toEqual([]);
    await decide(await test.signIn(site, 'ward_lead'), idOf(await propose(technician, { bed: '9' })), 'confirm');
    expect(find()).toBe('9');
  });

  it.each(['confirm', 'reject', 'end'] as const)(
    'that a restore or an earlier release left unconfirmed is a proposal, whose %s keeps the row',
    async (how) => {
      const id = idOf(await decide(physician, idOf(await propose(technician)), 'confirm'));
      const rows = () => test.store.db.selectFrom('bed_mappings').selectAll().where('site_id', '=', site).execute();
      await test.store.db
        .updateTable('bed_mappings')
        .set({ confirmed_at: null, confirmed_by: null })
        .where('id', '=', id)
        .execute();
      await test.restart();
      expect(find()).toBeNull();
      expect(test.server.beds.isOpen(id)).toBe(true);
      const [item] = await listed();
      expect(item?.mapping).toMatchObject({ confirmed: null, proposed: { by: { id: technician.userId } }, bed: '7' });
      const proposal = item?.mapping?.id ?? 0;
      expect((await (how === 'end' ? end(physician, id) : decide(physician, proposal, how))).statusCode).toBe(200);
      expect(find()).toBe(how === 'confirm' ? '7' : null);
      await expect(rows()).resolves.toMatchObject([
        {
          id,
          confirmed_by: how === 'confirm' ? physician.userId : null,
          ended_by: how === 'confirm' ? null : physician.userId,
        },
      ]);
      await test.restart();
      expect(find()).toBe(how === 'confirm' ? '7' : null);
      await expect(listed()).resolves.toHaveLength(how === 'confirm' ? 1 : 0);
      expect(faultOf(await decide(physician, proposal, 'confirm'))).toEqual([409, 'proposal_decided']);
    },
  );

  it('is not confirmed as what it was not, if a row of another bed is there', async () => {
    const id = idOf(await propose(technician));
    const row = { site_id: site, sender_id: senderId, sender_bed: 'ICU^^7', unit_id: unitId, bed: '8' };
    const unconfirmed = { confirmed_at: null, confirmed_by: null, ended_at: null, ended_by: null };
    const proposed = { proposed_at: test.now(), proposed_by: technician.userId };
    await test.store.db
      .insertInto('bed_mappings')
      .values({ ...row, ...unconfirmed, ...proposed })
      .execute();
    expect(faultOf(await decide(physician, id, 'confirm'))).toEqual([409, 'bed_mapped']);
    expect(find()).toBeNull();
  });

  it('is reached in no other site', async () => {
    const id = idOf(await propose(technician));
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    await expect(listed(stranger)).resolves.toEqual([]);
    expect(faultOf(await decide(stranger, id, 'reject'))).toEqual([404, 'not_found']);
    const mapping = idOf(await decide(physician, id, 'confirm'));
    expect(faultOf(await end(stranger, mapping))).toEqual([404, 'not_found']);
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
    await end(physician, idOf(await decide(physician, idOf(await propose(technician)), 'confirm')));
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
