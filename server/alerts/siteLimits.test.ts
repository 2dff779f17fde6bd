import type { SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { toInstant } from '../../lib/time/schema';
import { proposeSiteLimits } from '../../test/approveSiteLimits';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const url = '/api/v2/site/limits';
const hour = 3_600_000;
const wanted = { rule: 'hr.low', values: { low: 42 } };

describe.each(apiEngines)('a proposal of a site’s limits on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let physician: Caller;
  let lead: Caller;
  let otherLead: Caller;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    physician = await test.signIn(site, 'physician');
    lead = await test.signIn(site, 'ward_lead');
    otherLead = await test.signIn(site, 'ward_lead');
  });
  afterAll(() => test.stop());

  const read = async (who = physician): Promise<SiteLimitsResponse> =>
    (await who.call('GET', url)).json<SiteLimitsResponse>();
  const newest = async (who = physician) => (await read(who)).proposals[0];
  const holding = async () => (await read()).items.find(({ rule }) => rule === 'hr.low')?.holds.low;
  const propose = async (who: Caller, more: object = {}): Promise<number> => {
    const answer = await proposeSiteLimits(who, { ...wanted, ...more });
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
    return answer.json<SiteLimitsResponse>().proposals[0]?.id ?? 0;
  };
  const approve = (who: Caller, id: number) => who.call('POST', `${url}/proposals/${id}/approve`);
  const reject = (who: Caller, id: number, reason = 'Too low for this ward') =>
    who.call('POST', `${url}/proposals/${id}/reject`, { reason });
  const faultOf = (answer: Awaited<ReturnType<Caller['call']>>) => {
    const { code, message } = answer.json<{ error: { code: string; message: string } }>().error;
    return [answer.statusCode, code, message];
  };
  const disable = async ({ userId }: Caller): Promise<void> => {
    await test.store.db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', userId).execute();
  };
  /** The present time as messages of the site show it. */
  const clock = (): string => formatDayAndTime(test.now(), 'Europe/London');
  const nameOf = async ({ userId }: Caller): Promise<string> => {
    const row = await test.store.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
    return `${row.fname} ${row.lname}`;
  };

  it('is not approved by its author, by a physician beside another ward lead, or by others', async () => {
    const own = await propose(lead);
    expect(faultOf(await approve(lead, own))).toEqual([
      403,
      'own_proposal',
      'You proposed this yourself. Another ward lead has to approve it.',
    ]);
    const refused = [403, 'not_the_approver', 'A ward lead has to approve it.'];
    expect(faultOf(await approve(physician, own))).toEqual(refused);
    expect(faultOf(await reject(physician, own))).toEqual(refused);
    for (const type of ['nurse', 'respiratory_therapist', 'technician', 'viewer', 'administrator'] as const) {
      expect((await approve(await test.signIn(site, type), own)).statusCode).toBe(403);
    }
    expect((await approve(await test.signIn(site, 'administrator', true), own)).statusCode).toBe(403);
    await expect(newest()).resolves.toMatchObject({ state: 'proposed', canApprove: false });
    await expect(holding()).resolves.toBe(45);
  });

  it('is unknown to another site, and to the other kind of settings', async () => {
    const id = await propose(physician);
    const stranger = await test.signIn(await test.addSite('Other ward'), 'ward_lead');
    expect((await approve(stranger, id)).statusCode).toBe(404);
    expect((await reject(stranger, id)).statusCode).toBe(404);
    expect((await lead.call('POST', `/api/v2/site/escalation/proposals/${id}/approve`)).statusCode).toBe(404);
    expect((await approve(lead, 999_999)).statusCode).toBe(404);
  });

  it('that would change nothing is refused, and so is a rejection without a reason', async () => {
    expect(faultOf(await proposeSiteLimits(lead, { rule: 'hr.low', values: {} }))).toEqual([
      422,
      'unchanged',
      'These are the limits that hold now.',
    ]);
    expect((await reject(otherLead, await propose(lead), 'no')).statusCode).toBe(422);
  });

  it('changes nothing until a ward lead approves it, and then holds with both names', async () => {
    const id = await propose(physician);
    await expect(newest(lead)).resolves.toEqual({
      id,
      rule: 'hr.low',
      scale: null,
      state: 'proposed',
      reason: 'As the ward agreed',
      held: { low: 45, high: null },
      wanted: { low: 42, high: null },
      values: { low: 42 },
      reviewAt: null,
      proposedAt: toInstant(test.now()),
      proposedBy: { id: physician.userId, name: await nameOf(physician) },
      expiresAt: toInstant(test.now() + 72 * hour),
      decided: null,
      approver: 'ward_lead',
      canApprove: true,
      canReject: true,
    });
    await expect(newest(physician)).resolves.toMatchObject({ canApprove: false, canReject: true });
    await test.restart();
    await expect(holding()).resolves.toBe(45);
    test.advance(60_000);
    expect((await approve(lead, id)).statusCode).toBe(200);
    await test.restart();
    const { items, history, proposals } = await read();
    expect(items.find(({ rule }) => rule === 'hr.low')).toMatchObject({
      holds: { low: 42 },
      site: { setBy: { id: physician.userId }, approvedBy: { id: lead.userId }, reason: 'As the ward agreed' },
    });
    expect(history).toMatchObject([{ rule: 'hr.low', approvedBy: { id: lead.userId }, setAt: toInstant(test.now()) }]);
    expect(proposals).toMatchObject([
      { state: 'approved', decided: { at: toInstant(test.now()), by: { id: lead.userId } }, canReject: false },
    ]);
  });

  it('is decided once by users who decide at the same moment, and the other one learns by whom', async () => {
    const id = await propose(physician);
    const answers = await Promise.all([approve(lead, id), approve(otherLead, id)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const first = answers[0]?.statusCode === 200 ? lead : otherLead;
    const second = answers.find(({ statusCode }) => statusCode === 409);
    expect(second?.json()).toMatchObject({
      error: {
        code: 'proposal_decided',
        message: expect.stringContaining(`was approved by ${await nameOf(first)}`) as unknown,
      },
    });
    expect(faultOf(await reject(lead, id)).slice(0, 2)).toEqual([409, 'proposal_decided']);
    expect((await read()).history).toHaveLength(1);
  });

  it('is rejected with a reason that its author reads, or withdrawn by its author', async () => {
    const first = await propose(physician);
    expect((await reject(lead, first)).statusCode).toBe(200);
    await expect(newest()).resolves.toMatchObject({
      state: 'rejected',
      decided: { by: { id: lead.userId }, reason: 'Too low for this ward' },
    });
    const second = await propose(physician);
    expect((await reject(physician, second, 'A mistake')).statusCode).toBe(200);
    await expect(newest()).resolves.toMatchObject({ state: 'rejected', decided: { by: { id: physician.userId } } });
    expect(faultOf(await approve(lead, second)).slice(0, 2)).toEqual([409, 'proposal_decided']);
    await expect(holding()).resolves.toBe(45);
  });

  it('expires after 72 h and leaves its place to the next one', async () => {
    const id = await propose(physician);
    test.advance(72 * hour - 1);
    lead = await test.signIn(site, 'ward_lead');
    physician = await test.signIn(site, 'physician');
    await expect(newest(lead)).resolves.toMatchObject({ state: 'proposed', canApprove: true });
    test.advance(1);
    await expect(newest(lead)).resolves.toMatchObject({
      state: 'expired',
      canApprove: false,
      decided: { at: toInstant(test.now()), by: null },
    });
    expect(faultOf(await approve(lead, id)).slice(0, 2)).toEqual([409, 'proposal_decided']);
    test.advance(hour);
    lead = await test.signIn(site, 'ward_lead');
    physician = await test.signIn(site, 'physician');
    const next = await propose(physician);
    expect((await approve(lead, next)).statusCode).toBe(200);
    expect((await read()).proposals.map(({ state }) => state)).toEqual(['approved', 'expired']);
  });

  it('does not expire because someone sets the clock of the server', async () => {
    await propose(physician);
    test.setWallClock(80 * hour);
    await test.server.clockWatch.check();
    await expect(newest(lead)).resolves.toMatchObject({ state: 'proposed', canApprove: true });
  });

  it('of the only ward lead is approved by a physician, also if the other ward lead was disabled', async () => {
    await disable(otherLead);
    const id = await propose(lead);
    await expect(newest()).resolves.toMatchObject({ approver: 'physician', canApprove: true });
    expect(faultOf(await approve(lead, id))).toEqual([
      403,
      'own_proposal',
      'You proposed this yourself. A physician has to approve it, because the proposer is the only ward lead.',
    ]);
    expect((await approve(physician, id)).statusCode).toBe(200);
    await expect(holding()).resolves.toBe(42);
  });

  it('of a physician in a site without a ward lead is approved by no one', async () => {
    await disable(lead);
    await disable(otherLead);
    const id = await propose(physician);
    const second = await test.signIn(site, 'physician');
    await expect(newest(second)).resolves.toMatchObject({ approver: 'no_one', canApprove: false });
    expect(faultOf(await approve(second, id))).toEqual([
      403,
      'not_the_approver',
      'The site has no ward lead who could approve it.',
    ]);
  });

  it('replaces an open one only if its author has seen that', async () => {
    const id = await propose(physician);
    const unseen = await proposeSiteLimits(lead, { rule: 'hr.low', values: { low: 44 } });
    expect(faultOf(unseen)).toEqual([
      409,
      'proposal_open',
      `${await nameOf(physician)} has proposed a change of this, ${clock()}. Look at it first.`,
    ]);
    const both = { rule: 'hr.low', values: { low: 44 }, basedOn: null, replaces: id, reason: 'Fewer alarms' };
    expect((await lead.call('POST', `${url}/proposals`, both)).statusCode).toBe(200);
    expect((await read()).proposals).toMatchObject([
      { state: 'proposed', wanted: { low: 44 }, proposedBy: { id: lead.userId } },
      { state: 'replaced', decided: { by: { id: lead.userId } } },
    ]);
    expect(faultOf(await approve(otherLead, id)).slice(0, 2)).toEqual([409, 'proposal_decided']);
    const late = await physician.call('POST', `${url}/proposals`, both);
    expect(faultOf(late).slice(0, 2)).toEqual([409, 'proposal_open']);
  });

  it('is made once by users who propose at the same moment', async () => {
    const answers = await Promise.all([proposeSiteLimits(lead, wanted), proposeSiteLimits(otherLead, wanted)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await read()).proposals).toHaveLength(1);
  });

  it('based on limits that hold no more is refused, with what holds now', async () => {
    await approve(lead, await propose(physician));
    const stale = { ...wanted, values: { low: 44 }, basedOn: null, replaces: null, reason: 'Fewer alarms' };
    expect(faultOf(await otherLead.call('POST', `${url}/proposals`, stale))).toEqual([
      409,
      'changed_meanwhile',
      `This has changed in the meantime: the limits are low 42, set ${clock()}. Look at it again, then repeat.`,
    ]);
    const id = await propose(physician, { values: { low: 44 } });
    await test.store.db
      .insertInto('alert_limits')
      .values({
        site_id: site,
        patient_id: null,
        rule: 'hr.low',
        scale: null,
        limit_values: '{"low":40}',
        reason: 'As before',
        review_at: null,
        set_at: test.now(),
        set_by: lead.userId,
      })
      .execute();
    expect(faultOf(await approve(lead, id)).slice(0, 2)).toEqual([409, 'changed_meanwhile']);
    await expect(newest()).resolves.toMatchObject({ state: 'proposed' });
  });

  it('is on record, and its reasons are not', async () => {
    await reject(lead, await propose(physician));
    await approve(lead, await propose(physician));
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'object_type', 'object_id', 'details'])
      .where('site_id', '=', site)
      .where('action', 'like', '%_alert_setting')
      .orderBy('id')
      .execute();
    const line = { object_type: 'site', object_id: site, details: '{"rule":"hr.low"}' };
    expect(rows).toEqual([
      { action: 'propose_alert_setting', actor_id: physician.userId, ...line },
      { action: 'reject_alert_setting', actor_id: lead.userId, ...line },
      { action: 'propose_alert_setting', actor_id: physician.userId, ...line },
      { action: 'approve_alert_setting', actor_id: lead.userId, ...line },
    ]);
  });

  it('that cannot be applied leaves nothing behind', async () => {
    const id = await propose(physician);
    await test.store.db.updateTable('site_proposals').set({ wanted: 'nothing' }).where('id', '=', id).execute();
    expect((await approve(lead, id)).statusCode).toBe(409);
    await expect(newest()).resolves.toMatchObject({ state: 'proposed', wanted: { low: null, high: null } });
    await expect(holding()).resolves.toBe(45);
  });
});
