import { randomUUID } from 'node:crypto';
import type { AlertsPage } from '../../lib/alerts/schema';
import { mostFollowed, type FollowedPatient } from '../../lib/follows/schema';
import type { Handoff } from '../../lib/handoffs/schema';
import type { Note } from '../../lib/notes/schema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const second = 1_000;
const hour = 3_600_000;

describe.each(apiEngines)('a followed patient on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let device: { token: string };
  let follower: Caller;
  let colleague: Caller;
  let patient: number;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
    site = await test.addSite();
    await test.startRules(site);
    await test.addUnit(site, 'East');
    device = await test.addDevice(site);
    await test.server.alerts.siteChanged(site);
  });
  beforeEach(async () => {
    colleague = await test.signIn(site, 'physician');
    follower = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'West', [follower.userId]);
    patient = await addPatient();
  });
  afterAll(() => test.stop());

  let beds = 0;
  const addPatient = (): Promise<number> =>
    test.addPatient(site, { location: { unit: 'West', bed: `${(beds += 1)}` } });
  const send = async (method: 'PUT' | 'DELETE', by = follower, of = patient): Promise<number> =>
    (await by.call(method, `/api/v2/patients/${of}/follow`)).statusCode;
  const follow = async (by = follower, of = patient): Promise<void> => {
    await expect(send('PUT', by, of)).resolves.toBe(204);
  };
  const see = async (body: object, by = follower): Promise<number> =>
    (await by.call('POST', `/api/v2/patients/${patient}/follow/seen`, body)).statusCode;
  const followed = async (by = follower): Promise<FollowedPatient[]> => {
    const response = await by.call('GET', '/api/v2/patients/followed');
    expect(response.statusCode).toBe(200);
    return response.json<{ items: FollowedPatient[] }>().items;
  };
  const news = async (by = follower): Promise<FollowedPatient | undefined> =>
    (await followed(by)).find(({ patientId }) => patientId === patient);
  const nothing = (of = patient) => ({ patientId: of, notes: null, alerts: null, handoff: null });
  const change = async (body: object): Promise<void> => {
    const version = test.server.liveState.patients.get(patient)?.version;
    const response = await colleague.call('PATCH', `/api/v2/patients/${patient}`, { version, ...body });
    expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
  };

  const sign = async (by = colleague): Promise<Note> => {
    const body = { clientId: randomUUID(), authorId: by.userId, type: 'nursing', text: 'Slept well' };
    const draft = (await by.call('POST', `/api/v2/patients/${patient}/notes`, body)).json<Note>();
    return (await by.call('POST', `/api/v2/notes/${draft.id}/sign`, { version: draft.version })).json<Note>();
  };
  /** A HIGH alert of the patient, raised at this moment. Resolves with its id. */
  async function raise(kind = 'spo2', value = 86): Promise<number> {
    const samples = Array.from({ length: 17 }, (_, place) => ({
      patientId: patient,
      kind,
      value,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(17 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    const { items } = (await colleague.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    return Math.max(...items.map(({ id }) => id));
  }
  /** Writes and gives a handoff; `by` answers with its version. */
  async function give(by = colleague): Promise<Handoff> {
    const authorId = by.userId;
    const started = (await by.call('POST', '/api/v2/handoffs', { patientIds: [patient], authorId })).json<{
      items: { handoff: Handoff }[];
    }>().items[0]?.handoff;
    const texts = { severity: 'stable', summary: 'Slept well', contingencies: [], actions: [] };
    const saved = (
      await by.call('PUT', `/api/v2/handoffs/${started?.id}`, {
        ...texts,
        version: started?.version,
        authorId,
        receiver: { role: 'nurse' },
        isReviewed: true,
      })
    ).json<Handoff>();
    return answer('give', saved, by);
  }
  async function answer(action: 'give' | 'receive', { id, version }: Handoff, by: Caller): Promise<Handoff> {
    const body = { ids: [{ id, version }], authorId: by.userId, ...(action === 'give' ? {} : { readBack: 'Stable' }) };
    const { items } = (await by.call('POST', `/api/v2/handoffs/${action}`, body)).json<{
      items: { handoff: Handoff | null }[];
    }>();
    const [result] = items;
    if (result === undefined || result.handoff === null) {
      throw new Error(`no ${action}`);
    }
    return result.handoff;
  }
  const returned = async ({ id, version }: Handoff, by: Caller): Promise<void> => {
    const body = { version, authorId: by.userId, question: 'Which leg?' };
    expect((await by.call('POST', `/api/v2/handoffs/${id}/return`, body)).statusCode).toBe(200);
  };

  it('of another unit or a discharged one is refused', async () => {
    await change({ location: { unit: 'East', bed: `${(beds += 1)}` } });
    expect([await send('PUT'), await send('DELETE'), await see({})]).toEqual([404, 404, 404]);
    await change({ state: 'discharged' });
    await expect(send('PUT', colleague)).resolves.toBe(409);
    await expect(followed()).resolves.toEqual([]);
  });

  it.each([{ alertId: 0 }, { handoff: { id: 1, result: 'withdrawn' } }, { seenAt: '2026-05-01T10:00:00Z' }])(
    'is not seen by %j',
    async (body) => {
      await expect(see(body)).resolves.toBe(422);
    },
  );

  it('is one of at most fifty', async () => {
    const caller = await test.signIn(site, 'physician');
    for (let count = 0; count < mostFollowed; count += 1) {
      await follow(caller, await addPatient());
    }
    await expect(send('PUT', caller)).resolves.toBe(409);
    await expect(followed(caller)).resolves.toHaveLength(mostFollowed);
  });

  it('is none of the fifty while discharged or out of reach, and can be given up all the same', async () => {
    const [discharged, moved] = [patient, await addPatient()];
    await follow();
    await follow(follower, moved);
    const others = await Promise.all(Array.from({ length: mostFollowed - 2 }, addPatient));
    for (const other of others) {
      await follow(follower, other);
    }
    await expect(send('PUT', follower, await addPatient())).resolves.toBe(409);
    await change({ state: 'discharged' });
    patient = moved;
    await change({ location: { unit: 'East', bed: `${(beds += 1)}` } });
    await follow(follower, await addPatient());
    await follow(follower, await addPatient());
    await expect(send('PUT', follower, await addPatient())).resolves.toBe(409);
    expect([await send('DELETE', follower, discharged), await send('DELETE', follower, moved)]).toEqual([204, 204]);
    await change({ location: { unit: 'West', bed: `${(beds += 1)}` } });
    expect((await followed()).map(({ patientId }) => patientId)).not.toContain(moved);
  });

  it('is the follower’s own, once, until they stop', async () => {
    await Promise.all([follow(), follow()]);
    await expect(followed()).resolves.toEqual([nothing()]);
    await expect(followed(colleague)).resolves.toEqual([]);
    expect([await send('DELETE'), await send('DELETE')]).toEqual([204, 204]);
    await expect(followed()).resolves.toEqual([]);
  });

  it('is followed from now on: what was there before is no news', async () => {
    await sign();
    await raise();
    await answer('receive', await give(), await test.signIn(site, 'nurse'));
    test.advance(second);
    await follow();
    await expect(news()).resolves.toEqual(nothing());
  });

  it('shows notes that others sign until they are read, and not the follower’s own', async () => {
    await follow();
    await sign(follower);
    await expect(news()).resolves.toEqual(nothing());
    test.advance(second);
    const note = await sign();
    await expect(news()).resolves.toMatchObject({ notes: { count: 1, at: toInstant(test.now()) } });
    await follower.call('POST', `/api/v2/notes/${note.id}/read`, { version: note.version });
    await expect(news()).resolves.toEqual(nothing());
  });

  it('shows alerts until they are seen, and no newer one as seen', async () => {
    await follow();
    const first = await raise();
    await expect(news()).resolves.toMatchObject({ alerts: { count: 1, at: toInstant(test.now()), lastId: first } });
    // Of another patient, and of one who does not follow.
    const another = await test.addAlert(site);
    await see({ alertId: another });
    await see({ alertId: first }, colleague);
    expect((await news())?.alerts?.count).toBe(1);
    const later = await raise('heartRate', 30);
    expect(later).toBeGreaterThan(first);
    await see({ alertId: first });
    const after = (await news())?.alerts;
    expect(after?.lastId).toBe(later);
    await see({ alertId: later });
    await see({ alertId: first });
    await follow();
    expect((await news())?.alerts).toBeNull();
  });

  it('shows what became of a handoff, the last result, and not what the follower did', async () => {
    await follow();
    const given = await give();
    const { id } = given;
    const at = toInstant(test.now());
    await expect(news()).resolves.toMatchObject({ handoff: { id, result: 'given', at } });
    await see({ handoff: { id, result: 'given' } });
    expect((await news())?.handoff).toBeNull();
    test.advance(second);
    const receiver = await test.signIn(site, 'nurse');
    await returned(given, receiver);
    await see({ handoff: { id, result: 'given' } });
    const returnedAt = toInstant(test.now());
    await expect(news()).resolves.toMatchObject({ handoff: { id, result: 'returned', at: returnedAt } });
    test.setWallClock(hour);
    await test.server.clockWatch.check();
    expect((await news())?.handoff?.at).toBe(toInstant(test.now()));
    const again = await answer('give', { ...given, version: given.version + 1 }, colleague);
    await answer('receive', again, follower);
    expect((await news())?.handoff).toBeNull();
  });

  it('shows nothing to one who may not see the patient any more, and is there again with the right', async () => {
    await follow();
    await sign();
    await change({ location: { unit: 'East', bed: `${(beds += 1)}` } });
    await expect(followed()).resolves.toEqual([]);
    await change({ location: { unit: 'West', bed: `${(beds += 1)}` } });
    await expect(news()).resolves.toMatchObject({ notes: { count: 1 } });
    await test.store.db.updateTable('users').set({ type: 'viewer' }).where('id', '=', follower.userId).execute();
    await test.server.sessions.reload([follower.userId]);
    expect((await follower.call('GET', '/api/v2/patients/followed')).statusCode).toBe(403);
    await test.store.db.updateTable('users').set({ type: 'nurse' }).where('id', '=', follower.userId).execute();
    await test.server.sessions.reload([follower.userId]);
    await change({ state: 'discharged' });
    await expect(followed()).resolves.toEqual([]);
  });

  it('comes before those with older news, and those without any last', async () => {
    const [older, quiet] = [patient, await addPatient()];
    await follow();
    await follow(follower, quiet);
    await sign();
    test.advance(second);
    patient = await addPatient();
    await follow();
    await sign();
    expect((await followed()).map(({ patientId }) => patientId)).toEqual([patient, older, quiet]);
  });
});
