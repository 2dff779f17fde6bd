import type { Patient } from '../../lib/patients/schema';
import { engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const url = '/api/v2/patients';

describe.each(engines)('a bed on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let lead: Caller;
  let unit: string;
  let counter = 0;
  const addUnit = async (members: readonly number[] = []): Promise<string> => {
    counter += 1;
    const name = `East ${counter}`;
    await test.addUnit(site, name, members);
    return name;
  };

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    lead = await test.signIn(site, 'ward_lead');
  });
  beforeEach(async () => {
    unit = await addUnit();
  });

  const place = (bed: string) => ({ location: { unit, bed } });
  const read = async (id: number): Promise<Patient> => (await lead.call('GET', `${url}/${id}`)).json<Patient>();
  const move = async (id: number, body: object) =>
    await lead.call('PATCH', `${url}/${id}`, { version: (await read(id)).version, ...body });
  interface Refused {
    error: { code: string; id?: number };
  }
  const codeOf = (answer: Awaited<ReturnType<Caller['call']>>) => {
    const { code, id } = answer.json<Refused>().error;
    return { status: answer.statusCode, code, id };
  };
  const taken = (id?: number) => ({ status: 409, code: 'bed_taken', id });

  it('takes no second patient, whatever the capitals: neither a new one nor one who is moved', async () => {
    const first = await test.addPatient(site, place('a1'));
    const second = await test.addPatient(site, place('A2'));
    const made = await lead.call('POST', url, {
      mrn: `NEW ${unit}`,
      givenName: 'Sam',
      familyName: 'Sample',
      dateOfBirth: '1950-03-07',
      ...place('A1'),
    });
    expect(codeOf(made)).toEqual(taken(first));
    expect(codeOf(await move(second, place('A1')))).toEqual(taken(first));
    expect((await read(second)).location).toEqual({ unit, bed: 'A2' });
  });

  it('takes no patient back whose bed is taken by now', async () => {
    const left = await test.addPatient(site, place('B1'));
    await move(left, { state: 'discharged' });
    const next = await test.addPatient(site, place('B1'));
    expect(codeOf(await move(left, { state: 'active' }))).toEqual(taken(next));
    expect((await read(left)).state).toBe('discharged');
  });

  it('takes one of two patients who are moved there at once', async () => {
    const both = [await test.addPatient(site, place('C1')), await test.addPatient(site, place('C2'))];
    const answers = await Promise.all(both.map((id) => move(id, place('C3'))));
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    const first = both[answers.findIndex(({ statusCode }) => statusCode === 200)];
    expect(refused === undefined ? null : codeOf(refused)).toEqual(taken(first));
  });

  it('is free again for its own patient, and after a discharge', async () => {
    const first = await test.addPatient(site, place('D1'));
    expect((await move(first, place('D1'))).statusCode).toBe(200);
    await move(first, { state: 'discharged' });
    const second = await test.addPatient(site, place('D2'));
    expect((await move(second, place('D1'))).statusCode).toBe(200);
  });

  it('does not say who is in it to a user who may not see them', async () => {
    const nurse = await test.signIn(site, 'nurse');
    const own = await addUnit([nurse.userId]);
    const mine = await test.addPatient(site, { location: { unit: own, bed: 'E1' } });
    await test.addPatient(site, place('E1'));
    const answer = await nurse.call('PATCH', `${url}/${mine}`, { version: 1, ...place('E1') });
    expect(codeOf(answer)).toEqual(taken());
  });

  it('of a unit that does not exist is not made by users who reach some units only', async () => {
    const nurse = await test.signIn(site, 'nurse');
    const own = await addUnit([nurse.userId]);
    const mine = await test.addPatient(site, { location: { unit: own, bed: 'H1' } });
    const location = { unit: `${own} typed wrong`, bed: '1' };
    const answer = await nurse.call('PATCH', `${url}/${mine}`, { version: 1, location });
    expect(codeOf(answer)).toEqual({ status: 403, code: 'other_unit' });
  });

  it('that two shared before this was refused keeps both until one moves', async () => {
    const [stays, leaves] = [await test.addPatient(site, place('I1')), await test.addPatient(site, place('I1'))];
    expect((await move(stays, { familyName: 'Changed' })).statusCode).toBe(200);
    expect((await move(leaves, place('I2'))).statusCode).toBe(200);
    expect(codeOf(await move(leaves, place('I1')))).toEqual(taken(stays));
  });

  it('has one patient in the store too, whatever wrote it', async () => {
    const ids = [await test.addPatient(site), await test.addPatient(site)];
    for (const [index, id] of ids.entries()) {
      await move(id, place(`J${index}`));
    }
    await expect(
      test.store.db
        .updateTable('patients')
        .set({ bed: 'j0' })
        .where('id', '=', ids[1] ?? 0)
        .execute(),
    ).rejects.toThrow(/unique/i);
  });

  it('is not changed over what somebody else did, and the answer says who did what', async () => {
    const id = await test.addPatient(site, place('L1'));
    await move(id, { familyName: 'Changed', sex: 'female' });
    const answer = await lead.call('PATCH', `${url}/${id}`, { version: 1, ...place('L2') });
    expect(answer.json<{ error: { message: string } }>().error.message).toMatch(
      /^\S+ \S.* has changed family name, sex in the meantime\. Look at it again, then repeat\.$/,
    );
  });

  it('is taken and left once if the same move or discharge is sent again after a lost response', async () => {
    const id = await test.addPatient(site, place('N1'));
    const send = (body: object) => lead.call('PATCH', `${url}/${id}`, body);
    for (const body of [
      { version: 1, ...place('n2') },
      { version: 2, state: 'discharged' },
    ]) {
      const [first, again] = [await send(body), await send(body)];
      expect([again.statusCode, again.json<unknown>()]).toEqual([200, first.json<unknown>()]);
    }
    const moves = test.store.db.selectFrom('patient_moves').select('kind').where('patient_id', '=', id).orderBy('id');
    expect((await moves.execute()).map(({ kind }) => kind).filter((kind) => kind !== 'admitted')).toEqual([
      'moved',
      'discharged',
    ]);
  });

  describe('swapped with another one', () => {
    const swap = (patients: { id: number; version: number }[]) => lead.call('POST', `${url}/swap-beds`, { patients });

    it('keeps one place for each while a third patient moves in', async () => {
      const [first, second, third] = [
        await test.addPatient(site),
        await test.addPatient(site),
        await test.addPatient(site),
      ];
      await move(first, place('M1'));
      await move(second, place('M2'));
      const [swapped, moved] = await Promise.all([
        swap([
          { id: first, version: 2 },
          { id: second, version: 2 },
        ]),
        move(third, place('M1')),
      ]);
      expect([swapped.statusCode, moved.statusCode]).toEqual([200, 409]);
      expect([(await read(first)).location?.bed, (await read(second)).location?.bed]).toEqual(['M2', 'M1']);
    });

    it('is refused for one patient, one without a bed, one discharged, and a version of before', async () => {
      const first = await test.addPatient(site, place('F1'));
      const second = await test.addPatient(site, place('F2'));
      const outside = await test.addPatient(site);
      const gone = await test.addPatient(site, place('F3'));
      await move(gone, { state: 'discharged' });
      const one = { id: first, version: 1 };
      const codes: string[] = [];
      expect((await swap([one, one])).statusCode).toBe(422);
      for (const another of [
        { id: outside, version: 1 },
        { id: gone, version: 2 },
        { id: second, version: 7 },
      ]) {
        codes.push(codeOf(await swap([one, another])).code);
      }
      expect(codes).toEqual(['no_bed', 'patient_discharged', 'changed_meanwhile']);
      expect([(await read(first)).location, (await read(second)).location]).toEqual([
        { unit, bed: 'F1' },
        { unit, bed: 'F2' },
      ]);
    });

    it('gives each patient the place of the other, and records both', async () => {
      const other = await addUnit();
      const first = await test.addPatient(site, place('G1'));
      const second = await test.addPatient(site, { location: { unit: other, bed: 'G2' } });
      const answer = await swap([
        { id: second, version: 1 },
        { id: first, version: 1 },
      ]);
      expect(answer.statusCode).toBe(200);
      expect([(await read(first)).location, (await read(second)).location]).toEqual([
        { unit: other, bed: 'G2' },
        { unit, bed: 'G1' },
      ]);
      const audited = await test.store.db
        .selectFrom('audit')
        .select(['object_id', 'details'])
        .where('action', '=', 'change_patient')
        .where('object_id', 'in', [first, second])
        .execute();
      expect(audited.map(({ details }) => JSON.parse(details ?? '{}') as unknown)).toEqual([
        { fields: ['location'], swappedWith: second },
        { fields: ['location'], swappedWith: first },
      ]);
    });

    it('is done once if it is sent again after a lost response, and not by somebody else', async () => {
      const first = await test.addPatient(site, place('H1'));
      const second = await test.addPatient(site, place('H2'));
      const both = [first, second].map((id) => ({ id, version: 1 }));
      const answers = [await swap(both), await swap([...both].reverse())];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      expect([(await read(first)).location?.bed, (await read(second)).location?.bed]).toEqual(['H2', 'H1']);
      const other = await test.signIn(site, 'ward_lead');
      const refused = await other.call('POST', `${url}/swap-beds`, { patients: both });
      expect(codeOf(refused).code).toBe('changed_meanwhile');
    });
  });
});
