import { takeRetrospectiveEpisode } from '../../lib/alerts/takeEpisode';
import type { Parameter } from '../../lib/alerts/parameters';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import type { AlertsPage } from '../../lib/alerts/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

describe.each(apiEngines)('the closed alerts of a site on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;
  let neighbour: number;
  /** Of the patient and the neighbour by turns, then of a device. */
  let ids: number[];

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    patient = await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
    neighbour = await test.addPatient(site, { location: { unit: 'East', bed: '2' } });
    const { id: device } = await test.addDevice(site);
    nurse = await test.signIn(site, 'nurse');
    ids = [];
    for (let place = 0; place < 6; place += 1) {
      ids.push(await addClosed({ patient_id: place % 2 === 0 ? patient : neighbour }));
    }
    ids.push(await addClosed({ device_id: device }));
  });

  /**
   * Stores an alert beside the server, which counts their ids in memory: no suite that raises alerts may share its
   * server.
   */
  async function addClosed(of: { patient_id: number } | { device_id: number }, facts?: string): Promise<number> {
    const at = test.now();
    const parameter: Parameter = 'patient_id' in of ? 'spo2' : 'gateway';
    const worst = { rule: 'spo2.low', priority: 'high', values: [] } as const;
    const times = { startedAt: at, count: 1, since: at, endedAt: at };
    const episode = { ...worst, ...times, lowest: 86, highest: 87, source: null, unconfirmedUntil: null };
    const change = takeRetrospectiveEpisode(null, { parameter, episode, endedAt: at, worst, late: null }, at);
    const row = await test.store.db
      .insertInto('alerts')
      .values({
        ...{ patient_id: null, device_id: null, ...of },
        site_id: site,
        parameter,
        rule: worst.rule,
        priority: worst.priority,
        condition: 'ended',
        started_at: at,
        raised_at: at,
        closed_at: at,
        is_retrospective: 1,
        facts: facts ?? JSON.stringify(change?.alert),
        evidence: JSON.stringify({ ruleVersion, limits: null, samples: [] }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  }
  const pageOf = async (query: string, who = nurse): Promise<{ ids: number[]; total: number }> => {
    const { items, total } = (await who.call('GET', `/api/v2/alerts?state=closed&${query}`)).json<AlertsPage>();
    return { ids: items.map(({ id }) => id), total };
  };
  const newestFirst = (some: readonly number[]): number[] => [...some].sort((a, b) => b - a);

  it('come in pages, the newest first, with how many they are', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => pageOf(`pageSize=3&page=${page}`)));
    expect(pages.flatMap((page) => page.ids)).toEqual(newestFirst(ids));
    expect(pages.map((page) => page.ids.length)).toEqual([3, 3, 1, 0]);
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7]);
  });

  it('are those of one patient where that is asked', async () => {
    const own = newestFirst([ids[0] ?? 0, ids[2] ?? 0, ids[4] ?? 0]);
    await expect(pageOf(`patientId=${patient}&pageSize=2`)).resolves.toEqual({ ids: own.slice(0, 2), total: 3 });
    await expect(pageOf(`patientId=${patient}&pageSize=2&page=2`)).resolves.toEqual({ ids: own.slice(2), total: 3 });
  });

  it('are within reach, and so is their number', async () => {
    const [east, technician, stranger] = [
      await test.signIn(site, 'nurse'),
      await test.signIn(site, 'technician'),
      await test.signIn(await test.addSite(), 'nurse'),
    ];
    await test.addUnit(site, 'East', [east.userId]);
    const equipment = ids.slice(-1);
    const ofEast = newestFirst([ids[1] ?? 0, ids[3] ?? 0, ids[5] ?? 0, ...equipment]);
    await expect(pageOf('pageSize=3', east)).resolves.toEqual({ ids: ofEast.slice(0, 3), total: 4 });
    await expect(pageOf('', technician)).resolves.toEqual({ ids: equipment, total: 1 });
    await expect(pageOf('', stranger)).resolves.toEqual({ ids: [], total: 0 });
  });

  it('cost a page no more than its own rows: one that cannot be read breaks only its own', async () => {
    const broken = await addClosed({ patient_id: patient }, 'not JSON');
    await expect(pageOf('pageSize=1&page=2')).resolves.toEqual({ ids: ids.slice(-1), total: 8 });
    expect(broken).toBeGreaterThan(Math.max(...ids));
  });

  describe('by their ids', () => {
    const shown = async (query: string, who = nurse): Promise<number[]> =>
      (await who.call('GET', `/api/v2/alerts?${query}`)).json<AlertsPage>().items.map(({ id }) => id);

    it.each(['ids=', 'ids=x', 'ids=1,,2', 'ids=0', 'ids=-1'])('refuse %s', async (query) => {
      expect((await nurse.call('GET', `/api/v2/alerts?${query}`)).statusCode).toBe(400);
    });

    it('leave out what the caller may not see, and what is not there', async () => {
      const [east, technician, stranger, north] = [
        await test.signIn(site, 'nurse'),
        await test.signIn(site, 'technician'),
        await test.signIn(await test.addSite(), 'nurse'),
        await test.signIn(site, 'nurse'),
      ];
      await test.addUnit(site, 'East', [east.userId]);
      await test.addUnit(site, 'North', [north.userId]);
      const query = `ids=${[...ids, 999_999].join()}`;
      const equipment = ids.slice(-1);
      await expect(shown(query, stranger)).resolves.toEqual([]);
      await expect(shown(query, north)).resolves.toEqual(equipment);
      await expect(shown(query, technician)).resolves.toEqual(equipment);
      expect(newestFirst(await shown(query, east))).toEqual(
        newestFirst([ids[1] ?? 0, ids[3] ?? 0, ids[5] ?? 0, ...equipment]),
      );
    });

    it('are those alone, and each look at their patients is on record once a view', async () => {
      const wanted = [ids[0] ?? 0, ids[6] ?? 0];
      for (let poll = 0; poll < 3; poll += 1) {
        expect(newestFirst(await shown(`ids=${wanted.join()}`))).toEqual(newestFirst(wanted));
      }
      const rows = await test.store.db
        .selectFrom('audit')
        .select('details')
        .where('action', '=', 'list_alerts')
        .where('actor_id', '=', nurse.userId)
        .execute();
      expect(rows).toEqual([{ details: '{"count":1}' }]);
    });

    it('have a version of their own', async () => {
      const read = async (query: string) => (await nurse.call('GET', `/api/v2/alerts?${query}`)).json<AlertsPage>();
      const { version } = await read(`ids=${ids[0]}`);
      await expect(read(`ids=${ids[0]}&after=${version}`)).resolves.toEqual({ unchanged: true, version });
      await expect(read(`ids=${ids[0]},${ids[1]}&after=${version}`)).resolves.toMatchObject({ total: 2 });
    });
  });
});
