import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Chart, ChartChange, ChartSummary, WrittenEntry } from '../../lib/chart/schema';
import type { WrittenSection } from '../../lib/chart/sections';
import type { startedHandoffs } from '../../lib/handoffs/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const allergy = (substance: string) => ({ is: 'allergy', substance, reaction: null, severity: 'severe' });
const contact = { role: 'patient', name: null, relation: null, phone: '020 7946 0000', note: null };

interface Failure {
  error: { code: string; fields?: Record<string, string>; id?: number; entry?: WrittenEntry };
}

describe.each(apiEngines)('a chart on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let physician: Caller;
  let patient: number;
  let beds = 0;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
    await test.addUnit(site, 'Ward 4', [nurse.userId]);
  });
  beforeEach(async () => {
    patient = await addPatient();
  });
  afterAll(() => test.stop());

  const addPatient = (more = {}): Promise<number> =>
    test.addPatient(site, { location: { unit: 'Ward 4', bed: `${(beds += 1)}` }, ...more });
  const read = async (by = nurse, of = patient): Promise<Chart> =>
    (await by.call('GET', `/api/v2/patients/${of}/chart`)).json<Chart>();
  const summary = async (of = patient): Promise<ChartSummary> =>
    (await nurse.call('GET', `/api/v2/patients/${of}/chart/summary`)).json<ChartSummary>();
  const codeStatusOf = (status: string, more = {}) => ({
    value: { status, limits: null },
    source: 'The patient',
    effectiveAt: toInstant(test.now() - 86_400_000),
    ...more,
  });
  const bodyOf = (by: Caller, value: unknown, more = {}) => ({
    clientId: randomUUID(),
    authorId: by.userId,
    version: 1,
    value,
    source: null,
    effectiveAt: null,
    ...more,
  });
  const send = (by: Caller, section: WrittenSection, body: object, of = patient) =>
    by.call('POST', `/api/v2/patients/${of}/chart/${section}`, body);
  const add = async (by: Caller, section: WrittenSection, value: unknown, more = {}): Promise<ChartChange> => {
    const response = await send(by, section, bodyOf(by, value, more));
    expect([response.statusCode, response.body]).toEqual([201, expect.any(String)]);
    return response.json<ChartChange>();
  };
  const refused = async (by: Caller, section: WrittenSection, value: unknown, more = {}): Promise<unknown[]> => {
    const response = await send(by, section, bodyOf(by, value, more));
    const { code, fields = {} } = response.json<Failure>().error;
    return [response.statusCode, code, ...Object.keys(fields)];
  };
  const markAs = async (by: Caller, id: number, as: 'end' | 'entered-in-error', version: number, more = {}) => {
    const body = { authorId: by.userId, version, reason: 'Of another patient', ...more };
    const response = await by.call('POST', `/api/v2/chart-entries/${id}/${as}`, body);
    return [response.statusCode, response.statusCode === 200 ? 'done' : response.json<Failure>().error.code];
  };
  const audited = async (of = patient) =>
    (
      await test.store.db
        .selectFrom('audit')
        .select(['action', 'details'])
        .where('object_id', '=', of)
        .where('outcome', '=', 'done')
        .orderBy('id')
        .execute()
    ).flatMap(({ action, details }) => (action.includes('chart') ? [`${action} ${details ?? ''}`] : []));
  const statuses = (entries: readonly { id: number; status: string }[]): string[] =>
    [...entries].sort((a, b) => a.id - b.id).map(({ status }) => status);

  it.each<[string, WrittenSection, unknown, object]>([
    ['value.substance', 'allergies', { ...allergy(' '), severity: 'mild' }, {}],
    ['value.severity', 'allergies', { ...allergy('Latex'), severity: 'bad' }, {}],
    ['value.is', 'allergies', { none: true }, {}],
    ['substance', 'allergies', { is: 'none', substance: 'Latex' }, {}],
    ['value.substance', 'allergies', allergy('Half a face \ud83d'), {}],
    ['reason', 'allergies', { is: 'none' }, { replaces: 1 }],
    ['reason', 'allergies', { is: 'none' }, { reason: 'Without a correction' }],
    ['source', 'codeStatus', { status: 'full', limits: null }, { effectiveAt: '2026-05-01T09:00:00Z' }],
    ['effectiveAt', 'codeStatus', { status: 'full', limits: null }, { source: 'The patient' }],
    ['value.limits', 'codeStatus', { status: 'limited', limits: null }, codeStatusFields()],
    ['value.limits', 'codeStatus', { status: 'full', limits: 'No CPR' }, codeStatusFields()],
    ['value.flow', 'oxygen', { device: 'roomAir', flow: 2, fiO2: null, note: null }, {}],
    ['value.flow', 'oxygen', { device: 'nasalCannula', flow: 0, fiO2: null, note: null }, {}],
    ['value.since', 'conditions', { is: 'condition', name: 'COPD', since: '2019-13', note: null }, {}],
    ['value.phone', 'contacts', { ...contact, phone: 'ask the daughter' }, {}],
    [
      'effectiveAt',
      'conditions',
      { is: 'caution', caution: 'nailPolish', note: null },
      { effectiveAt: '2027-01-01T00:00:00Z' },
    ],
  ])('refuses an entry with a wrong %s', async (field, section, value, more) => {
    await expect(refused(physician, section, value, more)).resolves.toEqual([422, 'invalid', field]);
    expect((await read()).version).toBe(1);
  });
  function codeStatusFields() {
    return { source: 'The patient', effectiveAt: '2026-05-01T09:00:00Z' };
  }

  it('of a patient in another unit or site is not there', async () => {
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    const colleague = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Ward 5', [colleague.userId]);
    const stranger = await test.signIn(await test.addSite(), 'physician');
    for (const by of [colleague, stranger]) {
      expect((await by.call('GET', `/api/v2/patients/${patient}/chart`)).statusCode).toBe(404);
      expect((await by.call('GET', `/api/v2/patients/${patient}/chart/summary`)).statusCode).toBe(404);
      await expect(refused(by, 'allergies', { is: 'none' })).resolves.toEqual([404, 'not_found']);
      await expect(markAs(by, entry.id, 'end', 2)).resolves.toEqual([404, 'not_found']);
    }
  });

  it('is opened by emergency access to read, and to nothing else', async () => {
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    const colleague = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Ward 6', [colleague.userId]);
    await colleague.call('POST', '/api/v2/auth/break-glass', { reason: 'The patient collapsed here' });
    expect((await read(colleague)).sections.allergies).toHaveLength(1);
    await expect(refused(colleague, 'allergies', allergy('Nuts'))).resolves.toEqual([404, 'not_found']);
    await expect(markAs(colleague, entry.id, 'end', 2)).resolves.toEqual([404, 'not_found']);
    await expect(markAs(colleague, entry.id, 'entered-in-error', 2)).resolves.toEqual([404, 'not_found']);
  });

  it('takes a code status, and its mark as an error, from a physician alone', async () => {
    const lead = await test.signIn(site, 'ward_lead');
    const therapist = await test.signIn(site, 'respiratory_therapist');
    const { value, ...more } = codeStatusOf('noCpr');
    const { entry } = await add(physician, 'codeStatus', value, more);
    for (const by of [nurse, lead, therapist]) {
      await expect(refused(by, 'codeStatus', value, more)).resolves.toEqual([403, 'forbidden']);
      await expect(markAs(by, entry.id, 'entered-in-error', 2)).resolves.toEqual([403, 'forbidden']);
    }
    // Identifiers and team are a part of admitting someone.
    await expect(refused(therapist, 'identifiers', { type: 'passport', value: 'X1', assigner: null })).resolves.toEqual(
      [403, 'forbidden'],
    );
    await expect(markAs(physician, entry.id, 'entered-in-error', 2)).resolves.toEqual([200, 'done']);
  });

  it('from a page of another user than the one who has signed in since is refused', async () => {
    const response = await send(physician, 'allergies', bodyOf(nurse, { is: 'none' }));
    expect([response.statusCode, response.json<Failure>().error.code]).toEqual([409, 'another_user']);
  });

  it('of a discharged patient is read, and changed only by marking an error', async () => {
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, state: 'discharged' });
    await expect(refused(nurse, 'allergies', allergy('Nuts'), { version: 2 })).resolves.toEqual([
      409,
      'patient_discharged',
    ]);
    await expect(markAs(nurse, entry.id, 'end', 2)).resolves.toEqual([409, 'patient_discharged']);
    await expect(markAs(nurse, entry.id, 'entered-in-error', 2)).resolves.toEqual([200, 'done']);
    expect(statuses((await read()).sections.allergies)).toEqual(['entered_in_error']);
  });

  it('without entries says that nothing is recorded: no code status is not "full"', async () => {
    await expect(summary()).resolves.toEqual({ patientId: patient, version: 1, codeStatus: null, allergies: [] });
    await expect(read()).resolves.toMatchObject({ patientId: patient, version: 1, sections: { codeStatus: [] } });
  });

  it('shows who wrote what, when, by which source, and keeps what was corrected', async () => {
    const first = await add(physician, 'codeStatus', ...valueAnd(codeStatusOf('full')));
    const second = await add(
      physician,
      'codeStatus',
      ...valueAnd(codeStatusOf('noCpr', { version: 2, replaces: first.entry.id, reason: 'Talked to the patient' })),
    );
    expect(second).toMatchObject({ patientId: patient, version: 3, entry: { status: 'current' } });
    const { sections } = await read();
    expect(sections.codeStatus).toMatchObject([
      {
        id: second.entry.id,
        value: { status: 'noCpr', limits: null },
        source: 'The patient',
        effectiveAt: toInstant(test.now() - 86_400_000),
        author: { id: physician.userId },
        recordedAt: toInstant(test.now()),
        replaces: first.entry.id,
        reason: 'Talked to the patient',
        status: 'current',
        mark: null,
      },
      { id: first.entry.id, value: { status: 'full' }, status: 'superseded', replaces: null, reason: null },
    ]);
    await expect(summary()).resolves.toMatchObject({ codeStatus: { id: second.entry.id } });
  });
  function valueAnd({ value, ...more }: { value: unknown }): [unknown, object] {
    return [value, more];
  }

  it('stores what was sent twice once, and not another text under the same id', async () => {
    const clientId = randomUUID();
    const first = await add(nurse, 'allergies', allergy('Latex'), { clientId });
    // The response was lost, and a colleague wrote meanwhile.
    await add(physician, 'allergies', allergy('Nuts'), { version: 2 });
    await expect(add(nurse, 'allergies', allergy('Latex'), { clientId })).resolves.toMatchObject({
      version: 3,
      entry: first.entry,
    });
    await expect(refused(nurse, 'allergies', allergy('Eggs'), { clientId })).resolves.toEqual([409, 'entry_stored']);
    const other = await addPatient();
    const response = await send(nurse, 'allergies', bodyOf(nurse, allergy('Latex'), { clientId }), other);
    expect(response.json<Failure>().error.code).toBe('entry_of_another');
    expect((await read()).sections.allergies).toHaveLength(2);
    expect((await read(nurse, other)).sections.allergies).toEqual([]);
  });

  it('keeps the date that a person stated, and what was sent twice, when the clock is set back', async () => {
    const effectiveAt = toInstant(test.now() - 60_000);
    const body = bodyOf(nurse, allergy('Latex'), { effectiveAt });
    const first = (await send(nurse, 'allergies', body)).json<ChartChange>();
    test.setWallClock(-2 * 3_600_000);
    await test.server.clockWatch.check();
    const again = await send(nurse, 'allergies', body);
    expect([again.statusCode, again.json<ChartChange>().entry]).toMatchObject([
      201,
      { id: first.entry.id, effectiveAt },
    ]);
    expect((await read()).sections.allergies).toMatchObject([{ effectiveAt }]);
    await expect(refused(nurse, 'allergies', allergy('Nuts'), { effectiveAt })).resolves.toEqual([
      422,
      'invalid',
      'effectiveAt',
    ]);
    test.setWallClock(2 * 3_600_000);
    await test.server.clockWatch.check();
  });

  it('takes different allergies of two people who saw the same chart', async () => {
    await Promise.all([add(nurse, 'allergies', allergy('Latex')), add(physician, 'allergies', allergy('Nuts'))]);
    expect(statuses((await read()).sections.allergies)).toEqual(['current', 'current']);
  });

  it('takes the correction of one of two people, and shows the other what it is now', async () => {
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    const correct = (by: Caller, substance: string) =>
      send(by, 'allergies', bodyOf(by, allergy(substance), { version: 2, replaces: entry.id, reason: 'Was unclear' }));
    const responses = await Promise.all([correct(nurse, 'Latex gloves'), correct(physician, 'Nickel')]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    const done = responses.find(({ statusCode }) => statusCode === 201)?.json<ChartChange>();
    const lost = responses.find(({ statusCode }) => statusCode === 409)?.json<Failure>();
    expect(lost?.error).toMatchObject({ code: 'chart_changed', id: done?.entry.id, entry: done?.entry });
    expect((await summary()).allergies).toEqual([done?.entry]);
  });

  it('shows the correction that holds, also behind one that was entered in error', async () => {
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    const fix = (by: Caller, substance: string, version: number, replaces: number) =>
      bodyOf(by, allergy(substance), { version, replaces, reason: 'Was unclear' });
    const second = (await send(physician, 'allergies', fix(physician, 'Glue', 2, entry.id))).json<ChartChange>();
    const third = await send(physician, 'allergies', fix(physician, 'Nickel', 3, second.entry.id));
    await markAs(physician, second.entry.id, 'entered-in-error', 4);
    const late = await send(nurse, 'allergies', fix(nurse, 'Latex gloves', 2, entry.id));
    const { id } = third.json<ChartChange>().entry;
    expect(late.json<Failure>().error).toMatchObject({ code: 'chart_changed', id, entry: { id, status: 'current' } });
  });

  it('takes the code status of one of two physicians at once, and shows the other theirs', async () => {
    const colleague = await test.signIn(site, 'physician');
    const set = (by: Caller, status: string) => {
      const { value, ...more } = codeStatusOf(status);
      return send(by, 'codeStatus', bodyOf(by, value, more));
    };
    const responses = await Promise.all([set(physician, 'full'), set(colleague, 'noCpr')]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    const done = responses.find(({ statusCode }) => statusCode === 201)?.json<ChartChange>();
    expect((await summary()).codeStatus).toEqual(done?.entry);
    // Who sees a code status corrects it.
    const { value, ...more } = codeStatusOf('full', { version: 2 });
    await expect(refused(physician, 'codeStatus', value, more)).resolves.toEqual([422, 'invalid', 'value']);
  });

  it('never says "no known allergies" beside one', async () => {
    const none = await add(nurse, 'allergies', { is: 'none' });
    await expect(summary()).resolves.toMatchObject({ allergies: [{ value: { is: 'none' } }] });
    // Who saw "none" and who did not both add theirs.
    const latex = await add(nurse, 'allergies', allergy('Latex'));
    expect(statuses((await read()).sections.allergies)).toEqual(['superseded', 'current']);
    await expect(refused(nurse, 'allergies', { is: 'none' }, { version: latex.version })).resolves.toEqual([
      422,
      'invalid',
      'value',
    ]);
    const late = await send(physician, 'allergies', bodyOf(physician, { is: 'none' }, { version: none.version }));
    expect(late.json<Failure>().error).toMatchObject({ code: 'chart_changed', entry: { id: latex.entry.id } });
  });

  it('marks an entry as entered in error once, and keeps it readable with the reason', async () => {
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    await expect(markAs(nurse, entry.id, 'entered-in-error', 2)).resolves.toEqual([200, 'done']);
    await expect(markAs(nurse, entry.id, 'entered-in-error', 2)).resolves.toEqual([200, 'done']);
    await expect(markAs(physician, entry.id, 'entered-in-error', 2)).resolves.toEqual([409, 'chart_changed']);
    await expect(markAs(physician, entry.id, 'entered-in-error', 3)).resolves.toEqual([409, 'entry_in_error']);
    const { sections, version } = await read();
    expect(version).toBe(3);
    expect(sections.allergies).toMatchObject([
      {
        value: allergy('Latex'),
        status: 'entered_in_error',
        mark: { by: { id: nurse.userId }, at: toInstant(test.now()), reason: 'Of another patient' },
      },
    ]);
    await expect(
      refused(nurse, 'allergies', allergy('Latex'), { version: 3, replaces: entry.id, reason: 'Again' }),
    ).resolves.toEqual([422, 'invalid', 'replaces']);
  });

  it('ends what a list holds, and no code status', async () => {
    const drug = { is: 'medication', name: 'Furosemide', dose: '40 mg', frequency: 'once a day', note: null };
    const { entry } = await add(nurse, 'medications', drug);
    await expect(markAs(nurse, entry.id, 'end', 2)).resolves.toEqual([200, 'done']);
    await expect(markAs(nurse, entry.id, 'end', 2)).resolves.toEqual([200, 'done']);
    await expect(markAs(physician, entry.id, 'end', 3)).resolves.toEqual([422, 'invalid']);
    expect(statuses((await read()).sections.medications)).toEqual(['ended']);
    const set = await add(physician, 'codeStatus', ...valueAnd(codeStatusOf('full', { version: 3 })));
    await expect(markAs(physician, set.entry.id, 'end', 4)).resolves.toEqual([422, 'invalid']);
  });

  it('corrects no entry of another patient or section', async () => {
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    const correction = { version: 2, replaces: entry.id, reason: 'It is a condition' };
    const condition = { is: 'condition', name: 'Eczema', since: '2019-03', note: null };
    await expect(refused(nurse, 'conditions', condition, correction)).resolves.toEqual([422, 'invalid', 'replaces']);
    const other = await addPatient();
    const response = await send(nurse, 'allergies', bodyOf(nurse, { is: 'none' }, correction), other);
    expect(response.statusCode).toBe(422);
  });

  it('names a user in the team by their own name, and no stranger', async () => {
    const member = { role: 'responsibleClinician', userId: physician.userId, name: 'Anyone' };
    const { entry } = await add(nurse, 'team', member);
    const { name } = entry.author ?? { name: '' };
    expect(entry.value).toEqual({ ...member, name: expect.stringMatching(/^Robin Example\d+$/) as string });
    expect(name).not.toBe('Anyone');
    const stranger = await test.addUser(await test.addSite(), 'physician');
    await expect(refused(nurse, 'team', { ...member, userId: stranger.id })).resolves.toEqual([
      422,
      'invalid',
      'value.userId',
    ]);
  });

  it('stores a user of the team once, also if they were renamed before it is sent again', async () => {
    const clientId = randomUUID();
    const member = { role: 'teamMember', userId: physician.userId, name: 'Anyone' };
    const { entry } = await add(nurse, 'team', member, { clientId });
    const rename = (lname: string) =>
      test.store.db.updateTable('users').set({ lname }).where('id', '=', physician.userId).execute();
    const user = test.store.db.selectFrom('users').select('lname').where('id', '=', physician.userId);
    const { lname } = await user.executeTakeFirstOrThrow();
    await rename('Renamed');
    await expect(add(nurse, 'team', member, { clientId })).resolves.toMatchObject({ entry });
    await rename(lname);
    await expect(refused(nurse, 'team', { ...member, role: 'responsibleClinician' }, { clientId })).resolves.toEqual([
      409,
      'entry_stored',
    ]);
  });

  it('of a patient at home says that their phone is missing until it is there', async () => {
    patient = await addPatient({ profile: 'home', location: null });
    expect((await read()).isPhoneMissing).toBe(true);
    await add(nurse, 'contacts', { ...contact, role: 'nextOfKin' });
    expect((await read()).isPhoneMissing).toBe(true);
    await add(nurse, 'contacts', contact, { version: 2 });
    expect((await read()).isPhoneMissing).toBe(false);
  });

  it('audits a view once, and each change by section and id without a word of it', async () => {
    await read();
    await read();
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    const correction = { version: 2, replaces: entry.id, reason: 'It was the glue' };
    const corrected = await add(nurse, 'allergies', allergy('Glue'), correction);
    await markAs(nurse, corrected.entry.id, 'entered-in-error', 3);
    await expect(audited()).resolves.toEqual([
      'read_chart ',
      `add_to_chart {"section":"allergies","entryId":${entry.id}}`,
      `correct_chart {"section":"allergies","entryId":${corrected.entry.id},"replaces":${entry.id}}`,
      `mark_chart_entry_in_error {"section":"allergies","entryId":${corrected.entry.id}}`,
    ]);
    expect(JSON.stringify(test.logLines)).not.toMatch(/Latex|Glue|glue/);
  });

  it.each([
    { value: '{"is":"Latex"}' },
    { effective_at: 9_000_000_000_000_000 },
    { recorded_at: 9_000_000_000_000_000 },
    { marked_at: 9_000_000_000_000_000 },
  ])('with an entry that cannot be read shows nothing, and holds up no handoff: %j', async (damage) => {
    const { db } = test.store;
    const { marked_at, ...change } = { marked_at: undefined, ...damage };
    const row = { site_id: site, patient_id: patient, author_id: nurse.userId, recorded_at: test.now() };
    const { id: entry_id } = await db
      .insertInto('chart_entries')
      .values({
        ...row,
        section: 'allergies',
        value: JSON.stringify(allergy('Latex')),
        client_id: randomUUID(),
        ...change,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (marked_at !== undefined) {
      await db
        .insertInto('chart_marks')
        .values({ patient_id: patient, entry_id, is_error: 0, marked_by: nurse.userId, marked_at, reason: 'Damaged' })
        .execute();
    }
    for (const address of ['chart', 'chart/summary']) {
      expect((await nurse.call('GET', `/api/v2/patients/${patient}/${address}`)).statusCode).toBe(500);
    }
    expect(JSON.stringify(test.logLines)).not.toContain('Latex');
    const other = await addPatient();
    const body = { patientIds: [patient, other], authorId: nurse.userId };
    const started = (await nurse.call('POST', '/api/v2/handoffs', body)).json<z.output<typeof startedHandoffs>>();
    expect(started.items.map(({ handoff }) => handoff?.facts?.allergies)).toEqual([
      'could not be read from the chart',
      null,
    ]);
  });

  it('is changed by no statement, not even by mistake', async () => {
    const { entry } = await add(nurse, 'allergies', allergy('Latex'));
    await markAs(nurse, entry.id, 'end', 2);
    const { db } = test.store;
    for (const change of [
      db.updateTable('chart_entries').set({ value: '{"is":"none"}' }).where('id', '=', entry.id),
      db.deleteFrom('chart_entries').where('id', '=', entry.id),
      db.updateTable('chart_marks').set({ reason: 'x' }).where('entry_id', '=', entry.id),
      db.deleteFrom('chart_marks').where('entry_id', '=', entry.id),
    ]) {
      await expect(change.execute()).rejects.toThrow('a chart is append-only');
    }
  });
});
