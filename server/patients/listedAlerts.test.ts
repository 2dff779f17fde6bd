import type { AlertsPage } from '../../lib/alerts/schema';
import type { Patient, PatientAlert, PatientsPage } from '../../lib/patients/schema';
import { reachOf } from '../../lib/session/permissions';
import { userTypes } from '../../lib/session/userTypes';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer } from '../../test/sharedServer';
import { setPatientLimits } from '../../test/setPatientLimits';
import type { Caller, TestServer } from '../../test/testServer';

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
