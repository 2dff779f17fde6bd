import type { LightMyRequestResponse } from 'fastify';
import { defaultEscalationTimes } from '../../lib/alerts/escalationTimes';
import { versionOne } from '../../lib/hl7/senderSettings';
import { proposalKinds, type ProposalKind } from '../../lib/proposals/proposals';
import type { UserType } from '../../lib/session/userTypes';
import { addSender } from '../../test/addSender';
import { engines } from '../../test/database';
import { gatewayAddress } from '../../test/hl7Door';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';
import { settingsOf } from '../hl7/senderSettings';
import { codeKey } from '../mappings/mappings';
import { requireConfirmation } from '../users/confirmations';
import { policies, type ProposalRow } from './proposals';

type Role = readonly [UserType, isAdmin?: boolean];

/** How a kind is proposed and approved by its calls. */
interface Case {
  /** May propose, and approve what others proposed. */
  proposer: Role;
  approver: Role;
  propose: (by: Caller) => Promise<LightMyRequestResponse | null>;
  approve: (by: Caller, id: number) => Promise<LightMyRequestResponse>;
  /** Whether it is in force. */
  holds: () => Promise<boolean>;
  /** What the proposer gets who wants to approve it; 403 if it is left out. */
  own?: number;
}

const day = 86_400_000;

