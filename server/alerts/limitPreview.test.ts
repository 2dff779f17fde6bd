import type { LimitPreview } from '../../lib/alerts/limitPreviewSchema';
import { toInstant } from '../../lib/time/schema';
import { approveSiteLimits } from '../../test/approveSiteLimits';
import { apiEngines } from '../../test/database';
import { setPatientLimits } from '../../test/setPatientLimits';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;
const hour = 3_600 * second;

describe.each(apiEngines)('a preview of limits on %s', (engine) => {
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
