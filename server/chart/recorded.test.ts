import { randomUUID } from 'node:crypto';
import type { Chart, ChartChange } from '../../lib/chart/schema';
import type { PatientResponse } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

describe.each(apiEngines)('what a chart takes from other parts on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let physician: Caller;
  let lead: Caller;
  let patient: number;
  let beds = 0;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
    site = await test.addSite();
    for (const unit of ['Ward 4', 'Ward 5']) {
      await test.addUnit(site, unit);
    }
    physician = await test.signIn(site, 'physician');
    lead = await test.signIn(site, 'ward_lead');
  });
  beforeEach(async () => {
    patient = (await admit('Ward 4')).id;
  });
  afterAll(() => test.stop());

  const admit = async (unit: string): Promise<PatientResponse> => {
    beds += 1;
    const body = {
      mrn: `MRN ${beds}`,
      givenName: 'Sam',
      familyName: 'Sample',
      dateOfBirth: '1950-03-07',
      location: { unit, bed: `${beds}` },
    };
    return (await lead.call('POST', '/api/v2/patients', body)).json<PatientResponse>();
  };
  const versionOf = (id: number): number => test.server.liveState.patients.get(id)?.version ?? 0;
  const change = async (fields: object): Promise<void> => {
    const body = { version: versionOf(patient), ...fields };
    expect((await lead.call('PATCH', `/api/v2/patients/${patient}`, body)).statusCode).toBe(200);
  };
  const sections = async (): Promise<Chart['sections']> =>
    (await physician.call('GET', `/api/v2/patients/${patient}/chart`)).json<Chart>().sections;
  /** The oldest first. */
  const stays = async () =>
    (await sections()).stays
      .map(({ value: { is, from, to }, status }) => [is, from?.bed ?? null, to?.bed ?? null, status])
      .reverse();

  it('is the default target of SpO2, which no one has confirmed, until a physician sets one', async () => {
    const [byDefault] = (await sections()).spo2;
    expect(byDefault).toMatchObject({
      value: { scale: 1, low: 94, high: 98, isConfirmed: false },
      author: null,
      recordedAt: null,
      status: 'current',
    });
    for (const low of [88, 86]) {
      const body = { version: versionOf(patient), scale: 2, low, high: 92, reason: 'Retains CO2' };
      await physician.call('PUT', `/api/v2/patients/${patient}/spo2-target`, body);
    }
    expect((await sections()).spo2).toMatchObject([
      { value: { scale: 2, low: 86, isConfirmed: true }, author: { id: physician.userId }, status: 'current' },
      { value: { low: 88 }, reason: 'Retains CO2', recordedAt: toInstant(test.now()), status: 'superseded' },
    ]);
  });

  it('is each mark that NEWS2 does not apply, with its end', async () => {
    const address = `/api/v2/patients/${patient}/news2-exemption`;
    await lead.call('PUT', address, { version: versionOf(patient), because: 'pregnancy', reason: 'In week 30' });
    expect((await sections()).news2).toMatchObject([
      { value: { because: 'pregnancy' }, status: 'current', mark: null },
    ]);
    await physician.call('POST', `${address}/end`, { version: versionOf(patient) });
    expect((await sections()).news2).toMatchObject([
      { author: { id: lead.userId }, status: 'ended', mark: { by: { id: physician.userId } } },
    ]);
  });

  it('is who wore which device when', async () => {
    const device = await test.addDevice(site, { name: 'Pod 7' });
    const identifiers = { mrn: `MRN ${beds}`, dateOfBirth: '1950-03-07' };
    await lead.call('POST', `/api/v2/devices/${device.id}/assignment`, identifiers);
    expect((await sections()).devices).toMatchObject([{ value: { name: 'Pod 7' }, status: 'current', mark: null }]);
    test.advance(60_000);
    await change({ state: 'discharged' });
    expect((await sections()).devices).toMatchObject([
      {
        value: { deviceId: device.id },
        effectiveAt: toInstant(test.now() - 60_000),
        status: 'ended',
        mark: { by: { id: lead.userId }, at: toInstant(test.now()) },
      },
    ]);
  });

  it('is every limit of the patient’s own, and that those of the site hold again', async () => {
    const set = async (values: object, basedOn: string | null) => {
      const body = { rule: 'hr.extreme', values, reason: 'A trained heart', basedOn };
      const response = await physician.call('PUT', `/api/v2/patients/${patient}/limits`, body);
      expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    };
    await set({ low: 42 }, null);
    expect((await sections()).limits).toMatchObject([
      { value: { rule: 'hr.extreme', values: { low: 42 } }, reason: 'A trained heart', status: 'current' },
    ]);
    await set({}, toInstant(test.now()));
    expect((await sections()).limits.map(({ status }) => status)).toEqual(['ended', 'superseded']);
  });

  it('is standby and comfort care, over when their time is', async () => {
    await lead.call('POST', `/api/v2/patients/${patient}/standby`, { reason: 'A wash', minutes: 10 });
    test.advance(60_000);
    await physician.call('PUT', `/api/v2/patients/${patient}/comfort-care`, { reason: 'Agreed with the family' });
    expect((await sections()).standbys).toMatchObject([
      { value: { is: 'comfortCare' }, author: { id: physician.userId }, status: 'current' },
      { value: { is: 'standby' }, reason: 'A wash', author: { id: lead.userId }, status: 'current' },
    ]);
    test.advance(10 * 60_000);
    await physician.call('DELETE', `/api/v2/patients/${patient}/comfort-care`);
    expect((await sections()).standbys).toMatchObject([
      { status: 'ended', mark: { by: { id: physician.userId } } },
      // Its time was over: no one ended it.
      { status: 'ended', mark: null },
    ]);
  });

  it('is where the patient was: admitted, moved, swapped, discharged and here again', async () => {
    const bed = `${beds}`;
    await expect(stays()).resolves.toEqual([['admitted', null, bed, 'current']]);
    await change({ location: { unit: 'Ward 5', bed: 'A' } });
    // What changes no place is no move.
    await change({ location: { unit: 'Ward 5', bed: 'A' } });
    await change({ familyName: 'Other' });
    const other = await admit('Ward 4');
    const both = [patient, other.id].map((id) => ({ id, version: versionOf(id) }));
    expect((await lead.call('POST', '/api/v2/patients/swap-beds', { patients: both })).statusCode).toBe(200);
    await change({ state: 'discharged' });
    await change({ state: 'active', location: { unit: 'Ward 5', bed: 'B' } });
    const swapped = other.location?.bed ?? '';
    await expect(stays()).resolves.toEqual([
      ['admitted', null, bed, 'superseded'],
      ['moved', bed, 'A', 'superseded'],
      ['moved', 'A', swapped, 'superseded'],
      ['discharged', swapped, null, 'superseded'],
      ['admitted', null, 'B', 'current'],
    ]);
    expect((await sections()).stays[0]).toMatchObject({
      value: { to: { unit: 'Ward 5', bed: 'B' } },
      author: { id: lead.userId },
      effectiveAt: toInstant(test.now()),
    });
  });

  it('moves with a step of the clock, so that nothing new lies in the future', async () => {
    const ages = async () => {
      const { stays: places, conditions } = await sections();
      return [...places, ...conditions].flatMap(({ section, recordedAt, effectiveAt, mark }) =>
        // Since when a condition holds is what a person stated.
        [recordedAt, section === 'conditions' ? null : effectiveAt, mark?.at].map((at) =>
          at == null ? null : test.now() - Date.parse(at),
        ),
      );
    };
    const entry = {
      clientId: randomUUID(),
      authorId: lead.userId,
      version: 1,
      value: { is: 'caution', caution: 'nailPolish', note: null },
      source: null,
      effectiveAt: toInstant(test.now()),
    };
    const added = await lead.call('POST', `/api/v2/patients/${patient}/chart/conditions`, entry);
    const { id } = added.json<ChartChange>().entry;
    const mark = { authorId: lead.userId, version: 2, reason: 'Polish removed' };
    expect((await lead.call('POST', `/api/v2/chart-entries/${id}/end`, mark)).statusCode).toBe(200);
    test.advance(60_000);
    const before = await ages();
    test.setWallClock(-2 * 3_600_000);
    await test.server.clockWatch.check();
    await expect(ages()).resolves.toEqual(before);
  });
});
