import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { chartMarks, type ChartMarks } from '../../lib/alerts/chartMarksSchema';
import type { LimitPreview } from '../../lib/alerts/limitPreviewSchema';
import type { AdjustableRule } from '../../lib/alerts/limits';
import type { PatientLimitsResponse } from '../../lib/alerts/limitsSchema';
import type { SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { toInstant } from '../../lib/time/schema';
import { approveSiteLimits, proposeSiteLimits } from '../../test/approveSiteLimits';
import { apiEngines } from '../../test/database';
import { setPatientLimits } from '../../test/setPatientLimits';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { makeTestFolder } from '../../test/testFolder';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { readHolding } from './holding';
import type { PreviewTask } from './previewTask';
import { createPreviews } from './previews';

describe.each(apiEngines)('on %s', (engine) => {
  const siteUrl = '/api/v2/site/limits';
  const reason = 'A trained heart';

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let physician: Caller;
  let lead: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    // A site of its own, so that no test judges by what another has set.
    site = await test.addSite();
    patient = await test.addPatient(site);
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
    lead = await test.signIn(site, 'ward_lead');
  });

  const urlOf = (id: number): string => `/api/v2/patients/${id}/limits`;
  const read = async (id = patient): Promise<PatientLimitsResponse> =>
    (await nurse.call('GET', urlOf(id))).json<PatientLimitsResponse>();
  const readSite = async (): Promise<SiteLimitsResponse> =>
    (await nurse.call('GET', siteUrl)).json<SiteLimitsResponse>();
  const put = (body: { rule: string; [field: string]: unknown }, who = nurse) =>
    setPatientLimits(who, patient, { reason, ...body });
  const set = async (body: Parameters<typeof put>[0]): Promise<void> => expect((await put(body)).statusCode).toBe(200);
  const setSite = (wanted: Parameters<typeof proposeSiteLimits>[1]) => approveSiteLimits(physician, lead, wanted);
  const itemOf = async (rule: AdjustableRule, id = patient) =>
    (await read(id)).items.find((item) => item.rule === rule);
  const fieldsOf = (answer: Awaited<ReturnType<Caller['call']>>) => [
    answer.statusCode,
    answer.json<{ error: { fields: Record<string, string> } }>().error.fields,
  ];
  const orderComfortCare = () =>
    physician.call('PUT', `/api/v2/patients/${patient}/comfort-care`, { reason: 'Agreed with the family' });

  describe('a patient’s limits', () => {
    it('are not set by a user who has not seen what somebody else has set meanwhile', async () => {
      const low = { rule: 'hr.extreme', values: { low: 45 }, reason };
      const high = { rule: 'hr.extreme', values: { high: 160 }, reason };
      const send = (body: object) => physician.call('PUT', urlOf(patient), { basedOn: null, ...body });
      const answers = await Promise.all([send(low), send(high)]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
      const refused = answers.find(({ statusCode }) => statusCode === 409);
      expect(refused?.json()).toMatchObject({ error: { code: 'limits_changed' } });
      expect((await put(high)).statusCode).toBe(200);
      // Without own limits any more: a user who saw some learns of it.
      const setAt = (await itemOf('hr.extreme'))?.own?.setAt;
      await set({ rule: 'hr.extreme', values: {} });
      expect((await send({ ...low, basedOn: setAt })).statusCode).toBe(409);
      expect((await send(low)).statusCode).toBe(200);
      await set({ rule: 'hr.extreme', values: {} });
    });

    it.each([
      [{ rule: 'spo2.low', values: { low: 79 } }, { 'values.low': 'is not a whole number from 80 to 92' }],
      [{ rule: 'spo2.low', values: { low: 85.5 } }, { 'values.low': 'is not a whole number from 80 to 92' }],
      [{ rule: 'spo2.low', values: { high: 95 } }, { 'values.high': 'is no limit of this rule' }],
      [
        { rule: 'spo2.low', values: { low: null } },
        { 'values.low': 'can be off only in comfort care, because this alert is HIGH' },
      ],
      [{ rule: 'spo2.over_o2', values: { high: 96 } }, { 'values.high': 'is not for this SpO2 scale' }],
      [
        { rule: 'hr.extreme', values: { low: 29, high: 181 } },
        { 'values.low': 'is not a whole number from 30 to 50', 'values.high': 'is not a whole number from 120 to 180' },
      ],
      [{ rule: 'hr.low', values: { low: 48 }, reviewAt: '2026-05-01T10:00:00Z' }, { reviewAt: 'does not lie ahead' }],
      [{ rule: 'hr.low', values: { low: 48 }, reason: 'no' }, { reason: 'needs at least 3 characters' }],
      [
        { rule: 'hr.low', values: { low: 48 }, reviewAt: 'soon' },
        { reviewAt: 'is not an instant such as 2026-05-01T10:00:00Z' },
      ],
      [{ rule: 'hr.low', values: { low: 48, middle: 60 } }, { middle: 'is not a field of this call' }],
    ])('are refused as %j, each by its field', async (body, fields) => {
      expect(fieldsOf(await put(body))).toEqual([422, fields]);
      expect((await read()).history).toEqual([]);
    });

    it('are refused for a rule that has none, for a patient out of reach, and for one who is discharged', async () => {
      const body = { rule: 'hr.low', values: { low: 48 }, reason };
      for (const rule of ['spo2.desat', 'spo2.drop', 'hr.ancient']) {
        expect((await put({ ...body, rule })).statusCode).toBe(422);
      }
      const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
      expect((await put(body, stranger)).statusCode).toBe(404);
      expect((await stranger.call('GET', urlOf(patient))).statusCode).toBe(404);
      await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });
      const late = await put(body);
      expect([late.statusCode, late.json()]).toMatchObject([409, { error: { code: 'patient_discharged' } }]);
      expect((await read()).history).toEqual([]);
    });

    it('are the usual ones of the patient’s SpO2 scale, each with how far it may be moved', async () => {
      const onScale2 = await test.addPatient(site, { spo2Scale: 2 });
      const facts = {
        priority: 'high',
        unit: '%',
        lowIs: 'below',
        delayMs: 15_000,
        bounds: { low: { min: 80, max: 92 }, high: null },
      };
      const usual = (low: number) => ({
        default: { low, high: null },
        holds: { low, high: null },
        site: null,
        own: null,
      });
      await expect(itemOf('spo2.low')).resolves.toEqual({ rule: 'spo2.low', ...facts, ...usual(88) });
      await expect(itemOf('spo2.low', onScale2)).resolves.toEqual({ rule: 'spo2.low', ...facts, ...usual(85) });
      await expect(itemOf('spo2.mild', onScale2)).resolves.toMatchObject({ default: null, holds: null });
      await expect(itemOf('spo2.over_o2', onScale2)).resolves.toMatchObject({
        default: { low: null, high: 97 },
        lowIs: null,
      });
      await expect(itemOf('hr.extreme')).resolves.toMatchObject({
        unit: '/min',
        lowIs: 'atMost',
        holds: { low: 40, high: 150 },
      });
      expect((await read()).items).toHaveLength(11);
    });

    it('hold with author, reason and time, and the ones before stay readable', async () => {
      const reviewAt = toInstant(test.now() + 3_600_000);
      const first = await put({
        rule: 'hr.extreme',
        values: { low: 35, high: 160 },
        // As in a zone that is two hours ahead.
        reviewAt: toInstant(test.now() + 3 * 3_600_000).replace('Z', '+02:00'),
      });
      const firstAt = toInstant(test.now());
      expect(first.statusCode).toBe(200);
      await expect(read()).resolves.toEqual(first.json());
      test.advance(60_000);
      const setBy = { id: nurse.userId, name: expect.stringMatching(/^Robin Example/) as unknown };
      await set({ rule: 'hr.extreme', values: { high: 170 }, reason: ' Fever ', reviewAt: null });
      await test.restart();
      const shown = await itemOf('hr.extreme');
      const newest = { values: { high: 170 }, reason: 'Fever', reviewAt: null, setAt: toInstant(test.now()), setBy };
      expect(shown).toMatchObject({ own: { ...newest, isReviewDue: false }, holds: { low: 40, high: 170 } });
      expect((await read()).history).toEqual([
        { rule: 'hr.extreme', scale: null, ...newest },
        { rule: 'hr.extreme', scale: null, values: { low: 35, high: 160 }, reason, reviewAt, setAt: firstAt, setBy },
      ]);
    });

    it('say from the moment of the review on that it is due', async () => {
      await set({ rule: 'hr.low', values: { low: 42 }, reviewAt: toInstant(test.now() + 60_000) });
      test.advance(59_999);
      expect((await itemOf('hr.low'))?.own?.isReviewDue).toBe(false);
      test.advance(1);
      expect((await itemOf('hr.low'))?.own?.isReviewDue).toBe(true);
    });

    it('without values are those that lie beneath', async () => {
      await set({ rule: 'hr.low', values: { low: 42 } });
      await set({ rule: 'hr.low', values: {} });
      await expect(itemOf('hr.low')).resolves.toMatchObject({ own: null, holds: { low: 45, high: null } });
      expect((await read()).history).toHaveLength(2);
    });

    it('that are off are none', async () => {
      await set({ rule: 'hr.fast', values: { high: null } });
      await expect(itemOf('hr.fast')).resolves.toMatchObject({
        default: { low: null, high: 111 },
        holds: { low: null, high: null },
      });
    });

    it('of a HIGH alert are off only in comfort care, and hold again by themselves when it ends', async () => {
      const off = { rule: 'spo2.low', values: { low: null } };
      expect((await put(off)).statusCode).toBe(422);
      await orderComfortCare();
      await set(off);
      expect((await itemOf('spo2.low'))?.holds).toEqual({ low: null, high: null });
      test.advance(24 * 3_600_000);
      nurse = await test.signIn(site, 'nurse');
      expect((await itemOf('spo2.low'))?.holds).toEqual({ low: 88, high: null });
      expect((await put(off)).statusCode).toBe(422);
    });

    it('of SpO2 are of the scale on which they were set; those of the rates are of both', async () => {
      await set({ rule: 'spo2.low', values: { low: 90 } });
      await set({ rule: 'hr.low', values: { low: 42 } });
      const target = { version: 1, scale: 2, low: 88, high: 92, reason: 'Known to retain carbon dioxide' };
      expect((await physician.call('PUT', `/api/v2/patients/${patient}/spo2-target`, target)).statusCode).toBe(200);
      await expect(itemOf('spo2.low')).resolves.toMatchObject({ own: null, holds: { low: 85 } });
      await expect(itemOf('hr.low')).resolves.toMatchObject({ own: { values: { low: 42 } }, holds: { low: 42 } });
      expect((await read()).history.map(({ rule, scale }) => [rule, scale])).toEqual([
        ['hr.low', null],
        ['spo2.low', 1],
      ]);
    });

    it('name the last hundred changes', async () => {
      const row = {
        site_id: site,
        patient_id: patient,
        rule: 'hr.low',
        scale: null,
        limit_values: '{"low":42}',
        review_at: null,
      };
      await set({ rule: 'hr.fast', values: { high: 100 } });
      await test.store.db
        .insertInto('alert_limits')
        .values(Array.from({ length: 100 }, () => ({ ...row, reason, set_at: test.now(), set_by: nurse.userId })))
        .execute();
      const { history } = await read();
      expect([history.length, history.filter(({ rule }) => rule === 'hr.fast').length]).toEqual([100, 0]);
      await expect(itemOf('hr.fast')).resolves.toMatchObject({ own: { values: { high: 100 } } });
    });

    it('are on record without the reason', async () => {
      await set({ rule: 'hr.low', values: { low: 42 } });
      const rows = await test.store.db
        .selectFrom('audit')
        .select(['actor_id', 'object_id', 'details'])
        .where('action', '=', 'change_limits')
        .where('object_id', '=', patient)
        .execute();
      expect(rows).toEqual([{ actor_id: nurse.userId, object_id: patient, details: '{"rule":"hr.low"}' }]);
    });
  });

  describe('a site’s limits', () => {
    it.each<[Parameters<typeof proposeSiteLimits>[1], Record<string, string>]>([
      [{ rule: 'spo2.low', scale: 1, values: { low: 93 } }, { 'values.low': 'is not a whole number from 80 to 92' }],
      [
        { rule: 'spo2.low', scale: 1, values: { low: null } },
        { 'values.low': 'can be off only in comfort care, because this alert is HIGH' },
      ],
      [{ rule: 'spo2.mild', scale: 2, values: { low: 92 } }, { 'values.low': 'is not for this SpO2 scale' }],
      [{ rule: 'spo2.low', values: { low: 90 } }, { scale: 'is missing: this rule has limits for each SpO2 scale' }],
      [{ rule: 'hr.low', scale: 1, values: { low: 48 } }, { scale: 'is not for this rule' }],
      [{ rule: 'hr.low', values: { low: 48 }, reviewAt: '2026-05-01T09:59:59Z' }, { reviewAt: 'does not lie ahead' }],
    ])('are refused as %j', async (body, fields) => {
      expect(fieldsOf(await proposeSiteLimits(physician, body))).toEqual([422, fields]);
      await expect(readSite()).resolves.toMatchObject({ history: [], proposals: [] });
    });

    it('are proposed by physicians and ward leads alone, and no other site sees them', async () => {
      const body = { rule: 'hr.low', values: { low: 42 } };
      expect((await proposeSiteLimits(nurse, body)).statusCode).toBe(403);
      const therapist = await test.signIn(site, 'respiratory_therapist');
      expect((await proposeSiteLimits(therapist, body)).statusCode).toBe(403);
      expect((await proposeSiteLimits(lead, body)).statusCode).toBe(200);
      await setSite({ rule: 'hr.high', values: { high: 135 } });
      const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
      const other = (await stranger.call('GET', siteUrl)).json<SiteLimitsResponse>();
      expect([other.history, other.proposals]).toEqual([[], []]);
    });

    it('hold for every patient of the scale who has none of their own, side by side', async () => {
      const onScale2 = await test.addPatient(site, { spo2Scale: 2 });
      await setSite({ rule: 'spo2.low', scale: 1, values: { low: 90 } });
      await setSite({ rule: 'hr.extreme', values: { low: 45, high: 160 } });
      await set({ rule: 'hr.extreme', values: { high: 170 } });
      expect((await itemOf('spo2.low'))?.holds).toEqual({ low: 90, high: null });
      expect((await itemOf('spo2.low', onScale2))?.holds).toEqual({ low: 85, high: null });
      await expect(itemOf('hr.extreme')).resolves.toMatchObject({
        default: { low: 40, high: 150 },
        site: { values: { low: 45, high: 160 }, setBy: { id: physician.userId } },
        own: { values: { high: 170 } },
        holds: { low: 45, high: 170 },
      });
      expect((await itemOf('hr.extreme', onScale2))?.holds).toEqual({ low: 45, high: 160 });
    });

    it('name who moved a limit last: of the patient or of the site, and also by taking it back', async () => {
      const by = async (): Promise<number | undefined> => {
        const row = test.server.liveState.patients.get(patient);
        const holding = await readHolding(test.store.db, row === undefined ? [] : [row], null);
        return holding.get(patient)?.limitsBy?.['hr.extreme'];
      };
      const newest = async (): Promise<number | undefined> =>
        (await test.store.db.selectFrom('alert_limits').select('set_by').orderBy('id', 'desc').executeTakeFirst())
          ?.set_by;
      await set({ rule: 'hr.extreme', values: { high: 160 } });
      await expect(by()).resolves.toBe(nurse.userId);
      await setSite({ rule: 'hr.extreme', values: { low: 42 } });
      const ofSite = await newest();
      expect(ofSite).not.toBe(nurse.userId);
      await expect(by()).resolves.toBe(ofSite);
      await set({ rule: 'hr.extreme', values: {} });
      await expect(by()).resolves.toBe(nurse.userId);
    });

    it('stand once for each scale where the rule has other limits there, with who set them', async () => {
      await setSite({ rule: 'spo2.low', scale: 2, values: { low: 86 }, reviewAt: toInstant(test.now() + 1) });
      test.advance(1);
      const { items, history } = await readSite();
      const shown = items.map(({ rule, scale, holds }) => [rule, scale, holds.low, holds.high]);
      expect(shown).toEqual([
        ['spo2.low', 1, 88, null],
        ['spo2.low', 2, 86, null],
        ['spo2.below', 1, 91, null],
        ['spo2.below', 2, 87, null],
        ['spo2.over_o2', 2, null, 97],
        ['spo2.mild', 1, 93, null],
        ['spo2.over_o2_lo', 2, null, 93],
        ['hr.extreme', null, 40, 150],
        ['hr.high', null, null, 131],
        ['hr.low', null, 45, null],
        ['hr.fast', null, null, 111],
      ]);
      expect(items[1]).toMatchObject({
        default: { low: 85 },
        site: {
          isReviewDue: true,
          reason: 'As the ward agreed',
          setBy: { id: physician.userId },
          approvedBy: { id: lead.userId },
        },
      });
      expect(history).toMatchObject([{ rule: 'spo2.low', scale: 2, values: { low: 86 } }]);
      await setSite({ rule: 'spo2.low', scale: 2, values: {} });
      expect((await readSite()).items[1]).toMatchObject({ site: null, holds: { low: 85 } });
    });

    it('that one user set in an earlier release go on to hold', async () => {
      const row = { site_id: site, patient_id: null, rule: 'hr.low', scale: null, limit_values: '{"low":42}' };
      await test.store.db
        .insertInto('alert_limits')
        .values({ ...row, reason, review_at: null, set_at: test.now(), set_by: nurse.userId })
        .execute();
      expect((await readSite()).history).toMatchObject([{ rule: 'hr.low', approvedBy: null }]);
      await expect(itemOf('hr.low')).resolves.toMatchObject({ holds: { low: 42 } });
      await setSite({ rule: 'hr.low', values: { low: 44 } });
      await expect(itemOf('hr.low')).resolves.toMatchObject({ holds: { low: 44 } });
    });
  });
});

