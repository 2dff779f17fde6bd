import { randomUUID } from 'node:crypto';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type {
  Handoff,
  HandoffChange,
  HandoffResult,
  OwnHandoffs,
  PatientHandoffs,
  WardHandoff,
} from '../../lib/handoffs/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;

describe.each(apiEngines)('a handoff on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let giver: Caller;
  let receiver: Caller;
  let lead: Caller;
  let patient: number;
  let device: { token: string };

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
    unit = await test.addUnit(site, 'Ward 4');
    device = await test.addDevice(site);
    await test.server.alerts.siteChanged(site);
  });
  beforeEach(async () => {
    giver = await test.signIn(site, 'nurse');
    receiver = await test.signIn(site, 'nurse');
    lead = await test.signIn(site, 'ward_lead');
    patient = await addPatient();
  });
  afterAll(() => test.stop());

  let beds = 0;
  const addPatient = (name = 'Ward 4'): Promise<number> =>
    test.addPatient(site, { location: { unit: name, bed: `${(beds += 1)}` } });

  async function start(by = giver, of = patient): Promise<Handoff> {
    const response = await by.call('POST', '/api/v2/handoffs', { patientIds: [of], authorId: by.userId });
    const [started] = response.json<{ items: { handoff: Handoff | null }[] }>().items;
    if (started === undefined || started.handoff === null) {
      throw new Error(`not started: ${response.body}`);
    }
    return started.handoff;
  }
  const texts = (version: number, change: Partial<HandoffChange> = {}, by = giver): HandoffChange => ({
    version,
    authorId: by.userId,
    severity: 'stable',
    summary: 'Slept well',
    contingencies: [],
    actions: [],
    receiver: { role: 'nurse' },
    isReviewed: true,
    ...change,
  });
  const save = async (handoff: Handoff, change: Partial<HandoffChange> = {}, by = giver): Promise<Handoff> => {
    const response = await by.call('PUT', `/api/v2/handoffs/${handoff.id}`, texts(handoff.version, change, by));
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    return response.json<Handoff>();
  };
  const all = async (
    action: 'give' | 'receive',
    handoffs: readonly Handoff[],
    by: Caller,
  ): Promise<HandoffResult[]> => {
    const ids = handoffs.map(({ id, version }) => ({ id, version }));
    const body =
      action === 'give' ? { ids, authorId: by.userId } : { ids, authorId: by.userId, readBack: 'Stable, nothing open' };
    const response = await by.call('POST', `/api/v2/handoffs/${action}`, body);
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
    return response.json<{ items: HandoffResult[] }>().items;
  };
  const one = async (action: 'give' | 'receive', handoff: Handoff, by: Caller): Promise<Handoff> => {
    const [result] = await all(action, [handoff], by);
    expect(result?.error).toBeNull();
    return result?.handoff ?? handoff;
  };
  const given = async (change: Partial<HandoffChange> = {}): Promise<Handoff> =>
    one('give', await save(await start(), change), giver);
  const codeOf = async (action: 'give' | 'receive', handoff: Handoff, by: Caller): Promise<string | undefined> =>
    (await all(action, [handoff], by))[0]?.error?.code;
  const list = async (by = giver, of = patient): Promise<PatientHandoffs> =>
    (await by.call('GET', `/api/v2/patients/${of}/handoffs`)).json<PatientHandoffs>();
  const act = async (action: string, handoff: Handoff, body: object, by: Caller) => {
    const response = await by.call('POST', `/api/v2/handoffs/${handoff.id}/${action}`, {
      version: handoff.version,
      authorId: by.userId,
      ...body,
    });
    return { status: response.statusCode, body: response.json<Handoff & { error?: { code: string } }>() };
  };
  const audited = async (): Promise<string[]> =>
    (
      await test.store.db.selectFrom('audit').select('action').where('object_id', '=', patient).orderBy('id').execute()
    ).flatMap(({ action }) => (action.includes('handoff') && action !== 'list_handoffs' ? [action] : []));
  /** A HIGH alert of the patient, raised at this moment. */
  async function raise(): Promise<AlertItem> {
    const samples = Array.from({ length: 16 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 86,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(16 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    return await alertOf('spo2');
  }
  async function alertOf(parameter: string): Promise<AlertItem> {
    const found = await findAlert(parameter);
    if (found === undefined) {
      throw new Error(`no alert about ${parameter} is open`);
    }
    return found;
  }
  const findAlert = async (parameter: string): Promise<AlertItem | undefined> => {
    // Sessions lock while the clock moves.
    const reader = await test.signIn(site, 'physician');
    const { items } = (await reader.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    return items.find((item) => item.parameter === parameter);
  };
  const take = async (by: Caller, { id, version }: AlertItem): Promise<void> => {
    expect((await by.call('POST', '/api/v2/alerts/take', { alerts: [{ id, version }] })).statusCode).toBe(200);
  };

  it.each([
    ['severity', { severity: 'dying' }],
    ['summary', { summary: 'x'.repeat(4_001) }],
    // PostgreSQL stores no NUL, and SQLite something else than half a character.
    ['summary', { summary: 'a\0b' }],
    ['summary', { summary: 'half \ud83d' }],
    ['contingencies.0.action', { contingencies: [{ condition: 'SpO2 < 88', action: '' }] }],
    ['actions.0.dueAt', { actions: [{ text: 'Weigh', owner: null, dueAt: 'soon' }] }],
    ['receiver', { receiver: { role: 'porter' } }],
  ])('is refused with a wrong %s', async (field, change) => {
    const { id, version } = await start();
    const response = await giver.call('PUT', `/api/v2/handoffs/${id}`, { ...texts(version), ...change });
    expect(response.statusCode).toBe(422);
    expect(Object.keys(response.json<{ error: { fields: object } }>().error.fields)).toEqual([field]);
  });

  it('to a user of another site, and from a page of another user, is refused', async () => {
    const stranger = await test.signIn(await test.addSite(), 'nurse');
    const { id, version } = await start();
    const response = await giver.call('PUT', `/api/v2/handoffs/${id}`, {
      ...texts(version),
      receiver: { userId: stranger.userId },
    });
    expect([response.statusCode, response.json()]).toMatchObject([422, { error: { fields: { receiver: {} } } }]);
    const other = await giver.call('POST', '/api/v2/handoffs', { patientIds: [patient], authorId: receiver.userId });
    expect(other.json()).toMatchObject({ error: { code: 'another_user' } });
    const typedBefore = await receiver.call('PUT', `/api/v2/handoffs/${id}`, texts(version, {}, giver));
    expect(typedBefore.json()).toMatchObject({ error: { code: 'another_user' } });
  });

  it('of a patient in another unit or site is not there', async () => {
    const handoff = await given();
    const colleague = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'Ward 5', [colleague.userId]);
    const stranger = await test.signIn(await test.addSite(), 'physician');
    for (const caller of [colleague, stranger]) {
      expect((await caller.call('GET', `/api/v2/patients/${patient}/handoffs`)).statusCode).toBe(404);
      await expect(act('return', handoff, { question: 'Why?' }, caller)).resolves.toMatchObject({ status: 404 });
      await expect(codeOf('receive', handoff, caller)).resolves.toBe('not_found');
      const items = (await caller.call('GET', '/api/v2/handoffs')).json<{ items: WardHandoff[] }>().items;
      expect(items.map((item) => item.patient.id)).not.toContain(patient);
    }
  });

  it('is not given without a severity, an if-then for a watcher, or with an unconfirmed text', async () => {
    const bare = await save(await start(), { severity: null });
    const [refused] = await all('give', [bare], giver);
    expect(refused?.error).toMatchObject({ code: 'invalid', fields: { severity: 'is needed' } });
    const watched = await save(bare, { severity: 'watcher' });
    await expect(codeOf('give', watched, giver)).resolves.toBe('invalid');
    const first = await one('give', await save(watched), giver);
    await one('receive', first, receiver);
    const next = await start(receiver);
    expect(next).toMatchObject({
      summary: 'Slept well',
      severity: null,
      carriedFrom: { id: first.id },
      reviewedAt: null,
    });
    const unread = await save(next, { isReviewed: false }, receiver);
    expect((await all('give', [unread], receiver))[0]?.error?.fields).toHaveProperty('summary');
    await expect(audited()).resolves.toEqual(['give_handoff', 'receive_handoff']);
  });

  it('is saved only for the state that its writer saw, and is one for two who start it at once', async () => {
    const [mine, yours] = await Promise.all([start(giver), start(receiver)]);
    expect(yours.id).toBe(mine.id);
    await save(mine);
    const late = await receiver.call('PUT', `/api/v2/handoffs/${mine.id}`, texts(mine.version, {}, receiver));
    expect([late.statusCode, late.json()]).toMatchObject([409, { error: { code: 'handoff_changed', id: mine.id } }]);
    expect((await list()).items).toMatchObject([{ summary: 'Slept well', version: 2 }]);
  });

  it('is given once and received once, by another user, whatever is sent again', async () => {
    const draft = await save(await start());
    const first = await one('give', draft, giver);
    await expect(one('give', draft, giver)).resolves.toMatchObject({ version: first.version });
    await expect(codeOf('receive', first, giver)).resolves.toBe('own_handoff');
    await expect(codeOf('give', first, receiver)).resolves.toBe('handoff_given');
    const received = await one('receive', first, receiver);
    await expect(one('receive', first, receiver)).resolves.toMatchObject({ version: received.version });
    await expect(codeOf('receive', first, lead)).resolves.toBe('handoff_received');
    expect(received).toMatchObject({
      state: 'received',
      readBack: 'Stable, nothing open',
      receivedBy: { id: receiver.userId },
      giver: { id: giver.userId },
    });
    await expect(audited()).resolves.toEqual(['give_handoff', 'receive_handoff']);
  });

  it('that is returned with a question is given again; a newer one supersedes what was received', async () => {
    const first = await given();
    const back = await act('return', first, { question: 'Which leg?' }, receiver);
    expect(back).toMatchObject({ status: 200, body: { state: 'returned', question: 'Which leg?' } });
    await expect(act('return', back.body, { question: 'Why?' }, receiver)).resolves.toMatchObject({ status: 409 });
    const again = await one('give', await save(back.body, { summary: 'Left leg' }), giver);
    await one('receive', again, receiver);
    const next = await one('give', await save(await start(receiver), {}, receiver), receiver);
    await one('receive', next, giver);
    expect((await list()).items.map(({ state }) => state)).toEqual(['received', 'superseded']);
  });

  it('is withdrawn by its giver or a ward lead alone, and never after it was received', async () => {
    const first = await given();
    await expect(act('withdraw', first, {}, receiver)).resolves.toMatchObject({
      status: 403,
      body: { error: { code: 'not_giver' } },
    });
    await expect(act('withdraw', first, {}, lead)).resolves.toMatchObject({ body: { state: 'withdrawn' } });
    await expect(codeOf('receive', first, receiver)).resolves.toBe('handoff_withdrawn');
    const second = await one('receive', await given(), receiver);
    await expect(act('withdraw', second, {}, giver)).resolves.toMatchObject({
      status: 409,
      body: { error: { code: 'handoff_received' } },
    });
  });

  it('gives each of several a result of its own', async () => {
    const other = await addPatient();
    const [ready, bare] = [await save(await start()), await start(giver, other)];
    const results = await all('give', [bare, ready], giver);
    expect(results.map(({ id, handoff, error }) => [id, handoff?.state, error?.code])).toEqual([
      [bare.id, undefined, 'invalid'],
      [ready.id, 'given', undefined],
    ]);
  });

  it('says the chart’s code status and allergies, and nothing in their place if no one recorded them', async () => {
    const draft = await start();
    expect(draft.facts).toMatchObject({ codeStatus: null, allergies: null });
    const physician = await test.signIn(site, 'physician');
    const entry = { authorId: physician.userId, version: 1, source: 'The patient', effectiveAt: toInstant(test.now()) };
    const add = (section: string, value: object) =>
      physician.call('POST', `/api/v2/patients/${patient}/chart/${section}`, {
        ...entry,
        clientId: randomUUID(),
        value,
      });
    await add('codeStatus', { status: 'noCpr', limits: null });
    await add('allergies', { is: 'allergy', substance: 'Penicillin', reaction: 'rash', severity: 'severe' });
    const handoff = await one('give', await save(draft), giver);
    expect(handoff.facts).toMatchObject({
      codeStatus: 'No CPR (The patient, 01 May 2026)',
      allergies: 'Penicillin: rash (severe)',
    });
  });

  it('names what is not done until it is, over the handoffs that follow', async () => {
    const dueAt = toInstant(test.now() + 60 * minute);
    const weigh = { text: 'Weigh', owner: { userId: receiver.userId }, dueAt };
    const first = await given({ actions: [weigh, { text: 'Call the son', owner: { role: 'nurse' }, dueAt: null }] });
    await one('receive', first, receiver);
    const draft = await start(receiver);
    expect(draft.actions).toEqual([]);
    expect(draft.facts?.tasks).toMatchObject([{ text: 'Weigh', dueAt }, { text: 'Call the son' }]);
    const [task] = draft.facts?.tasks ?? [];
    const done = `/api/v2/handoffs/actions/${task?.id}/done`;
    expect((await receiver.call('POST', done, { isDone: true, authorId: receiver.userId })).statusCode).toBe(204);
    await one('receive', await one('give', await save(draft, {}, receiver), receiver), giver);
    const { items, openActions } = await list();
    expect(openActions.map(({ text }) => text)).toEqual(['Call the son']);
    expect(items.at(-1)?.actions).toMatchObject([{ text: 'Weigh', doneBy: { id: receiver.userId } }, { doneAt: null }]);
  });

  it('is among what waits for whom it is for, and its actions stay with their owner until they are done', async () => {
    const own = async (by: Caller): Promise<OwnHandoffs> =>
      (await by.call('GET', '/api/v2/handoffs/own')).json<OwnHandoffs>();
    const of = ({ actions }: OwnHandoffs) =>
      actions.flatMap(({ patientId, text }) => (patientId === patient ? [text] : []));
    const before = (await own(receiver)).waiting;
    const dueAt = toInstant(test.now() + 60 * minute);
    const first = await given({
      receiver: { userId: receiver.userId },
      actions: [
        { text: 'Call the son', owner: { role: 'nurse' }, dueAt: null },
        { text: 'Weigh', owner: { userId: receiver.userId }, dueAt },
        { text: 'Ask the physician', owner: null, dueAt: null },
      ],
    });
    expect([(await own(receiver)).waiting - before, of(await own(giver)), of(await own(lead))]).toEqual([1, [], []]);
    expect(of(await own(receiver))).toEqual(['Weigh']);
    // The receiver becomes the patient’s nurse.
    await one('receive', first, receiver);
    const mine = await own(receiver);
    expect([mine.waiting - before, of(mine)]).toEqual([0, ['Weigh', 'Call the son']]);
    const weigh = mine.actions.find(({ text }) => text === 'Weigh');
    await receiver.call('POST', `/api/v2/handoffs/actions/${weigh?.id}/done`, {
      isDone: true,
      authorId: receiver.userId,
    });
    expect(of(await own(receiver))).toEqual(['Call the son']);
    await test.addUnit(site, `Ward ${(beds += 100)}`, [receiver.userId]);
    expect(of(await own(receiver))).toEqual([]);
  });

  it('that was returned is not saved over what was done meanwhile, and keeps the ids of its actions', async () => {
    const actions = [{ text: 'Weigh', owner: { userId: receiver.userId }, dueAt: null }];
    const first = await given({ actions });
    const back = await act('return', first, { question: 'Which leg?' }, receiver);
    const saved = await save(back.body, { actions, summary: 'Left leg' });
    const [weigh] = saved.actions;
    expect(weigh?.id).toBe(first.actions[0]?.id);
    const done = `/api/v2/handoffs/actions/${weigh?.id}/done`;
    const foreign = await receiver.call('POST', done, { isDone: true, authorId: giver.userId });
    expect(foreign.json()).toMatchObject({ error: { code: 'another_user' } });
    expect((await receiver.call('POST', done, { isDone: true, authorId: receiver.userId })).statusCode).toBe(204);
    const late = await giver.call('PUT', `/api/v2/handoffs/${first.id}`, texts(saved.version, { actions }));
    expect([late.statusCode, late.json()]).toMatchObject([409, { error: { code: 'handoff_changed' } }]);
    expect((await list()).openActions).toEqual([]);
  });

  it('moves the owner of the giver’s alerts and the place of the nurse at received, not at given', async () => {
    const alert = await raise();
    await take(giver, alert);
    const handoff = await given({ severity: 'watcher', contingencies: [{ condition: 'SpO2 < 85', action: 'call' }] });
    expect(handoff.facts?.alerts).toMatchObject([{ id: alert.id, closedAt: null }]);
    expect(handoff.facts?.values).toMatchObject([{ kind: 'spo2', value: 86 }]);
    expect((await alertOf('spo2')).accepted?.by.id).toBe(giver.userId);
    await one('receive', handoff, receiver);
    await expect(alertOf('spo2')).resolves.toMatchObject({
      accepted: { by: { id: receiver.userId } },
      acknowledged: { by: { id: giver.userId } },
    });
    const { patients } = (await lead.call('GET', `/api/v2/assignments?unit=${unit}`)).json<{
      patients: { id: number; holders: { nurse: { userId: number } | null } }[];
    }>();
    expect(patients.find(({ id }) => id === patient)?.holders.nurse?.userId).toBe(receiver.userId);
    await test.restart();
    expect((await alertOf('spo2')).accepted?.by.id).toBe(receiver.userId);
  });

  it('leaves another user’s alert, and one that no one has, where they are', async () => {
    const alert = await raise();
    await take(lead, alert);
    await one('receive', await given(), receiver);
    expect((await alertOf('spo2')).accepted?.by.id).toBe(lead.userId);
  });

  it('that no one receives for 30 min asks the ward lead, over a step of the clock and a restart', async () => {
    const handoff = await given();
    test.advance(29 * minute);
    await test.server.alerts.evaluateClock();
    await expect(findAlert('handoff')).resolves.toBeUndefined();
    test.setWallClock(60 * minute);
    await test.server.clockWatch.check();
    await test.server.alerts.evaluateClock();
    await expect(findAlert('handoff')).resolves.toBeUndefined();
    await test.restart();
    test.advance(minute);
    await test.server.alerts.evaluateClock();
    const alert = await alertOf('handoff');
    expect(alert).toMatchObject({ priority: 'low', rule: 'handoff.unreceived' });
    expect(alert.escalation.asked).toMatchObject([{ roles: ['ward_lead'] }]);
    await one('receive', handoff, await test.signIn(site, 'nurse'));
    expect((await findAlert('handoff'))?.condition ?? 'ended').toBe('ended');
  });

  it('goes on waiting while its giver has a question to answer', async () => {
    const handoff = await given();
    test.advance(29 * minute);
    await act('return', handoff, { question: 'Which leg?' }, receiver);
    test.advance(minute);
    await test.server.alerts.evaluateClock();
    await expect(alertOf('handoff')).resolves.toMatchObject({ rule: 'handoff.unreceived' });
  });

  it('is in the ward’s list, the most ill first, with its facts for paper', async () => {
    const ward = `Ward ${(beds += 100)}`;
    const unit = await test.addUnit(site, ward);
    const [stable, unstable, none] = [await addPatient(ward), await addPatient(ward), await addPatient(ward)];
    const then = [{ condition: 'SpO2 < 88', action: 'call' }];
    await one('give', await save(await start(giver, stable)), giver);
    await one('give', await save(await start(giver, unstable), { severity: 'unstable', contingencies: then }), giver);
    const address = `/api/v2/handoffs?unit=${unit}`;
    const { items } = (await lead.call('GET', address)).json<{ items: WardHandoff[] }>();
    expect(items.map((item) => [item.patient.id, item.severity, item.given?.facts])).toEqual([
      [unstable, 'unstable', null],
      [stable, 'stable', null],
      [none, null, undefined],
    ]);
    const printed = (await lead.call('GET', `${address}&facts=true`)).json<{ items: WardHandoff[] }>();
    expect(printed.items[0]?.given?.facts?.patient).toMatchObject({ unit: ward });
  });
});
