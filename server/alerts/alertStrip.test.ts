import { accept } from '../../lib/alerts/actions';
import type { AlertStrip } from '../../lib/alerts/stripSchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;

describe.each(apiEngines)('the strip of open alerts on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let west: number;
  let device: { token: string };
  let nurse: Caller;
  let inWest: number;
  let inEast: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
    west = await test.addUnit(site, 'West');
    inWest = await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
    inEast = await test.addPatient(site, { location: { unit: 'East', bed: '2' } });
    nurse = await test.signIn(site, 'nurse');
  });

  /** Raises a HIGH alert of each patient, and ends those whose value is 97. */
  async function send(value: number, ...patients: number[]): Promise<void> {
    const samples = patients.flatMap((patientId) =>
      Array.from({ length: 40 }, (_, place) => ({
        patientId,
        kind: 'spo2',
        value,
        takenAt: toInstant(test.now() + (place + 1) * second),
        quality: 'good',
      })),
    );
    test.advance(40 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
  }
  const strip = async (who = nurse): Promise<AlertStrip> =>
    (await who.call('GET', '/api/v2/alerts/strip')).json<AlertStrip>();
  const beds = async (who = nurse): Promise<(string | null)[]> => (await strip(who)).items.map(({ bed }) => bed);
  const audited = async (who: Caller) =>
    await test.store.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', 'read_alert_strip')
      .where('actor_id', '=', who.userId)
      .execute();

  it('is closed to anyone without a session', async () => {
    expect((await test.app.inject('/api/v2/alerts/strip')).statusCode).toBe(401);
  });

  it('names place, priority, time and owner of an alert, and nothing else, on a locked screen too', async () => {
    await send(80, inWest);
    await nurse.call('POST', '/api/v2/auth/lock');
    const body = await strip();
    expect(Object.keys(body).sort()).toEqual(['alertPath', 'items']);
    expect(Object.keys(body.alertPath).sort()).toEqual(['lastHeartbeatAt', 'lastTickAt']);
    const [item] = body.items;
    expect(Object.keys(item ?? {}).sort()).toEqual(['bed', 'isTrial', 'owned', 'priority', 'raisedAt', 'unit']);
    expect(item).toMatchObject({ unit: 'West', bed: '1', priority: 'high', owned: false });
    expect(Date.parse(item?.raisedAt ?? '')).toBeLessThanOrEqual(test.now());
  });

  it('shows nurses of a unit theirs, technicians equipment, and people without alerts none', async () => {
    await send(80, inWest, inEast);
    const [ofWest, technician, administrator, stranger] = [
      await test.signIn(site, 'nurse'),
      await test.signIn(site, 'technician'),
      await test.signIn(site, 'administrator', true),
      await test.signIn(await test.addSite(), 'nurse'),
    ];
    await test.addUnit(site, 'West', [ofWest.userId]);
    expect((await beds()).toSorted()).toEqual(['1', '2']);
    await expect(beds(ofWest)).resolves.toEqual(['1']);
    await expect(beds(technician)).resolves.toEqual([]);
    await expect(beds(administrator)).resolves.toEqual([]);
    await expect(beds(stranger)).resolves.toEqual([]);
  });

  it('says which are owned, and lists alerts that need someone before those that have someone', async () => {
    await send(80, inWest, inEast);
    const [first] = test.server.alerts.listOpen(site).filter(({ patientId }) => patientId === inWest);
    const id = first?.id ?? 0;
    await test.server.alerts.handle([{ id, action: (alert, at) => accept(alert, nurse.userId, west, at) }], null);
    const { items } = await strip();
    expect(items.map(({ bed, owned }) => [bed, owned])).toEqual([
      ['2', false],
      ['1', true],
    ]);
  });

  it('keeps a HIGH alert that ended until someone has acknowledged it', async () => {
    await send(80, inWest);
    await send(97, inWest);
    expect(test.server.alerts.listOpen(site).map(({ alert }) => alert.condition)).toEqual(['ended']);
    await expect(beds()).resolves.toEqual(['1']);
  });

  it('is audited once a view and not once a poll, and again for a patient who joins it', async () => {
    await strip();
    await expect(audited(nurse)).resolves.toEqual([]);
    await send(80, inWest);
    await strip();
    await strip();
    await expect(audited(nurse)).resolves.toHaveLength(1);
    await send(80, inEast);
    await strip();
    await expect(audited(nurse)).resolves.toEqual([{ details: '{"count":1}' }, { details: '{"count":1}' }]);
  });
});
