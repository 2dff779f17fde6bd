import { randomUUID } from 'node:crypto';
import type { AlertsPage } from '../../lib/alerts/schema';
import { type FollowedPatient, mostFollowed } from '../../lib/follows/schema';
import type { Handoff } from '../../lib/handoffs/schema';
import type { Note } from '../../lib/notes/schema';
import type { Patient, PatientAlert, PatientsPage } from '../../lib/patients/schema';
import { reachOf } from '../../lib/session/permissions';
import { userTypes } from '../../lib/session/userTypes';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { refuseCommits } from '../../test/refuseCommits';
import { setPatientLimits } from '../../test/setPatientLimits';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';

describe('listedAlerts', () => {
  const url = '/api/v2/patients';

  it('everyone who reads patients reads their alerts, equally far', () => {
    for (const type of userTypes) {
      const reach = reachOf({ type, isAdmin: false }, 'readPatients');
      expect([type, reach === null ? null : reachOf({ type, isAdmin: false }, 'readAlerts')]).toEqual([type, reach]);
    }
  });

  describe.each(apiEngines)('the alerts in a list of patients on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    let token: string;
    /** In beds 1 to 4 of the unit East. */
    let ids: number[];

    beforeAll(async () => {
      test = await restartableTestServer(engine);
    });
    beforeEach(async () => {
      site = await test.addSite();
      await test.startRules(site);
      ({ token } = await test.addDevice(site));
      ids = [];
      // The names are in another order than the beds.
      for (const [bed, familyName] of ['Yew', 'Oak', 'Elm', 'Ash'].entries()) {
        ids.push(await test.addPatient(site, { familyName, location: { unit: 'East', bed: String(bed + 1) } }));
      }
      test.advance(3_600_000);
      nurse = await test.signIn(site, 'nurse');
      await feed(97, ids, 2);
    });

    /** Sends a value a second of each patient, and lets the time pass. */
    async function feed(value: number, patients: readonly number[], seconds: number, kind = 'spo2'): Promise<void> {
      const samples = Array.from({ length: seconds }, (_, place) =>
        patients.map((patientId) => ({
          ...{ patientId, kind, value, quality: 'good' },
          takenAt: toInstant(test.now() + place * 1_000),
        })),
      ).flat();
      test.advance(seconds * 1_000);
      const answer = await test.ingest(token, samples, { sentAt: toInstant(test.now()) });
      expect(answer.json()).toMatchObject({ accepted: samples.length });
    }
    const page = async (query = '', who = nurse): Promise<PatientsPage> =>
      (await who.call('GET', `${url}${query}`)).json<PatientsPage>();
    const names = async (query: string): Promise<string> =>
      (await page(query)).items.map(({ familyName }) => familyName).join(' ');
    const alertsOf = async (id: number): Promise<PatientAlert[]> =>
      (await page()).items.find((patient) => patient.id === id)?.alerts ?? [];
    const [at, first] = [(place: number): number => ids[place] ?? 0, (): number => at(0)];
    const act = async (id: number, name: string): Promise<void> => {
      const open = (await nurse.call('GET', '/api/v2/alerts?pageSize=500')).json<AlertsPage>().items;
      const version = open.find((alert) => alert.id === id)?.version;
      expect((await nurse.call('POST', `/api/v2/alerts/${id}/${name}`, { version })).statusCode).toBe(200);
      // A list is rebuilt for alerts at most four times a second.
      test.advance(250);
    };

    it.each([
      '?ids=',
      '?ids=0',
      '?ids=1,',
      '?ids=1,x',
      '?ids=-1',
      `?ids=${Array.from({ length: 501 }, (_, index) => index + 1).join()}`,
      '?attention=1',
      '?sort=alert',
    ])('refuse %s', async (query) => {
      expect((await nurse.call('GET', `${url}${query}`)).statusCode).toBe(400);
    });

    it('are none without alerts', async () => {
      expect((await page()).items.map(({ alerts }) => alerts)).toEqual([[], [], [], []]);
    });

    it('are never of a sample whose commit failed', async () => {
      const allowCommits = await refuseCommits(test.store);
      const takenAt = toInstant(test.now());
      const samples = [first(), first()].map((patientId, place) => ({
        ...{ patientId, kind: 'spo2', value: 70, quality: 'good' },
        takenAt: toInstant(test.now() + place * 1_000),
      }));
      const { statusCode } = await test.ingest(token, samples, { sentAt: takenAt });
      await allowCommits();
      expect(statusCode).toBe(500);
      test.advance(1_000);
      await expect(alertsOf(first())).resolves.toEqual([]);
    });

    it('come with the value that raised them, and with everything that people do about them', async () => {
      await feed(70, [first()], 3);
      const raised = (await page()).items.find(({ id }) => id === first());
      expect(raised?.latest.spo2?.value).toBe(70);
      const [alert, ...others] = raised?.alerts ?? [];
      expect(others).toEqual([]);
      expect(alert).toEqual({
        id: expect.any(Number) as unknown,
        parameter: 'spo2',
        priority: 'high',
        side: 'low',
        calm: { above: 93, below: null },
        condition: 'active',
        acknowledged: false,
        owner: null,
        raisedAt: toInstant(test.now()),
        confirmBy: null,
      });
      const id = alert?.id ?? 0;
      await act(id, 'acknowledge');
      await expect(alertsOf(first())).resolves.toMatchObject([{ id, acknowledged: true, owner: null }]);
      await act(id, 'accept');
      await test.server.alerts.evaluateClock();
      await expect(alertsOf(first())).resolves.toMatchObject([{ id, acknowledged: true, owner: 'RE' }]);
      await feed(97, [first()], 60);
      await expect(alertsOf(first())).resolves.toEqual([]);
    });

    it('say between which values no rule holds by the limits of now', async () => {
      await feed(70, [first()], 3);
      const wanted = { rule: 'spo2.mild', values: { low: 92 }, reason: 'As we agreed' };
      expect((await setPatientLimits(nurse, first(), wanted)).statusCode).toBe(200);
      await test.server.alerts.evaluateClock();
      await expect(alertsOf(first())).resolves.toMatchObject([{ calm: { above: 92, below: null } }]);
    });

    it('stay, with who has them, over a restart', async () => {
      await feed(70, [first()], 3);
      const [alert] = await alertsOf(first());
      await act(alert?.id ?? 0, 'accept');
      await test.restart();
      await expect(alertsOf(first())).resolves.toMatchObject([{ id: alert?.id, owner: 'RE' }]);
    });

    it('that ended unseen stay until someone acknowledges them', async () => {
      await feed(70, [first()], 3);
      await feed(97, [first()], 60);
      const [alert] = await alertsOf(first());
      expect(alert).toMatchObject({ condition: 'ended', acknowledged: false, side: 'low' });
      await act(alert?.id ?? 0, 'acknowledge');
      await expect(alertsOf(first())).resolves.toEqual([]);
    });

    it('change the version of the list although no value is new', async () => {
      await feed(70, [first()], 3);
      const { version, items } = await page();
      await act(items.find(({ id }) => id === first())?.alerts[0]?.id ?? 0, 'acknowledge');
      const after = await page(`?after=${version}`);
      expect(after).not.toHaveProperty('unchanged');
      expect(after.version).not.toBe(version);
    });

    it('are in the response of one patient, of a change and of a search as well', async () => {
      await feed(70, [first()], 3);
      const [alert] = await alertsOf(first());
      expect((await nurse.call('GET', `${url}/${first()}`)).json<Patient>().alerts).toEqual([alert]);
      const patch = { version: 1, givenName: 'Max' };
      expect((await nurse.call('PATCH', `${url}/${first()}`, patch)).json<Patient>().alerts).toEqual([alert]);
      const found = await nurse.call('POST', `${url}/search`, { text: 'yew' });
      expect(found.json<PatientsPage>().items.map(({ alerts }) => alerts)).toEqual([[alert]]);
    });

    describe('sort the list', () => {
      it('by place without any', async () => {
        await expect(names('?sort=-alert')).resolves.toBe('Yew Oak Elm Ash');
      });

      it('the most urgent one first, over all pages, then the others by place', async () => {
        // HIGH by 70 %, then HIGH by 86 %: the worse rule first, whenever it was raised.
        await feed(70, [at(3)], 3);
        await feed(86, [at(2)], 17);
        await expect(names('?sort=-alert')).resolves.toBe('Ash Elm Yew Oak');
        await expect(names('?sort=-alert&pageSize=2')).resolves.toBe('Ash Elm');
        await expect(names('?sort=-alert&pageSize=2&page=2')).resolves.toBe('Yew Oak');
        const search = await nurse.call('POST', `${url}/search`, { text: '', sort: '-alert' });
        expect(search.json<PatientsPage>().items.map(({ familyName }) => familyName)).toEqual([
          'Ash',
          'Elm',
          'Yew',
          'Oak',
        ]);
      });

      it('those first whom no one has accepted', async () => {
        await feed(70, [at(3)], 3);
        await feed(86, [at(2)], 17);
        const [worst] = await alertsOf(at(3));
        await act(worst?.id ?? 0, 'accept');
        await expect(names('?sort=-alert')).resolves.toBe('Elm Ash Yew Oak');
      });
    });

    describe('are what needs attention', () => {
      const needing = async (who = nurse): Promise<string> =>
        (await page('?attention=true&sort=location', who)).items.map(({ familyName }) => familyName).join(' ');

      it('and no one else does', async () => {
        await expect(needing()).resolves.toBe('');
        await feed(70, [at(1)], 3);
        await expect(needing()).resolves.toBe('Oak');
        const search = await nurse.call('POST', `${url}/search`, { text: '', attention: true });
        expect(search.json<PatientsPage>()).toMatchObject({ total: 1, items: [{ familyName: 'Oak' }] });
      });

      it('and so does a value that stops, once it is withdrawn, although nothing new arrives', async () => {
        await feed(97, [at(0), at(1), at(2)], 10);
        const { version } = await page('?attention=true');
        test.advance(48_000);
        await expect(needing()).resolves.toBe('');
        test.advance(2_000);
        await expect(needing()).resolves.toBe('Ash');
        const later = await page(`?attention=true&after=${version}`);
        expect(later).not.toHaveProperty('unchanged');
      });

      it('but not a silence in standby, until that ends', async () => {
        const begun = await nurse.call('POST', `${url}/${at(3)}/standby`, { minutes: 3, reason: 'a scan' });
        expect(begun.statusCode).toBeLessThan(300);
        test.advance(90_000);
        await feed(97, [at(0), at(1), at(2)], 2);
        await expect(needing()).resolves.toBe('');
        test.advance(100_000);
        await feed(97, [at(0), at(1), at(2)], 2);
        await expect(needing()).resolves.toBe('Ash');
      });
    });

    describe('by ids', () => {
      it('are of no patient out of reach', async () => {
        const elsewhere = await test.addPatient(await test.addSite());
        const west = await test.addUnit(site, 'West');
        const limited = await test.signIn(site, 'nurse');
        await test.store.db.insertInto('user_units').values({ user_id: limited.userId, unit_id: west }).execute();
        await test.server.sessions.reload([limited.userId]);
        const asked = `?ids=${[elsewhere, ...ids].join()}`;
        expect((await page(asked)).items.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
        await expect(page(asked, limited)).resolves.toMatchObject({ items: [], total: 0 });
      });

      it('are of these patients and no others, on one page, in the order of the list', async () => {
        const asked = `?ids=${at(3)},${at(0)}&pageSize=1&page=7&unit=1&attention=true&sort=location`;
        const { items, total } = await page(asked);
        expect([items.map(({ id }) => id), total]).toEqual([[at(0), at(3)], 2]);
      });

      it('include one who was discharged meanwhile', async () => {
        await nurse.call('PATCH', `${url}/${at(1)}`, { version: 1, state: 'discharged' });
        const { items } = await page(`?ids=${at(1)}`);
        expect(items).toMatchObject([{ id: at(1), state: 'discharged' }]);
      });

      it('are "unchanged" for the same patients only', async () => {
        const { version } = await page(`?ids=${at(0)},${at(1)}`);
        await expect(page(`?ids=${at(1)},${at(0)}&after=${version}`)).resolves.toEqual({ unchanged: true, version });
        await expect(page(`?ids=${at(0)}&after=${version}`)).resolves.toHaveProperty('items');
        await expect(page(`?after=${version}`)).resolves.toHaveProperty('items');
      });

      it('are audited once, with the numbers of the patients', async () => {
        const query = `?ids=${at(0)}`;
        const rows = async () =>
          await test.store.db
            .selectFrom('audit')
            .select(['details'])
            .where('site_id', '=', site)
            .where('action', '=', 'list_patients')
            .execute();
        await page(query);
        await page(query);
        expect((await rows()).map(({ details }) => JSON.parse(details ?? '') as unknown)).toEqual([
          { count: 1, filters: ['ids'], patientIds: [at(0)] },
        ]);
      });
    });
  });
});

describe('follows', () => {
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
      const body = {
        ids: [{ id, version }],
        authorId: by.userId,
        ...(action === 'give' ? {} : { readBack: 'Stable' }),
      };
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
});
