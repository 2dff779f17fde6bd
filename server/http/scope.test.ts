import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import type { PatientsPage } from '../../lib/patients/schema';
import type { UserType } from '../../lib/session/userTypes';

const url = '/api/v2/patients';
const sam = { givenName: 'Sam', familyName: 'Sample', dateOfBirth: '1950-03-07' };
const inUnit = (unit: string) => ({ unit, bed: '1' });

describe.each(apiEngines)('the reach on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let east: number;
  let unitEast: number;
  let west: number;
  let nowhere: number;
  let elsewhere: number;
  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    east = await test.addPatient(site, { mrn: 'EAST', location: inUnit('East') });
    west = await test.addPatient(site, { mrn: 'WEST', location: inUnit('West') });
    nowhere = await test.addPatient(site, { mrn: 'HOME' });
    elsewhere = await test.addPatient(await test.addSite('Other'), { mrn: 'ELSEWHERE', location: inUnit('East') });
    unitEast = await test.addUnit(site, 'East');
  });

  async function memberOfEast(type: UserType): Promise<Caller> {
    const person = await test.signIn(site, type);
    await test.addUnit(site, 'East', [person.userId]);
    return person;
  }
  const mrnsOf = (page: PatientsPage): string[] => page.items.map(({ mrn }) => mrn).sort();
  const listed = async (who: Caller): Promise<string[]> => mrnsOf((await who.call('GET', url)).json<PatientsPage>());
  const found = async (who: Caller): Promise<string[]> =>
    mrnsOf((await who.call('POST', `${url}/search`, { text: 'sample' })).json<PatientsPage>());

  describe.each(['nurse', 'respiratory_therapist', 'viewer'] as const)('of a %s with a unit', (type) => {
    let person: Caller;
    beforeAll(async () => {
      person = await memberOfEast(type);
    });

    it('is the patients of the unit and those without a place, in the list and in the search', async () => {
      await expect(listed(person)).resolves.toEqual(['EAST', 'HOME']);
      await expect(found(person)).resolves.toEqual(['EAST', 'HOME']);
      const { units } = (await person.call('GET', url)).json<PatientsPage>();
      expect(units.map(({ name }) => name)).toEqual(['East']);
    });

    it('answers for a patient of another unit exactly as for one that does not exist', async () => {
      for (const path of ['', '/vitals']) {
        const there = await person.call('GET', `${url}/${west}${path}`);
        const missing = await person.call('GET', `${url}/888888${path}`);
        expect([there.statusCode, there.body]).toEqual([404, missing.body]);
        for (const id of [east, nowhere]) {
          expect((await person.call('GET', `${url}/${id}${path}`)).statusCode).toBe(200);
        }
      }
      const unit = test.server.liveState.unitByName(site, 'West')?.id ?? 0;
      expect((await person.call('GET', `${url}?unit=${unit}`)).json<PatientsPage>()).toMatchObject({
        items: [],
        total: 0,
      });
    });

    it('audits no view of a patient out of reach', async () => {
      const rows = await test.store.db
        .selectFrom('audit')
        .select('object_id')
        .where('actor_id', '=', person.userId)
        .where('object_type', '=', 'patient')
        .where('outcome', '=', 'done')
        .execute();
      expect(rows.map(({ object_id }) => object_id)).not.toContain(west);
    });
  });

  it.each(['physician', 'ward_lead'] as const)('of a %s with a unit is the whole site', async (type) => {
    const person = await memberOfEast(type);
    await expect(listed(person)).resolves.toEqual(['EAST', 'HOME', 'WEST']);
    expect((await person.call('GET', `${url}/${elsewhere}`)).statusCode).toBe(404);
  });

  it('of a nurse without a unit is the whole site', async () => {
    await expect(listed(await test.signIn(site, 'nurse'))).resolves.toEqual(['EAST', 'HOME', 'WEST']);
  });

  it('changes with the next call after the membership changed', async () => {
    const nurse = await memberOfEast('nurse');
    await expect(listed(nurse)).resolves.toEqual(['EAST', 'HOME']);
    await test.addUnit(site, 'West', [nurse.userId]);
    await expect(listed(nurse)).resolves.toEqual(['EAST', 'HOME', 'WEST']);
  });

  it('of an administrator is no patient, and isAdmin gives a nurse no more patients', async () => {
    const administrator = await test.signIn(site, 'administrator', true);
    expect((await administrator.call('GET', url)).statusCode).toBe(403);
    const nurse = await test.signIn(site, 'nurse', true);
    await test.addUnit(site, 'East', [nurse.userId]);
    await expect(listed(nurse)).resolves.toEqual(['EAST', 'HOME']);
  });

  it('lets a nurse admit to their own unit, in any letter case, and to no other', async () => {
    const nurse = await memberOfEast('nurse');
    for (const unit of ['West', 'A new one']) {
      const refused = await nurse.call('POST', url, { ...sam, mrn: `X-${unit}`, location: inUnit(unit) });
      expect([refused.statusCode, refused.json<{ error: object }>().error]).toMatchObject([
        403,
        { code: 'other_unit', fields: { 'location.unit': 'is not a unit of yours' } },
      ]);
    }
    expect(test.server.liveState.unitByName(site, 'A new one')).toBeNull();
    const admitted = await nurse.call('POST', url, { ...sam, mrn: 'TO-EAST', location: { unit: 'EAST', bed: '2' } });
    expect([admitted.statusCode, admitted.json()]).toMatchObject([201, { location: { unit: 'East' } }]);
    expect((await nurse.call('PATCH', `${url}/${west}`, { version: 1, familyName: 'Reached' })).statusCode).toBe(404);
  });

  it('lets a nurse move a patient out of their unit, and then no longer reaches them', async () => {
    const nurse = await memberOfEast('nurse');
    const id = await test.addPatient(site, { location: inUnit('East') });
    expect(
      (await nurse.call('PATCH', `${url}/${id}`, { version: 1, location: { unit: 'West', bed: '2' } })).statusCode,
    ).toBe(200);
    expect((await nurse.call('GET', `${url}/${id}`)).statusCode).toBe(404);
  });

  it('is marked in the list of units, which names all units of the site', async () => {
    const nurse = await memberOfEast('nurse');
    const { items } = (await nurse.call('GET', '/api/v2/units')).json<{
      items: { id: number; name: string; isOpen: boolean }[];
    }>();
    expect(items.map(({ name, isOpen }) => [name, isOpen])).toEqual([
      ['East', true],
      ['West', false],
    ]);
    expect(items[0]?.id).toBe(unitEast);
  });
});
