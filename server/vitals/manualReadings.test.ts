import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

describe.each(apiEngines)('readings typed in by hand on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;
  const urlOf = (id: number): string => `/api/v2/patients/${id}/readings`;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
  });
  beforeEach(async () => {
    patient = await test.addPatient(site);
  });

  const type = async (body: object): Promise<Patient> => {
    const answer = await nurse.call('POST', urlOf(patient), body);
    expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
    return answer.json<Patient>();
  };
  const samples = () =>
    test.store.db.selectFrom('samples').selectAll().where('patient_id', '=', patient).orderBy('kind').execute();

  it.each([
    [{}, 'readings'],
    [{ readings: {} }, 'readings'],
    [{ readings: { mood: 3 } }, 'mood'],
    [{ readings: { spo2: 0 } }, 'readings.spo2'],
    [{ readings: { spo2: 101 } }, 'readings.spo2'],
    [{ readings: { pulseRate: 19 } }, 'readings.pulseRate'],
    [{ readings: { temperature: 98.6 } }, 'readings.temperature'],
    [{ readings: { consciousness: 'X' } }, 'readings.consciousness'],
    [{ readings: { consciousness: 0 } }, 'readings.consciousness'],
    [{ readings: { spo2: '97' } }, 'readings.spo2'],
    [{ readings: { spo2: 97, systolic: 900 } }, 'readings.systolic'],
    [{ readings: { spo2: 97 }, takenAt: 'this morning' }, 'takenAt'],
    [{ readings: { spo2: 97 }, quality: 'good' }, 'quality'],
  ])('are refused as %j, all of them', async (body, field) => {
    const answer = await nurse.call('POST', urlOf(patient), body);
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ error: { fields: object } }>().error.fields)[0]).toBe(field);
    await expect(samples()).resolves.toEqual([]);
  });

  it('are refused from the future, of a discharged patient, and of one who is out of reach', async () => {
    const readings = { spo2: 97 };
    const ahead = await nurse.call('POST', urlOf(patient), { readings, takenAt: toInstant(test.now() + 300_001) });
    expect(ahead.statusCode).toBe(422);
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await stranger.call('POST', urlOf(patient), { readings })).statusCode).toBe(404);
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });
    const late = await nurse.call('POST', urlOf(patient), { readings });
    expect([late.statusCode, late.json()]).toMatchObject([409, { error: { code: 'patient_discharged' } }]);
    await expect(samples()).resolves.toEqual([]);
  });

  it('are shown at once as typed in by hand, zero and letters included, and stay after a restart', async () => {
    const takenAt = toInstant(test.now() - 60_000);
    const readings = { temperature: 38.1, systolic: 118, diastolic: 74, oxygenFlow: 0, consciousness: 'C' };
    const shown = await type({ readings, takenAt });
    const expected = {
      temperature: { value: 38.1, source: 'manual', takenAt, asOf: takenAt, quality: 'good' },
      systolic: { value: 118, source: 'manual' },
      diastolic: { value: 74, source: 'manual' },
      oxygenFlow: { value: 0, source: 'manual' },
      consciousness: { value: 1, source: 'manual' },
    };
    expect(shown.latest).toMatchObject(expected);
    await test.restart();
    const read = await nurse.call('GET', `/api/v2/patients/${patient}`);
    expect(read.json<Patient>().latest).toMatchObject(expected);
  });

  it('keep who typed them in, in the store and on record without a value', async () => {
    await type({ readings: { spo2: 93, pulseRate: 88 } });
    await expect(samples()).resolves.toMatchObject([
      { value: 93, device_id: -nurse.userId },
      { value: 88, device_id: -nurse.userId },
    ]);
    const row = test.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'record_readings')
      .orderBy('id', 'desc')
      .limit(1);
    await expect(row.executeTakeFirstOrThrow()).resolves.toMatchObject({
      object_id: patient,
      actor_id: nurse.userId,
      details: '{"kinds":["spo2","pulseRate"]}',
    });
  });

  it('sent again change nothing; another value for the same moment corrects the first', async () => {
    const takenAt = toInstant(test.now());
    await type({ readings: { spo2: 93 }, takenAt });
    test.advance(1_000);
    await type({ readings: { spo2: 93 }, takenAt });
    const corrected = await type({ readings: { spo2: 95 }, takenAt });
    expect(corrected.latest.spo2?.value).toBe(95);
    await expect(samples()).resolves.toHaveLength(1);
    const kept = await test.store.db
      .selectFrom('sample_corrections')
      .selectAll()
      .where('patient_id', '=', patient)
      .execute();
    expect(kept.map((row) => row.old_value)).toEqual([93]);
  });

  it('give way to the monitor that reports again, and do not hide for long that it is silent', async () => {
    const { id, token } = await test.addDevice(site, { expectedEveryMs: 1_000 });
    const { mrn, date_of_birth: dateOfBirth } = test.server.liveState.patients.get(patient) ?? {
      mrn: '',
      date_of_birth: '',
    };
    await nurse.call('POST', `/api/v2/devices/${id}/assignment`, { mrn, dateOfBirth });
    const shown = await type({ readings: { spo2: 93 } });
    expect(shown.latest.spo2).toMatchObject({ value: 93, source: 'manual', expectedEveryMs: 15 * 60_000 });
    test.advance(1_000);
    await test.ingest(token, [{ patientId: patient, kind: 'spo2', value: 97, takenAt: toInstant(test.now()) }]);
    const after = await nurse.call('GET', `/api/v2/patients/${patient}`);
    expect(after.json<Patient>().latest.spo2).toMatchObject({ value: 97, expectedEveryMs: 1_000 });
  });

  it('of a patient at home are due when any reading of theirs is', async () => {
    patient = await test.addPatient(site, { profile: 'home' });
    const shown = await type({ readings: { spo2: 93 } });
    expect(shown.latest.spo2?.expectedEveryMs).toBe(8 * 3_600_000);
  });
});
