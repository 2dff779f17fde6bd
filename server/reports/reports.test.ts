import { randomUUID } from 'node:crypto';
import type { IssueReport, NewReport, ReportNews, ReportsResponse } from '../../lib/reports/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { newReport } from '../../test/newReport';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

interface Refusal {
  error: { code: string; id?: number; message: string; fields?: Record<string, string> };
}

describe.each(apiEngines)('an issue report on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let nurse: Caller;
  let colleague: Caller;
  let elsewhere: Caller;
  let lead: Caller;
  let technician: Caller;
  let viewer: Caller;
  let admin: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    colleague = await test.signIn(site, 'nurse');
    viewer = await test.signIn(site, 'viewer');
    elsewhere = await test.signIn(site, 'nurse');
    unit = await test.addUnit(site, 'Ward 4', [nurse.userId, colleague.userId, viewer.userId]);
    await test.addUnit(site, 'Ward 5', [elsewhere.userId]);
    lead = await test.signIn(site, 'ward_lead');
    technician = await test.signIn(site, 'technician');
    admin = await test.signIn(site, 'administrator', true);
    patient = await test.addPatient(site, {
      mrn: 'MRN-00417',
      familyName: 'Secret',
      location: { unit: 'Ward 4', bed: '7' },
    });
  });
  beforeEach(() => {
    // Reports are listed by their time.
    test.advance(1_000);
  });

  const send = (body: object, by = nurse) => by.call('POST', '/api/v2/reports', { authorId: by.userId, ...body });
  const file = async (more: Partial<NewReport> = {}, by = nurse): Promise<IssueReport> => {
    const response = await send(newReport(more), by);
    expect([response.statusCode, response.body]).toEqual([201, expect.stringContaining('{"id"')]);
    return response.json<IssueReport>();
  };
  const read = async ({ id }: { id: number }, by = nurse): Promise<IssueReport> => {
    const response = await by.call('GET', `/api/v2/reports/${id}`);
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    return response.json<IssueReport>();
  };
  const ask = ({ id, version }: IssueReport, body: object, by = lead) =>
    by.call('PATCH', `/api/v2/reports/${id}`, { version, authorId: by.userId, ...body });
  const change = async (report: IssueReport, body: object, by = lead): Promise<IssueReport> => {
    const response = await ask(report, body, by);
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    return response.json<IssueReport>();
  };
  const say = ({ id }: IssueReport, text: string, by = nurse, clientId = randomUUID()) =>
    by.call('POST', `/api/v2/reports/${id}/comments`, { clientId, authorId: by.userId, text });
  const list = async (query = '', by = lead): Promise<ReportsResponse> => {
    const response = await by.call('GET', `/api/v2/reports${query}`);
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    return response.json<ReportsResponse>();
  };
  const move = async (id: number, location: { unit: string; bed: string }): Promise<void> => {
    const { version } = (await lead.call('GET', `/api/v2/patients/${id}`)).json<{ version: number }>();
    expect((await lead.call('PATCH', `/api/v2/patients/${id}`, { version, location })).statusCode).toBe(200);
  };
  const news = async (by = nurse): Promise<ReportNews> =>
    (await by.call('GET', '/api/v2/reports/own')).json<ReportNews>();
  const codeOf = (response: { statusCode: number; json: <T>() => T }): [number, string] => [
    response.statusCode,
    response.json<Refusal>().error.code,
  ];
  const fieldsOf = (response: { json: <T>() => T }): string[] =>
    Object.keys(response.json<Refusal>().error.fields ?? {});

  it.each([
    ['clientId', { clientId: 'one' }],
    ['kind', { kind: 'gossip' }],
    ['severity', { severity: 'S5' }],
    ['harm.physical', { harm: { physical: 'some', psychological: null } }],
    ['title', { title: ' ' }],
    ['title', { title: '\u200b' }],
    ['whatHappened', { whatHappened: 'Half a face \ud83d' }],
    ['occurredAt', { occurredAt: 'yesterday' }],
    [
      'device.serial',
      { device: { maker: null, model: null, serial: '', udi: null, firmware: null, lot: null, isQuarantined: null } },
    ],
    ['alarmsUnit', { severity: 'S1' }],
    ['alarmsUnit', { severity: 'S2', alarmsUnit: true }],
    [
      'context.browser',
      {
        context: {
          page: '/',
          release: 'w@1',
          ruleVersion: 1,
          browser: '',
          sound: 'on',
          errorReportId: null,
          tiles: [],
          connection: [],
          requestIds: [],
        },
      },
    ],
    ['photo', { photo: 'x' }],
  ])('is refused with a wrong %s', async (field, body) => {
    const before = await list();
    const response = await send({ ...newReport(), ...body });
    expect([response.statusCode, fieldsOf(response)]).toEqual([422, [field]]);
    expect((await list()).total).toBe(before.total);
  });

  it('about the future, another site’s unit or another patient’s alert is refused', async () => {
    const other = await test.addSite();
    const foreign = await test.addUnit(other, 'Far');
    const { id: alertId } = await test.store.db
      .insertInto('alerts')
      .values({
        // Beyond those that the rules number.
        id: 900_000,
        site_id: site,
        patient_id: await test.addPatient(site),
        device_id: null,
        parameter: 'spo2',
        rule: 'spo2.low',
        priority: 'high',
        condition: 'ended',
        started_at: 0,
        raised_at: 0,
        closed_at: 1,
        is_retrospective: 1,
        facts: '{}',
        evidence: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [field, more] of [
      ['occurredAt', { occurredAt: toInstant(test.now() + 300_001) }],
      ['discoveredAt', { discoveredAt: toInstant(test.now() + 300_001) }],
      ['unitId', { unitId: foreign }],
      ['alertIds', { patientId: patient, alertIds: [alertId] }],
      ['alertIds', { alertIds: [999_999] }],
    ] as const) {
      const response = await send(newReport({ ...more, alertIds: [...('alertIds' in more ? more.alertIds : [])] }));
      expect([response.statusCode, fieldsOf(response)]).toEqual([422, [field]]);
    }
  });

  it('about a patient or a device out of reach is refused as one that is not there', async () => {
    const far = await test.addPatient(site, { location: { unit: 'Ward 5', bed: '1' } });
    const device = await test.addDevice(site);
    for (const [by, more] of [
      [nurse, { patientId: far }],
      [nurse, { patientId: 999_999 }],
      [nurse, { deviceId: 999_999 }],
      [technician, { patientId: patient }],
      [viewer, { deviceId: device.id }],
    ] as const) {
      expect(codeOf(await send(newReport(more), by))).toEqual([404, 'not_found']);
    }
  });

  it('from a page of another user than the one who has signed in since is refused', async () => {
    const report = await file();
    const by = { authorId: nurse.userId };
    expect(codeOf(await send({ ...newReport(), ...by }, colleague))).toEqual([409, 'another_user']);
    expect(codeOf(await ask(report, { status: 'triaged', ...by }))).toEqual([409, 'another_user']);
    const comment = { clientId: randomUUID(), text: 'x', ...by };
    expect(codeOf(await lead.call('POST', `/api/v2/reports/${report.id}/comments`, comment))).toEqual([
      409,
      'another_user',
    ]);
  });

  it('of another unit, another site, or of others for a viewer is not there', async () => {
    const report = await file({ patientId: patient, kind: 'safety' });
    const stranger = await test.signIn(await test.addSite(), 'ward_lead');
    for (const by of [elsewhere, viewer, technician, admin, stranger]) {
      expect(codeOf(await by.call('GET', `/api/v2/reports/${report.id}`))).toEqual([404, 'not_found']);
      expect(codeOf(await say(report, 'x', by))).toEqual([404, 'not_found']);
      expect(codeOf(await by.call('POST', `/api/v2/reports/${report.id}/read`, { version: 1 }))).toEqual([
        404,
        'not_found',
      ]);
      expect((await list('', by)).items.map(({ id }) => id)).not.toContain(report.id);
    }
    for (const by of [technician, admin]) {
      expect(codeOf(await ask(report, { status: 'triaged' }, by))).toEqual([404, 'not_found']);
    }
  });

  it('is changed by those who manage it alone, and commented by them and its reporter', async () => {
    const report = await file({ kind: 'device' });
    for (const by of [nurse, colleague, viewer]) {
      expect(codeOf(await ask(report, { status: 'triaged' }, by))).toEqual([403, 'forbidden']);
    }
    expect(codeOf(await say(report, 'Same here', colleague))).toEqual([403, 'not_reporter']);
    for (const body of [{ kind: 'software' }, { harm: { physical: 'none', psychological: null } }]) {
      expect(codeOf(await ask(report, body, technician))).toEqual([403, 'forbidden']);
    }
    expect((await say(report, 'It is back')).statusCode).toBe(200);
    expect((await read(report)).entries).toMatchObject([{ is: 'filed' }, { is: 'comment', text: 'It is back' }]);
  });

  it('takes no status that cannot follow, no assignee who cannot manage it, no S1 without a confirmation', async () => {
    const report = await file({ kind: 'supply' });
    for (const [field, body] of [
      ['status', { status: 'closed' }],
      ['assigneeId', { assigneeId: technician.userId }],
      ['assigneeId', { assigneeId: nurse.userId }],
      ['alarmsUnit', { severity: 'S1' }],
      ['comment', { comment: ' ' }],
    ] as const) {
      const response = await ask(report, body);
      expect([response.statusCode, fieldsOf(response)]).toEqual([422, [field]]);
    }
    await expect(read(report)).resolves.toMatchObject({ version: 1, status: 'new', entries: [{ is: 'filed' }] });
  });

  it('that another user has changed is not changed by who saw it before: the answer says who was first', async () => {
    const report = await file();
    const other = await test.signIn(site, 'ward_lead');
    const [one, two] = await Promise.all([
      ask(report, { status: 'triaged' }, lead),
      ask(report, { severity: 'S4' }, other),
    ]);
    expect([one.statusCode, two.statusCode].sort()).toEqual([200, 409]);
    const refused = one.statusCode === 409 ? one : two;
    const { error } = refused.json<Refusal>();
    expect([error.code, error.id]).toEqual(['report_changed', report.id]);
    expect(error.message).toMatch(/^Robin Example\d+ has changed this report in the meantime\.$/);
    expect((await read(report)).version).toBe(2);
  });

  it('is filed once, however often its page sends it', async () => {
    const sent = newReport({ title: 'Sent twice' });
    const [one, two] = await Promise.all([send(sent), send(sent)]);
    expect([one.statusCode, two.statusCode]).toEqual([201, 201]);
    expect(one.json<IssueReport>().id).toBe(two.json<IssueReport>().id);
    expect((await read(one.json<IssueReport>())).entries).toHaveLength(1);
  });

  it('is answered to its page that sends it again, also when the patient has left and the unit is gone', async () => {
    const moved = await test.addPatient(site, { familyName: 'Moved', location: { unit: 'Ward 4', bed: '19' } });
    const unitId = await test.addUnit(site, 'Passing');
    const sent = newReport({ patientId: moved, unitId });
    const { id } = (await send(sent)).json<IssueReport>();
    await move(moved, { unit: 'Ward 5', bed: '19' });
    expect((await admin.call('DELETE', `/api/v2/units/${unitId}`)).statusCode).toBe(204);
    const again = await send(sent);
    expect([again.statusCode, again.json()]).toMatchObject([201, { id, patient: { identity: null } }]);
    expect(codeOf(await send({ ...sent, authorId: colleague.userId }))).toEqual([409, 'another_user']);
    // Only its author's: another one's new report is checked as ever.
    expect(codeOf(await send(sent, colleague))).toEqual([404, 'not_found']);
  });

  it('names each alert once', async () => {
    const alertId = await test.addAlert(site);
    expect((await file({ alertIds: [alertId, alertId, alertId] })).alertIds).toEqual([alertId]);
  });

  it('is changed and commented once, however often a page sends it', async () => {
    const report = await file();
    const wanted = { status: 'triaged', comment: 'Seen' };
    await change(report, wanted);
    await expect(change(report, wanted)).resolves.toMatchObject({ version: 2 });
    expect(codeOf(await ask(report, { ...wanted, comment: 'Seen it all' }))).toEqual([409, 'report_changed']);
    const clientId = randomUUID();
    await say(report, 'Thank you', nurse, clientId);
    await say(report, 'Thank you', nurse, clientId);
    expect((await read(report)).entries.map(({ is, to, text }) => [is, to, text])).toEqual([
      ['filed', null, null],
      ['status', 'triaged', null],
      ['comment', null, 'Seen'],
      ['comment', null, 'Thank you'],
    ]);
  });

  it('keeps what was stated, and its place is the patient’s unless another is named', async () => {
    const { id: deviceId } = await test.addDevice(site, { name: 'Monitor 7' });
    const stated = {
      harm: { physical: 'low', psychological: null },
      whatHappened: 'Froze at 97 %\nfor ten minutes',
      expected: 'An alert',
      immediateAction: 'Took another monitor',
      occurredAt: toInstant(test.now() - 60_000),
      patientId: patient,
      deviceId,
      device: {
        maker: 'Acme',
        model: null,
        serial: '0',
        udi: null,
        firmware: null,
        lot: null,
        isQuarantined: false,
      },
      context: {
        page: '/patient_details?ids=417',
        release: 'wardlight@0.1.0',
        ruleVersion: 0,
        browser: 'Chrome 139',
        sound: 'paused' as const,
        errorReportId: null,
        tiles: [{ kind: 'spo2' as const, state: 'stale' as const, count: 1 }],
        connection: [{ at: toInstant(test.now() - 1_000), is: 'lost' as const }],
        requestIds: ['b5d1'],
      },
    } satisfies Partial<NewReport>;
    const report = await file(stated);
    const { patientId: _, deviceId: __, ...shown } = stated;
    expect(report).toMatchObject({
      ...shown,
      patient: { mrnEnd: '417', identity: { id: patient, mrn: 'MRN-00417' } },
      device: { ...stated.device, id: deviceId, name: 'Monitor 7' },
      // No id of an address is kept.
      context: { ...stated.context, page: '/patient_details' },
      unit: { id: unit, name: 'Ward 4' },
      bed: '7',
      discoveredAt: null,
      reportedAt: toInstant(test.now()),
      alarm: 'none',
    });
    const fifth = (await list()).units.find(({ name }) => name === 'Ward 5');
    await expect(file({ patientId: patient, unitId: fifth?.id ?? 0, bed: '2' })).resolves.toMatchObject({
      unit: fifth,
      bed: '2',
    });
  });

  it('shows who looks after equipment a place and the end of an MRN, no name, no harm and no alert', async () => {
    const alertId = await test.addAlert(site);
    const report = await file({
      patientId: patient,
      kind: 'device',
      harm: { physical: 'severe', psychological: 'low' },
      alertIds: [alertId],
    });
    await change(report, { harm: { physical: 'fatal', psychological: 'low' } });
    const shown = await read(report, technician);
    expect(shown).toMatchObject({
      sight: 'device',
      title: 'The monitor shows no number',
      patient: { mrnEnd: '417', isTrial: false, identity: null },
      bed: '7',
      harm: null,
      alertIds: [],
      mayChange: ['status', 'severity', 'assigneeId', 'externalReference', 'isQuarantined'],
    });
    const text = JSON.stringify([shown, await list('', technician)]);
    expect(text).not.toMatch(/Secret|MRN-00417|severe|fatal/);
    expect((await list(`?patientId=${patient}`, technician)).items).toEqual([]);
  });

  it('shows administrators software alone, without patient, bed, text, harm and alert', async () => {
    const report = await file({
      patientId: patient,
      kind: 'software',
      title: 'Secret shows as Smith',
      whatHappened: 'Secret',
      expected: 'Secret',
      immediateAction: 'Secret',
      harm: { physical: 'severe', psychological: null },
      device: { maker: 'Secret', model: null, serial: null, udi: null, firmware: null, lot: null, isQuarantined: null },
    });
    await say(report, 'Secret again');
    await say(report, 'Ours is known', admin);
    const shown = await read(report, admin);
    expect(shown).toMatchObject({
      sight: 'software',
      title: null,
      patient: null,
      bed: null,
      unit: { name: 'Ward 4' },
      entries: [{ is: 'filed' }, { is: 'comment', text: null }, { is: 'comment', text: 'Ours is known' }],
      mayChange: ['status', 'severity', 'assigneeId', 'externalReference'],
    });
    expect(JSON.stringify([shown, await list('', admin)])).not.toMatch(/Secret|00417|severe/);
    expect((await list('', admin)).items.every(({ kind }) => kind === 'software')).toBe(true);
    await change(shown, { status: 'triaged', assigneeId: admin.userId, externalReference: 'IT-9' }, admin);
    await expect(read(report)).resolves.toMatchObject({
      status: 'triaged',
      assignee: { id: admin.userId },
      externalReference: 'IT-9',
    });
  });

  it('hides a reporter from peers and not from those who manage it', async () => {
    const report = await file({ patientId: patient, isReporterHidden: true });
    await say(report, 'Please look');
    const name = (await read(report)).reporter?.name ?? 'nobody';
    const shown = await read(report, colleague);
    expect(shown).toMatchObject({ reporter: null, entries: [{ by: null }, { by: null, isByReporter: true }] });
    expect(JSON.stringify([shown, (await list('', colleague)).items[0]])).not.toContain(`"${name}"`);
    await expect(read(report, lead)).resolves.toMatchObject({ reporter: { id: nurse.userId, name } });
    await expect(read(report, technician)).resolves.toMatchObject({ reporter: { id: nurse.userId } });
  });

  it('stays its reporter’s own when the patient moves out of their reach, without the patient’s name', async () => {
    const moved = await test.addPatient(site, { familyName: 'Moved', location: { unit: 'Ward 4', bed: '9' } });
    const report = await file({ patientId: moved });
    await move(moved, { unit: 'Ward 5', bed: '9' });
    await expect(read(report)).resolves.toMatchObject({ sight: 'whole', patient: { identity: null } });
    await expect(read(report, elsewhere)).resolves.toMatchObject({ patient: { identity: { id: moved } } });
    expect(codeOf(await colleague.call('GET', `/api/v2/reports/${report.id}`))).toEqual([404, 'not_found']);
  });

  it('says when it came to each status first, who did it, and loses no line when it is opened again', async () => {
    const report = await file({ kind: 'device' });
    const filedAt = test.now();
    test.advance(60_000);
    let now = await change(report, { status: 'triaged', assigneeId: technician.userId });
    test.advance(60_000);
    now = await change(now, { status: 'investigating', isQuarantined: true }, technician);
    test.advance(60_000);
    now = await change(now, { status: 'closed', comment: 'A loose cable' });
    now = await change(now, { status: 'reopened' });
    now = await change(now, { status: 'closed', kind: 'safety' });
    expect(now.reachedAt).toEqual({
      new: toInstant(filedAt),
      triaged: toInstant(filedAt + 60_000),
      investigating: toInstant(filedAt + 120_000),
      actioned: null,
      closed: toInstant(filedAt + 180_000),
      reopened: toInstant(filedAt + 180_000),
    });
    expect((await list()).items.find(({ id }) => id === report.id)?.reachedAt).toEqual(now.reachedAt);
    // A technician manages no incident, and is its assignee no more.
    expect(now.assignee).toBeNull();
    expect(now.entries.map(({ is, from, to }) => [is, from, to])).toEqual([
      ['filed', null, null],
      ['status', 'new', 'triaged'],
      ['assignee', null, expect.stringContaining('Robin')],
      ['status', 'triaged', 'investigating'],
      ['isQuarantined', null, 'true'],
      ['status', 'investigating', 'closed'],
      ['comment', null, null],
      ['status', 'closed', 'reopened'],
      ['status', 'reopened', 'closed'],
      ['kind', 'device', 'safety'],
      ['assignee', expect.stringContaining('Robin'), null],
    ]);
  });

  it('is found by each filter, newest first, page by page', async () => {
    const reporter = await test.signIn(site, 'nurse');
    const first = await file({ kind: 'supply', title: 'No probes' }, reporter);
    test.advance(1_000);
    const second = await file({ kind: 'nearMiss', severity: 'S4', unitId: unit }, reporter);
    await change(first, { status: 'triaged', assigneeId: lead.userId });
    const ids = async (query: string, by = reporter): Promise<number[]> =>
      (await list(`?mine=true${query}`, by)).items.map(({ id }) => id);
    await expect(ids('')).resolves.toEqual([second.id, first.id]);
    await expect(ids('&kind=supply')).resolves.toEqual([first.id]);
    await expect(ids('&severity=S4')).resolves.toEqual([second.id]);
    await expect(ids('&status=triaged')).resolves.toEqual([first.id]);
    await expect(ids('&status=open')).resolves.toEqual([second.id, first.id]);
    await expect(ids(`&unitId=${unit}`)).resolves.toEqual([second.id]);
    await expect(ids(`&assigneeId=${lead.userId}`)).resolves.toEqual([first.id]);
    await expect(ids('&assigneeId=none')).resolves.toEqual([second.id]);
    await expect(ids('&pageSize=1&page=2')).resolves.toEqual([first.id]);
    await expect(ids('', nurse)).resolves.not.toContain(first.id);
    expect((await list('?pageSize=1')).items).toHaveLength(1);
    expect((await list('', nurse)).assignees).toEqual([]);
    expect((await list()).assignees).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: technician.userId, kinds: ['device'] })]),
    );
  });

  it('is in the list of exactly those who can open it, whatever it is about and wherever', async () => {
    const far = await test.addPatient(site, { location: { unit: 'Ward 5', bed: '31' } });
    const nowhere = await test.addPatient(site, { location: null });
    const fifth = (await list()).units.find(({ name }) => name === 'Ward 5')?.id ?? 0;
    const ids: number[] = [];
    for (const kind of ['device', 'software'] as const) {
      for (const place of [
        { unitId: null },
        { unitId: unit },
        { unitId: fifth },
        { unitId: fifth, patientId: patient },
        { unitId: unit, patientId: far },
        { unitId: null, patientId: nowhere },
      ]) {
        ids.push((await file({ kind, ...place }, lead)).id);
      }
      ids.push((await file({ kind, unitId: fifth }, viewer)).id);
    }
    const both = await test.signIn(site, 'nurse', true);
    await test.addUnit(site, 'Ward 5', [both.userId]);
    const seen: number[] = [];
    for (const by of [nurse, elsewhere, lead, technician, viewer, admin, both]) {
      const listed = (await list('?pageSize=100', by)).items.flatMap(({ id }) => (ids.includes(id) ? id : []));
      const opened: number[] = [];
      for (const id of ids) {
        opened.push(...((await by.call('GET', `/api/v2/reports/${id}`)).statusCode === 200 ? [id] : []));
      }
      expect(listed.sort((a, b) => a - b)).toEqual(opened);
      seen.push(opened.length);
    }
    // Of 14: by unit and patient, all, those about devices, their own, those about software, both together.
    expect(seen).toEqual([8, 10, 14, 7, 2, 7, 12]);
  });

  it('is news for its reporter until they have opened what others did, and not what they did themselves', async () => {
    const reporter = await test.signIn(site, 'nurse');
    const report = await file({ kind: 'supply' }, reporter);
    await say(report, 'Two left', reporter);
    await expect(news(reporter)).resolves.toEqual({ items: [], toTriage: 0, assigned: 0 });
    const now = await change(await read(report, lead), { status: 'triaged', comment: 'Ordered' });
    await expect(news(reporter)).resolves.toMatchObject({
      items: [{ id: report.id, status: 'triaged', title: report.title, changes: 2 }],
    });
    expect((await list('?mine=true', reporter)).items).toMatchObject([{ isUnread: true }]);
    const seen = (version: number, by = reporter) => by.call('POST', `/api/v2/reports/${report.id}/read`, { version });
    expect((await seen(now.version, lead)).statusCode).toBe(204);
    await seen(now.version - 1);
    expect((await news(reporter)).items).toHaveLength(1);
    await seen(now.version + 50);
    await expect(news(reporter)).resolves.toEqual({ items: [], toTriage: 0, assigned: 0 });
    await change(now, { status: 'closed' });
    expect((await news(reporter)).items).toMatchObject([{ changes: 1 }]);
  });

  it('waits for those who can triage it, and for its assignee', async () => {
    const before = { lead: await news(lead), technician: await news(technician), admin: await news(admin) };
    const report = await file({ kind: 'device' });
    expect((await news(lead)).toTriage).toBe(before.lead.toTriage + 1);
    expect((await news(technician)).toTriage).toBe(before.technician.toTriage + 1);
    expect((await news(admin)).toTriage).toBe(before.admin.toTriage);
    expect((await news(nurse)).toTriage).toBe(0);
    await change(report, { status: 'triaged', assigneeId: technician.userId });
    await expect(news(technician)).resolves.toMatchObject({
      toTriage: before.technician.toTriage,
      assigned: before.technician.assigned + 1,
    });
  });

  it('is in the audit: each view once, each act with it, and no text', async () => {
    const own = await test.addPatient(site, { location: { unit: 'Ward 4', bed: '12' } });
    const report = await file({ patientId: own, title: 'Unspeakable' });
    await read(report, colleague);
    await read(report, colleague);
    await change(report, { status: 'triaged', comment: 'Unspeakable' });
    await say(report, 'Unspeakable');
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'details'])
      .where('object_id', '=', own)
      .where('action', 'like', '%report%')
      .orderBy('id')
      .execute();
    expect(rows.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['file_report', nurse.userId],
      ['open_report', colleague.userId],
      ['change_report', lead.userId],
      ['comment_report', nurse.userId],
    ]);
    expect(JSON.stringify(rows)).not.toContain('Unspeakable');
    expect(rows[2]?.details).toContain('"fields":["status","comment"]');
  });
});