describe.each(engines)('what one person proposes on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let cases: Record<ProposalKind, Case>;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
  });
  afterAll(() => test.stop());

  beforeEach(async () => {
    site = await test.addSite();
    const unitId = await test.addUnit(site, 'North');
    const { id: senderId } = await addSender(test, site, { address: gatewayAddress() });
    const device = await test.addDevice(site, { isOwn: true });
    const guest = await test.addUser(site, 'nurse');
    const made = { basedOn: null, replaces: null, reason: 'As the ward agreed' };
    const mappings = '/api/v2/admin/mappings';
    const code = { id: 'SAT', text: 'Saturation', system: 'L' };
    const patch = (by: Caller) => by.call('PATCH', `/api/v2/devices/${device.id}`, { unitIds: [unitId] });
    const mapping = {
      proposer: ['physician', true],
      approver: ['physician'],
      approve: (by: Caller, id: number) => by.call('POST', `${mappings}/proposals/${id}/confirm`),
    } as const;
    const setting = { proposer: ['ward_lead'], approver: ['ward_lead'] } as const;
    cases = {
      limits: {
        ...setting,
        propose: (by) =>
          by.call('POST', '/api/v2/site/limits/proposals', { rule: 'hr.low', values: { low: 42 }, ...made }),
        approve: (by, id) => by.call('POST', `/api/v2/site/limits/proposals/${id}/approve`),
        holds: async () =>
          (await test.store.db.selectFrom('alert_limits').where('site_id', '=', site).select('id').execute()).length >
          0,
      },
      escalation: {
        ...setting,
        propose: (by) => {
          const times = { ...defaultEscalationTimes, repeat: { raises: 2, withinMinutes: 10 } };
          return by.call('POST', '/api/v2/site/escalation/proposals', { times, ...made });
        },
        approve: (by, id) => by.call('POST', `/api/v2/site/escalation/proposals/${id}/approve`),
        holds: async () => {
          const nurse = await test.signIn(site, 'nurse');
          const { settingId } = (await nurse.call('GET', '/api/v2/site/escalation')).json<{
            settingId: number | null;
          }>();
          return settingId !== null;
        },
      },
      bed_mapping: {
        ...mapping,
        propose: (by) => by.call('POST', mappings, { senderId, senderBed: 'ICU^^7', unitId, bed: '7' }),
        holds: () => Promise.resolve(test.server.beds.find(senderId, 'ICU^^7') !== null),
      },
      code_mapping: {
        ...mapping,
        propose: (by) => by.call('POST', `${mappings}/codes`, { senderId, code, kind: 'spo2', isUnitless: false }),
        holds: () => Promise.resolve(test.server.codes.find(senderId, codeKey(code)) !== null),
      },
      sender: {
        ...mapping,
        propose: (by) =>
          by.call('POST', `/api/v2/admin/senders/${senderId}/settings`, {
            ...{ basedOn: 1, settings: { ...versionOne, bedRoute: false } },
          }),
        approve: (by, id) => by.call('POST', `/api/v2/admin/senders/settings/${id}/confirm`),
        holds: () =>
          Promise.resolve(test.server.hl7.senders.ofSite(site).some((sender) => settingsOf(sender).bedRoute === false)),
      },
      gateway: {
        ...{ proposer: ['administrator', true], approver: ['administrator', true] },
        ...{ propose: patch, approve: patch, own: 200 },
        holds: () => Promise.resolve(test.server.liveState.devices.get(device.id)?.gateway_units === `[${unitId}]`),
      },
      account: {
        ...{ proposer: ['administrator', true], approver: ['physician'] },
        propose: async ({ userId: makerId }) => {
          const of = { siteId: site, userId: guest.id, makerId };
          await test.store.db.transaction().execute((transaction) => requireConfirmation(transaction, test.now(), of));
          return null;
        },
        approve: (by) => by.call('POST', `/api/v2/confirmations/${guest.id}`),
        holds: async () => {
          const row = test.store.db.selectFrom('users').where('id', '=', guest.id).select('unconfirmed_since');
          return (await row.executeTakeFirst())?.unconfirmed_since === null;
        },
      },
    };
  });

  const signIn = ([type, isAdmin]: Role, where = site) => test.signIn(where, type, isAdmin);
  const rows = async (kind: ProposalKind): Promise<ProposalRow[]> =>
    await test.store.db
      .selectFrom('proposals')
      .selectAll()
      .where('site_id', '=', site)
      .where('kind', '=', kind)
      .execute();
  /** Has somebody propose it while another one could approve it, and returns its id. */
  const proposed = async (kind: ProposalKind): Promise<{ id: number; proposer: Caller; approver: Caller }> => {
    const [proposer, approver] = [await signIn(cases[kind].proposer), await signIn(cases[kind].approver)];
    const response = await cases[kind].propose(proposer);
    expect([response?.statusCode ?? 200, response?.body]).toEqual([200, response?.body]);
    const [row, ...others] = await rows(kind);
    expect([row?.state, row?.proposed_by, others]).toEqual(['proposed', proposer.userId, []]);
    return { id: row?.id ?? 0, proposer, approver };
  };
  const codeOf = (response: LightMyRequestResponse) =>
    response.json<{ error: { code: string; message: string } }>().error;

  it.each(proposalKinds)(
    'is approved neither by that person, nor without the right, nor from elsewhere: %s',
    async (kind) => {
      const { approve, holds, own = 403 } = cases[kind];
      const { id, proposer } = await proposed(kind);
      expect((await approve(proposer, id)).statusCode).toBe(own);
      expect((await approve(await signIn(['nurse']), id)).statusCode).toBe(403);
      const stranger = await signIn(cases[kind].approver, await test.addSite('Other ward'));
      expect((await approve(stranger, id)).statusCode).toBe(404);
      await expect(holds()).resolves.toBe(false);
      await expect(rows(kind)).resolves.toMatchObject([{ state: 'proposed' }]);
    },
  );

  it.each(proposalKinds)('is not approved by a person who has lost the right since: %s', async (kind) => {
    const { id, approver } = await proposed(kind);
    const lost = { type: 'nurse', is_admin: 0 } as const;
    await test.store.db.updateTable('users').set(lost).where('id', '=', approver.userId).execute();
    await test.server.sessions.reload([approver.userId]);
    expect((await cases[kind].approve(approver, id)).statusCode).toBe(403);
    await expect(cases[kind].holds()).resolves.toBe(false);
  });

  it.each(proposalKinds)('is there once if it is sent again: %s', async (kind) => {
    const { id, proposer } = await proposed(kind);
    await cases[kind].propose(proposer);
    await expect(rows(kind)).resolves.toMatchObject([{ id, state: 'proposed' }]);
  });

  it.each(proposalKinds)(
    'is approved once by two at the same moment, the other learns by whom, and both names are on record: %s',
    async (kind) => {
      const { approve, holds } = cases[kind];
      const { id, proposer, approver } = await proposed(kind);
      const other = await signIn(cases[kind].approver);
      const responses = await Promise.all([approve(approver, id), approve(other, id)]);
      const [late] = responses.filter(({ statusCode }) => statusCode === 409);
      expect(responses.map(({ statusCode }) => statusCode < 300)).toContain(true);
      const [row] = await rows(kind);
      const first = row?.decided_by === approver.userId ? approver : other;
      expect(row).toMatchObject({ state: 'approved', proposed_by: proposer.userId, decided_by: first.userId });
      const { fname, lname } = await test.store.db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', first.userId)
        .executeTakeFirstOrThrow();
      expect(late === undefined ? null : codeOf(late)).toMatchObject({
        code: 'proposal_decided',
        message: expect.stringContaining(`was approved by ${fname} ${lname}`) as unknown,
      });
      await expect(holds()).resolves.toBe(true);
      const { propose, approve: confirm } = policies[kind].actions;
      const audit = test.store.db
        .selectFrom('audit')
        .select(['action', 'actor_id', 'details'])
        .where('site_id', '=', site);
      const actions = [propose, confirm].flatMap((action) => action ?? []);
      const record = await audit.where('action', 'in', actions).orderBy('id').execute();
      expect(record.map(({ action, actor_id }) => [action, actor_id])).toEqual([
        ...(propose === null ? [] : [[propose, proposer.userId]]),
        [confirm, first.userId],
      ]);
      const named = policies[kind].objectType === 'site' ? '"rule":' : `"proposedBy":${proposer.userId}`;
      expect(record.at(-1)?.details).toContain(named);
    },
  );

  it.each(proposalKinds)('waits as long as its policy says: %s', async (kind) => {
    const { lastsMs } = policies[kind];
    const { id } = await proposed(kind);
    test.advance(lastsMs ?? 100 * day);
    const response = await cases[kind].approve(await signIn(cases[kind].approver), id);
    expect(response.statusCode < 300).toBe(lastsMs === null);
    await expect(cases[kind].holds()).resolves.toBe(lastsMs === null);
    expect(lastsMs === null ? null : codeOf(response).code).toBe(lastsMs === null ? null : 'proposal_decided');
  });
});
