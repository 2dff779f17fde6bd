import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { z } from 'zod';
import type { Chart, ChartChange, ChartSummary, WrittenEntry } from '../../lib/chart/schema';
import type { WrittenSection } from '../../lib/chart/sections';
import { isNone, slotOf } from '../../lib/chart/slotOf';
import type { startedHandoffs } from '../../lib/handoffs/schema';
import type { PatientResponse } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines, engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';

describe.each(apiEngines)('a chart on %s', (engine) => {
  const allergy = (substance: string) => ({ is: 'allergy', substance, reaction: null, severity: 'severe' });
  const contact = { role: 'patient', name: null, relation: null, phone: '020 7946 0000', note: null };

  interface Failure {
    error: { code: string; fields?: Record<string, string>; id?: number; entry?: WrittenEntry };
  }

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
      familyName: `Sample${beds}`,
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

describe('appendOnly property', () => {
  const codeStatus = (status: string) => ({ section: 'codeStatus', value: { status, limits: null } });
  const allergy = (substance: string) => ({
    section: 'allergies',
    value: { is: 'allergy', substance, reaction: null, severity: 'mild' },
  });
  const what = [
    codeStatus('full'),
    codeStatus('noCpr'),
    allergy('Latex'),
    allergy('Nuts'),
    { section: 'allergies', value: { is: 'none' } },
  ];
  const step = fc.record({
    by: fc.constantFrom(0, 1),
    is: fc.constantFrom('add', 'correct', 'end', 'entered-in-error'),
    what: fc.constantFrom(...what),
    of: fc.nat(9),
    /** How many changes ago the page read the chart. */
    behind: fc.nat(2),
  });

  describe.each(engines)('a chart that two people write at once on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let people: Caller[];

    beforeAll(async () => {
      test = await sharedTestServer(engine);
      site = await test.addSite();
      people = [await test.signIn(site, 'physician'), await test.signIn(site, 'physician')];
    });

    it('only grows, and never says two things about one', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(step, step), { maxLength: 6 }), async (pairs) => {
          const patient = await test.addPatient(site);
          let before = await read(patient);
          for (const pair of pairs) {
            const responses = await Promise.all(pair.map((one) => send(patient, before, one)));
            const after = await read(patient);
            const done = responses.filter((status) => status < 300).length;
            expect(responses.every((status) => [200, 201, 409, 422].includes(status))).toBe(true);
            expect(after.version).toBeLessThanOrEqual(before.version + done);
            expectGrown(before.entries, after.entries);
            expectOneOfEach(after.entries);
            before = after;
          }
        }),
        { numRuns: 15 },
      );
    });

    async function read(patient: number): Promise<{ version: number; entries: WrittenEntry[] }> {
      const response = await people[0]?.call('GET', `/api/v2/patients/${patient}/chart`);
      const chart = response?.json<Chart>();
      return {
        version: chart?.version ?? 0,
        entries: [...(chart?.sections.codeStatus ?? []), ...(chart?.sections.allergies ?? [])],
      };
    }

    async function send(
      patient: number,
      { version, entries }: { version: number; entries: readonly WrittenEntry[] },
      one: { by: number; is: string; what: (typeof what)[number]; of: number; behind: number },
    ): Promise<number> {
      const caller = people[one.by];
      const entry = entries[one.of % Math.max(1, entries.length)];
      const shared = { authorId: caller?.userId, version: Math.max(1, version - one.behind) };
      const response =
        (one.is === 'end' || one.is === 'entered-in-error') && entry !== undefined
          ? await caller?.call('POST', `/api/v2/chart-entries/${entry.id}/${one.is}`, {
              ...shared,
              reason: randomUUID(),
            })
          : await caller?.call('POST', `/api/v2/patients/${patient}/chart/${one.what.section}`, {
              ...shared,
              clientId: randomUUID(),
              value: one.what.value,
              source: 'The patient',
              effectiveAt: '2026-05-01T09:00:00Z',
              ...(one.is === 'correct' && entry !== undefined ? { replaces: entry.id, reason: 'It was wrong' } : {}),
            });
      return response?.statusCode ?? 0;
    }
  });

  /** What an entry says never changes; only its status and its mark do, and an error stays one. */
  function expectGrown(before: readonly WrittenEntry[], after: readonly WrittenEntry[]): void {
    for (const { status, mark, ...said } of before) {
      const now = after.find(({ id }) => id === said.id);
      expect(now).toMatchObject(said);
      expect(status !== 'entered_in_error' || (now?.status === status && now.mark?.at === mark?.at)).toBe(true);
    }
  }

  function expectOneOfEach(entries: readonly WrittenEntry[]): void {
    const current = entries.filter(({ status }) => status === 'current');
    const slots = current.map((one) => `${one.section} ${slotOf(one)}`);
    expect(new Set(slots).size).toBe(slots.length);
    const allergies = current.filter(({ section }) => section === 'allergies');
    expect(allergies.some(isNone) && allergies.length > 1).toBe(false);
    const codeStatuses = entries.filter(({ section }) => section === 'codeStatus');
    const isAllErrors = codeStatuses.every(({ status }) => status === 'entered_in_error');
    expect(slots.filter((slot) => slot.startsWith('codeStatus'))).toHaveLength(isAllErrors ? 0 : 1);
  }
});
