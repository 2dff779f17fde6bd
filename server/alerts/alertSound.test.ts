import { acknowledge, pauseAudio } from '../../lib/alerts/actions';
import type { AlertSound } from '../../lib/sound/soundSchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import type { AlertRecord } from './alertWrites';

const second = 1_000;

describe.each(apiEngines)('the sound of a user’s browser on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let device: { token: string };
  let nurse: Caller;
  let other: Caller;
  let patient: number;

  beforeAll(async () => {
    test = await sharedTestServer(engine);
  });
  beforeEach(async () => {
    test.advance(24 * 3_600 * second);
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
    unit = await test.addUnit(site, 'West');
    patient = await test.addPatient(site, { location: { unit: 'West', bed: '1' } });
    nurse = await test.signIn(site, 'nurse');
    other = await test.signIn(site, 'nurse');
    const lead = await test.signIn(site, 'ward_lead');
    await test.server.alerts.siteChanged(site);
    const place = { unitId: unit, shift: 'current', role: 'nurse', patientId: patient };
    await lead.call('PUT', '/api/v2/assignments', { ...place, userId: nurse.userId, version: 0 });
  });

  /** Raises a HIGH alert of the patient. */
  async function raise(): Promise<AlertRecord> {
    const samples = Array.from({ length: 20 }, (_, place) => ({
      patientId: patient,
      kind: 'spo2',
      value: 84,
      takenAt: toInstant(test.now() + (place + 1) * second),
      quality: 'good',
    }));
    test.advance(20 * second);
    await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    const [alert] = test.server.alerts.listOpen(site);
    if (alert === undefined) {
      throw new Error('No alert was raised');
    }
    return alert;
  }
  const pauseFor = (id: number) =>
    test.server.alerts.handle([{ id, action: (alert, at) => pauseAudio(alert, other.userId, 60 * second, at) }], null);
  const sound = async (who: Caller): Promise<AlertSound> =>
    (await who.call('GET', '/api/v2/alerts/sound')).json<AlertSound>();
  const silence: AlertSound = { priority: null, pause: null, asking: [] };

  it('is for the user whom an alert has asked, on a locked screen too, and for no one else', async () => {
    await expect(sound(nurse)).resolves.toEqual(silence);
    const { raisedAt } = await raise();
    const asking = [{ priority: 'high', raisedAt: toInstant(raisedAt) }];
    await nurse.call('POST', '/api/v2/auth/lock');
    await expect(sound(nurse)).resolves.toEqual({ priority: 'high', pause: null, asking });
    await expect(sound(other)).resolves.toEqual(silence);
  });

  it('is for all of the unit once the whole unit is asked, and never for people who handle no alerts', async () => {
    await raise();
    for (let step = 0; step < 3; step += 1) {
      test.advance(60 * second);
      await test.server.alerts.evaluateClock();
    }
    const [viewer, administrator] = [await test.signIn(site, 'viewer'), await test.signIn(site, 'administrator', true)];
    const elsewhere = await test.signIn(site, 'nurse');
    await test.addUnit(site, 'East', [elsewhere.userId]);
    expect((await sound(other)).priority).toBe('high');
    for (const who of [viewer, administrator, elsewhere]) {
      await expect(sound(who)).resolves.toEqual(silence);
    }
  });

  it('ends with the acknowledgement', async () => {
    const { id } = await raise();
    await test.server.alerts.handle([{ id, action: (alert, at) => acknowledge(alert, nurse.userId, at) }], null);
    await expect(sound(nurse)).resolves.toEqual(silence);
  });

  it('is paused for as long as somebody paused it, which everyone sees', async () => {
    const { id } = await raise();
    const until = test.now() + 60 * second;
    await pauseFor(id);
    for (const who of [nurse, other]) {
      await expect(sound(who)).resolves.toEqual({
        priority: null,
        asking: [],
        pause: { until: toInstant(until), by: expect.stringMatching(/^R\. Example\d+$/) as unknown },
      });
    }
    test.advance(60 * second);
    await expect(sound(nurse)).resolves.toMatchObject({ priority: 'high', pause: null });
  });

  it('names nothing of a patient', async () => {
    const { id } = await raise();
    const { asking } = await sound(nurse);
    expect(asking.map((alert) => Object.keys(alert).sort())).toEqual([['priority', 'raisedAt']]);
    await pauseFor(id);
    const body = await sound(nurse);
    expect(Object.keys(body).sort()).toEqual(['asking', 'pause', 'priority']);
    expect(Object.keys(body.pause ?? {}).sort()).toEqual(['by', 'until']);
  });
});
