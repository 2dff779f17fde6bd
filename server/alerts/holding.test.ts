import { defaultBounds } from '../../lib/alerts/limits';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import type { PatientRow } from '../db/rows';
import { readHolding, type Holding } from './holding';

describe.each(apiEngines)('what holds for a patient on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let userId: number;
  let patient: PatientRow;
  let other: PatientRow;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    userId = (await test.addUser(site, 'physician')).id;
    patient = rowOf(await test.addPatient(site));
    other = rowOf(await test.addPatient(site, { spo2Scale: 2 }));
  });

  const rowOf = (id: number): PatientRow => {
    const row = test.server.liveState.patients.get(id);
    if (row === undefined) {
      throw new Error('there is no such patient');
    }
    return row;
  };
  const limit = async (
    patientId: number | null,
    rule: string,
    values: object,
    more: { scale?: 1 | 2; site?: number } = {},
  ) => {
    await test.store.db
      .insertInto('alert_limits')
      .values({
        site_id: more.site ?? site,
        patient_id: patientId,
        rule,
        scale: more.scale ?? null,
        limit_values: JSON.stringify(values),
        reason: 'a reason',
        review_at: null,
        set_at: test.now(),
        set_by: userId,
      })
      .execute();
  };
  /** The same whether a patient is read alone or with all the others. */
  const holding = async (row: PatientRow): Promise<Holding | undefined> => {
    const alone = (await readHolding(test.store.db, [row], null)).get(row.id);
    const among = (await readHolding(test.store.db, [patient, other], null)).get(row.id);
    expect(among).toEqual(alone);
    return alone;
  };

  it('contains the bounds alone without any setting', async () => {
    await expect(holding(patient)).resolves.toEqual({
      limits: {},
      ownLimits: {},
      bounds: defaultBounds,
      standby: null,
      comfortCare: null,
      handoffGivenAt: null,
      checkIn: { linkUntil: null, reportedAt: null, calledAt: null, lastCalledAt: null, lockedAt: null },
      timeZone: 'Europe/London',
    });
    await expect(readHolding(test.store.db, [], null)).resolves.toEqual(new Map());
  });

  it('are the newest limits of each rule, and of this patient alone', async () => {
    await limit(patient.id, 'hr.extreme', { low: 45, high: 160 });
    await limit(patient.id, 'hr.fast', { high: null });
    await limit(patient.id, 'hr.extreme', { low: 35 });
    await limit(other.id, 'hr.high', { high: 120 });
    expect((await holding(patient))?.limits).toEqual({ 'hr.extreme': { low: 35 }, 'hr.fast': { high: null } });
    expect((await holding(other))?.limits).toEqual({ 'hr.high': { high: 120 } });
  });

  it('are those of the site beneath, side by side, never of another site', async () => {
    await limit(null, 'hr.extreme', { low: 45, high: 160 });
    await limit(null, 'hr.low', { low: 50 });
    await limit(patient.id, 'hr.extreme', { high: 170 });
    await limit(patient.id, 'hr.low', { low: 60 });
    await limit(patient.id, 'hr.low', {});
    await limit(null, 'hr.fast', { high: 100 }, { site: await test.addSite('Other ward') });
    expect((await holding(patient))?.limits).toEqual({ 'hr.extreme': { low: 45, high: 170 }, 'hr.low': { low: 50 } });
    expect((await holding(other))?.limits).toEqual({ 'hr.extreme': { low: 45, high: 160 }, 'hr.low': { low: 50 } });
  });

  it('are those of the patient’s SpO2 scale', async () => {
    await limit(null, 'spo2.low', { low: 90 }, { scale: 1 });
    await limit(null, 'spo2.low', { low: 86 }, { scale: 2 });
    await limit(patient.id, 'spo2.below', { low: 90 }, { scale: 1 });
    await limit(patient.id, 'spo2.below', { low: 86 }, { scale: 2 });
    expect((await holding(patient))?.limits).toEqual({ 'spo2.low': { low: 90 }, 'spo2.below': { low: 90 } });
    expect((await holding(other))?.limits).toEqual({ 'spo2.low': { low: 86 } });
    expect((await readHolding(test.store.db, [{ ...patient, spo2_scale: 2 }], null)).get(patient.id)?.limits).toEqual({
      'spo2.low': { low: 86 },
      'spo2.below': { low: 86 },
    });
  });

  it('leaves out a rule that another release knew', async () => {
    await limit(patient.id, 'hr.ancient', { low: 45 });
    expect((await holding(patient))?.limits).toEqual({});
  });

  it('contains the standby and the comfort care that were not ended, with user and reason', async () => {
    const pause = { site_id: site, patient_id: patient.id, reason: 'a wash' };
    const at = test.now();
    await test.store.db
      .insertInto('standbys')
      .values([
        { ...pause, started_at: at, started_by: userId, until: at + 2, ended_at: at + 1, ended_by: userId },
        { ...pause, started_at: at, started_by: userId, until: at + 60_000, ended_at: null, ended_by: null },
      ])
      .execute();
    await test.store.db
      .insertInto('comfort_cares')
      .values([
        { ...pause, confirmed_at: at, confirmed_by: userId, ended_at: at + 1, ended_by: userId },
        { ...pause, confirmed_at: at + 1, confirmed_by: userId, ended_at: null, ended_by: null },
      ])
      .execute();
    await expect(holding(patient)).resolves.toMatchObject({
      standby: { by: userId, reason: 'a wash', until: at + 60_000 },
      comfortCare: { by: userId, reason: 'a wash', confirmedAt: at + 1 },
    });
    await expect(holding(other)).resolves.toMatchObject({ standby: null, comfortCare: null });
    await test.store.db.updateTable('standbys').set({ ended_at: at }).execute();
    await test.store.db.updateTable('comfort_cares').set({ ended_at: at }).execute();
    await expect(holding(patient)).resolves.toMatchObject({ standby: null, comfortCare: null });
  });
});