describe.each(apiEngines)('a proposal of a site’s limits on %s', (engine) => {
  const url = '/api/v2/site/limits';
  const hour = 3_600_000;
  const wanted = { rule: 'hr.low', values: { low: 42 } };

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
      'You proposed this yourself. Another person has to approve it.',
    ]);
    const refused = [403, 'not_the_approver', 'Others have to approve this, or to reject it.'];
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
      'You proposed this yourself. Another person has to approve it.',
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
      'Others have to approve this, or to reject it.',
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
    await test.store.db.updateTable('proposals').set({ wanted: 'nothing' }).where('id', '=', id).execute();
    expect((await approve(lead, id)).statusCode).toBe(409);
    await expect(newest()).resolves.toMatchObject({ state: 'proposed', wanted: { low: null, high: null } });
    await expect(holding()).resolves.toBe(45);
  });
});

describe.each(apiEngines)('a preview of limits on %s', (engine) => {
  const second = 1_000;
  const hour = 3_600 * second;

  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;
  let token: string;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    patient = await test.addPatient(site);
    ({ token } = await test.addDevice(site));
  });

  const preview = (body: object, who = nurse, id = patient) =>
    who.call('POST', `/api/v2/patients/${id}/limits/preview`, body);
  const looser = { rule: 'spo2.low', values: { low: 82 } };
  const codeOf = async (answer: ReturnType<typeof preview>) => {
    const { statusCode, body } = await answer;
    const { error } = JSON.parse(body) as { error: { code: string } };
    return [statusCode, error.code];
  };

  /** Sends SpO2 a second until now: its values, each for so many seconds. */
  const feed = async (...parts: [value: number, seconds: number][]): Promise<void> => {
    const values = parts.flatMap(([value, seconds]) => Array.from({ length: seconds }, () => value));
    const from = test.now() - values.length * second;
    const sentAt = toInstant(test.now());
    for (let place = 0; place < values.length; place += 500) {
      const samples = values.slice(place, place + 500).map((value, index) => ({
        patientId: patient,
        kind: 'spo2',
        value,
        takenAt: toInstant(from + (place + index) * second),
      }));
      expect((await test.ingest(token, samples, { sentAt })).statusCode).toBe(200);
    }
  };

  it('is for those who may set these limits, and no one else', async () => {
    const [viewer, elsewhere] = [await test.signIn(site, 'viewer'), await test.signIn(await test.addSite(), 'nurse')];
    await expect(codeOf(preview(looser, viewer))).resolves.toEqual([403, 'forbidden']);
    await expect(codeOf(preview(looser, elsewhere))).resolves.toEqual([404, 'not_found']);
    const child = await test.addPatient(site, { dateOfBirth: '2020-03-07' });
    const rate = { rule: 'hr.extreme', values: { low: 60, high: 180 } };
    await expect(codeOf(preview(rate, nurse, child))).resolves.toEqual([403, 'forbidden']);
    const score = { rule: 'news2.high', values: { high: 8 } };
    await expect(codeOf(preview(score))).resolves.toEqual([403, 'forbidden']);
    const physician = await test.signIn(site, 'physician');
    await expect(codeOf(preview(score, physician))).resolves.toEqual([409, 'no_preview']);
  });

  it('is refused for what cannot be set, and for a patient at home, whom other limits watch', async () => {
    await expect(codeOf(preview({ rule: 'spo2.low', values: { low: 20 } }))).resolves.toEqual([422, 'invalid']);
    await expect(codeOf(preview({ rule: 'spo2.low', values: { low: null } }))).resolves.toEqual([422, 'invalid']);
    await expect(codeOf(preview({ ...looser, reason: 'x' }))).resolves.toEqual([422, 'invalid']);
    const atHome = await test.addPatient(site, { profile: 'home' });
    await expect(codeOf(preview(looser, nurse, atHome))).resolves.toEqual([409, 'no_preview']);
  });

  it('compares with the limits that hold now, those of the site and of the patient', async () => {
    await feed([97, 120], [85, 900], [97, 120]);
    const first = (await preview(looser)).json<LimitPreview>();
    expect(first).toMatchObject({
      parameter: 'spo2',
      now: { high: 1, medium: 0, low: 0 },
      proposed: { high: 0, medium: 1, low: 0 },
      milder: { high: 1 },
      missed: { high: 0 },
    });
    expect(Date.parse(first.to) - Date.parse(first.from)).toBe(24 * hour);
    expect(Math.abs(first.coveredMs - 1_140 * second)).toBeLessThan(60 * second);
    await setPatientLimits(nurse, patient, { rule: 'spo2.low', values: { low: 83 }, reason: 'Usual' });
    expect((await preview({ rule: 'spo2.low', values: { low: 90 } })).json()).toMatchObject({
      now: { high: 0, medium: 1 },
      proposed: { high: 1, medium: 0 },
      milder: { high: 0 },
    });
    // No values of the patient's own: those of the site.
    await approveSiteLimits(await test.signIn(site, 'physician'), await test.signIn(site, 'ward_lead'), {
      rule: 'spo2.low',
      scale: 1,
      values: { low: 87 },
    });
    expect((await preview({ rule: 'spo2.low', values: {} })).json()).toMatchObject({ proposed: { high: 1 } });
  });

  it('reads no one else’s values, and changes and raises nothing', async () => {
    await feed([85, 300]);
    const other = await test.addPatient(site);
    expect((await preview(looser, nurse, other)).json()).toMatchObject({ now: { high: 0 }, coveredMs: 0 });
    await preview(looser);
    const limits = await test.store.db
      .selectFrom('alert_limits')
      .select('id')
      .where('patient_id', '=', patient)
      .execute();
    expect(limits).toEqual([]);
    expect(test.server.alerts.listOpen(site)).toEqual([]);
  });

  it('is on record as one view of the patient, however many were asked for', async () => {
    await preview(looser);
    await preview({ rule: 'spo2.low', values: { low: 84 } });
    const views = await test.store.db
      .selectFrom('audit')
      .select(['action', 'object_id'])
      .where('actor_id', '=', nurse.userId)
      .where('action', '=', 'read_vitals')
      .execute();
    expect(views).toHaveLength(1);
  });
});

