import type { PatientLimitsResponse } from '../../lib/alerts/limitsSchema';
import type { AdjustableRule } from '../../lib/alerts/limits';
import type { SiteLimitsResponse } from '../../lib/alerts/siteLimitsSchema';
import { toInstant } from '../../lib/time/schema';
import { approveSiteLimits, proposeSiteLimits } from '../../test/approveSiteLimits';
import { apiEngines } from '../../test/database';
import { setPatientLimits } from '../../test/setPatientLimits';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const siteUrl = '/api/v2/site/limits';
const reason = 'A trained heart';

describe.each(apiEngines)('on %s', (engine) => {
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