describe('previews of limits', () => {
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
    ['takes all memory', onTask('const all = []; for (;;) { all.push(new Array(1e6).fill(0.5)) }')],
  ])('are refused and nothing else happens if the worker %s', async (_, program) => {
    // Longer than the product gives: to fill its memory takes a thread on a busy machine more than its 10 s.
    const previews = previewsBy(program, 120_000);
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

describe('chartMarks', () => {
  const second = 1_000;
  const minute = 60 * second;
  const hour = 60 * minute;

  describe.each(apiEngines)('the limits and alerts of a chart on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    let physician: Caller;
    let patient: number;

    beforeAll(async () => {
      test = await sharedTestServer(engine);
    });
    beforeEach(async () => {
      site = await test.addSite();
      await test.startRules(site);
      patient = await test.addPatient(site);
      nurse = await test.signIn(site, 'nurse');
      physician = await test.signIn(site, 'physician');
    });

    const urlOf = (from: number, to: number, id = patient): string =>
      `/api/v2/patients/${id}/chart-marks?from=${toInstant(from)}&to=${toInstant(to)}`;
    const read = async (from: number, to: number, who = nurse): Promise<ChartMarks> => {
      const response = await who.call('GET', urlOf(from, to));
      expect(response.statusCode).toBe(200);
      return chartMarks.parse(response.json());
    };
    /** Sends SpO2 once a second for so many seconds, as time passes. */
    const send = async (token: string, value: number, seconds: number): Promise<void> => {
      for (let each = 0; each < seconds; each += 1) {
        test.advance(second);
        const sample = { patientId: patient, kind: 'spo2', value, takenAt: toInstant(test.now()), quality: 'good' };
        expect((await test.ingest(token, [sample])).statusCode).toBe(200);
      }
    };

    it('are refused to another site, for no time, and for a time that ends before it begins', async () => {
      const now = test.now();
      const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
      expect((await stranger.call('GET', urlOf(now - hour, now))).statusCode).toBe(404);
      expect((await nurse.call('GET', urlOf(now, now - 1))).statusCode).toBe(400);
      expect((await nurse.call('GET', urlOf(now - 401 * 24 * hour, now))).statusCode).toBe(400);
      expect((await nurse.call('GET', `/api/v2/patients/${patient}/chart-marks`)).statusCode).toBe(400);
    });

    it('are of the same view as the values, which is recorded once', async () => {
      const now = test.now();
      await nurse.call('GET', `/api/v2/patients/${patient}/vitals`);
      await read(now - hour, now);
      await read(now - 2 * hour, now);
      const views = await test.store.db
        .selectFrom('audit')
        .select('action')
        .where('actor_id', '=', nurse.userId)
        .where('object_type', '=', 'patient')
        .where('object_id', '=', patient)
        .execute();
      expect(views).toEqual([{ action: 'read_vitals' }]);
    });

    it('show the limits of the patient and of the site, and the target, each from when it was set', async () => {
      const start = test.now();
      const low = ({ limits }: ChartMarks) =>
        limits.map(({ from, scale, target, isTargetConfirmed, lines }) => [
          (Date.parse(from) - start) / minute,
          scale,
          target.low,
          isTargetConfirmed,
          lines.find(({ parameter, priority }) => parameter === 'spo2' && priority === 'high')?.value,
        ]);
      const reason = 'As agreed on the round';
      const put = async (url: string, body: object): Promise<void> => {
        // Less than the 15 minutes after which the sessions lock, altogether.
        test.advance(3 * minute);
        expect((await physician.call('PUT', url, { reason, ...body })).statusCode).toBe(200);
      };
      const setLow = async (low: number): Promise<void> => {
        test.advance(3 * minute);
        const wanted = { rule: 'spo2.low', values: { low }, reason };
        expect((await setPatientLimits(physician, patient, wanted)).statusCode).toBe(200);
      };
      await setLow(86);
      await put(`/api/v2/patients/${patient}/spo2-target`, { version: 1, scale: 2, low: 86, high: 90 });
      await setLow(82);
      test.advance(3 * minute);
      const all = await read(start, test.now());
      expect(low(all)).toEqual([
        [0, 1, 94, false, 88],
        [3, 1, 94, false, 86],
        [6, 2, 86, true, 85],
        [9, 2, 86, true, 82],
      ]);
      expect(all.target).toEqual({ low: 86, high: 90, scale: 2, isConfirmed: true });
      // A look at the past still says what the target is now.
      const past = await read(start, start + 2 * minute);
      expect(low(past)).toEqual([[0, 1, 94, false, 88]]);
      expect(past.target).toEqual(all.target);
    });

    it('show an alert while it is open and when it is closed, in the time of its condition only', async () => {
      const { token } = await test.addDevice(site);
      const start = test.now();
      await send(token, 97, 5);
      await send(token, 84, 20);
      const [open] = (await read(start, test.now())).alerts;
      expect(open).toMatchObject({
        parameter: 'spo2',
        priority: 'high',
        condition: 'active',
        endedAt: null,
        closedAt: null,
        acknowledged: null,
        lowest: 84,
      });
      expect(open?.sentence).toContain('84');
      await send(token, 97, 40);
      const version = test.server.alerts.find(open?.id ?? 0)?.alert.version;
      expect((await nurse.call('POST', `/api/v2/alerts/${open?.id}/acknowledge`, { version })).statusCode).toBe(200);
      const [closed] = (await read(start, test.now())).alerts;
      expect(closed).toMatchObject({ id: open?.id, condition: 'ended', acknowledged: { by: { id: nurse.userId } } });
      expect(closed?.closedAt).not.toBeNull();
      const endedAt = Date.parse(closed?.endedAt ?? '');
      expect((await read(start, start + second)).alerts).toEqual([]);
      expect((await read(endedAt + second, test.now())).alerts).toEqual([]);
      expect((await read(endedAt - second, test.now())).alerts).toHaveLength(1);
    });

    it('show no alert of another patient', async () => {
      const { token } = await test.addDevice(site);
      await send(token, 84, 20);
      const start = test.now() - hour;
      const other = await test.addPatient(site);
      const response = await nurse.call('GET', urlOf(start, test.now(), other));
      expect(chartMarks.parse(response.json())).toMatchObject({ patientId: other, alerts: [], hasMoreAlerts: false });
      expect((await read(start, test.now())).alerts).toHaveLength(1);
    });

    it('show when the events of signed notes happened, and no draft, error or other patient’s note', async () => {
      const now = test.now();
      const note = async (at: number, of = patient): Promise<number> => {
        const body = {
          clientId: randomUUID(),
          authorId: nurse.userId,
          type: 'nursing',
          text: 'Slept well',
          eventTime: toInstant(at),
        };
        return (await nurse.call('POST', `/api/v2/patients/${of}/notes`, body)).json<{ id: number }>().id;
      };
      const act = (id: number, action: string, body: object) =>
        nurse.call('POST', `/api/v2/notes/${id}/${action}`, body);
      const signed = await note(now - minute);
      const wrong = await note(now - minute);
      const old = await note(now - 2 * hour);
      const others = await note(now - minute, await test.addPatient(site));
      for (const id of [signed, wrong, old, others]) {
        expect((await act(id, 'sign', { version: 1 })).statusCode).toBe(200);
      }
      await act(wrong, 'entered-in-error', { authorId: nurse.userId, reason: 'A slip', version: 2 });
      await note(now - minute);
      expect((await read(now - hour, now)).notes).toEqual([
        { id: signed, type: 'nursing', eventTime: toInstant(now - minute) },
      ]);
    });
  });
});
