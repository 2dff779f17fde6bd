import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { AlertSound } from '../../lib/sound/soundSchema';
import { toInstant } from '../../lib/time/schema';
import { apiEngines } from '../../test/database';
import { refuseWrites } from '../../test/refuseWrites';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** What users hold who are no longer there (clinical.md section 00, A1). */
describe.each(apiEngines)('an alert whose holder is gone on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let unit: number;
  let patient: number;
  let device: { id: number; token: string };
  let lead: Caller;
  let nurse: Caller;
  let buddy: Caller;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    test.advance(10 * minute);
    site = await test.addSite();
    await test.startRules(site);
    device = await test.addDevice(site);
    const name = 'East';
    unit = await test.addUnit(site, name);
    patient = await test.addPatient(site, { location: { unit: name, bed: '1' } });
    lead = await test.signIn(site, 'ward_lead');
    nurse = await test.signIn(site, 'nurse');
    buddy = await test.signIn(site, 'nurse');
    // The users of a site are read again after at most ten seconds.
    await pass(10 * second);
    await assign('nurse', nurse);
    await assign('buddy', buddy);
  });

  const assign = async (role: AssignmentRole, to: Caller): Promise<void> => {
    const held = { unitId: unit, shift: 'current', role, patientId: patient, userId: to.userId, version: 0 };
    expect((await lead.call('PUT', '/api/v2/assignments', held)).statusCode).toBe(200);
  };
  /** A value a second that were measured up to now. */
  const feed = async (value: number, seconds: number): Promise<void> => {
    const samples = Array.from({ length: seconds }, (_, place) => ({
      ...{ patientId: patient, kind: 'spo2', value, quality: 'good' },
      takenAt: toInstant(test.now() + (place + 1) * second),
    }));
    test.advance(seconds * second);
    const answer = await test.ingest(device.token, samples, { sentAt: toInstant(test.now()) });
    expect(answer.json()).toMatchObject({ accepted: seconds });
  };
  const raise = async (value = 86): Promise<AlertItem> => {
    await feed(value, value < 88 ? 16 : 61);
    return await alertOf();
  };
  const alertOf = async (): Promise<AlertItem> => {
    const { items } = (await buddy.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    const alert = items.find(({ parameter }) => parameter === 'spo2');
    if (alert === undefined) {
      throw new Error('No alert is open');
    }
    return alert;
  };
  const logOf = async ({ id }: AlertItem): Promise<LoggedEvent[]> =>
    (await buddy.call('GET', `/api/v2/alerts/${id}/events`)).json<{ items: LoggedEvent[] }>().items;
  /** Who was asked: how long after it was raised, in seconds, and whom. */
  const askedOf = async (alert: AlertItem) =>
    (await logOf(alert)).flatMap((event) =>
      event.is === 'asked'
        ? [[(Date.parse(event.at) - Date.parse(alert.raisedAt)) / second, event.to.users.map(({ id }) => id)]]
        : [],
    );
  const take = async (who: Caller, name: 'accept' | 'acknowledge'): Promise<void> => {
    const { id, version } = await alertOf();
    expect((await who.call('POST', `/api/v2/alerts/${id}/${name}`, { version })).statusCode).toBe(200);
  };
  const signOut = async (who: Caller): Promise<void> => {
    expect((await who.call('POST', '/api/v2/auth/sign-out')).statusCode).toBe(204);
  };
  const signInAgain = async ({ userId }: Caller): Promise<void> => {
    await test.server.sessions.start(
      userId,
      { ip: null, userAgent: null, before: null },
      { now: () => Promise.resolve() },
    );
  };
  /** Resolves when the work that an end of a session began is done; the clock does not tick here. */
  const settled = async (): Promise<void> => {
    await test.store.writeQueue(() => Promise.resolve());
  };
  const pass = async (ms: number): Promise<void> => {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  };
  const soundFor = async (who: Caller): Promise<AlertSound['priority']> =>
    (await who.call('GET', '/api/v2/alerts/sound')).json<AlertSound>().priority;

  it('is asked again at once when its owner signs out, and of the next step an interval later', async () => {
    const alert = await raise();
    await pass(22 * second);
    await take(nurse, 'accept');
    await take(nurse, 'acknowledge');
    await pass(30 * second);
    await signOut(nurse);
    await settled();
    await expect(alertOf()).resolves.toMatchObject({
      accepted: null,
      acknowledged: null,
      released: { by: { id: nurse.userId }, because: 'signed_out' },
    });
    await feed(60, 2);
    await pass(58 * second);
    const asked = await askedOf(alert);
    expect(asked.slice(0, 2)).toEqual([
      [0, [nurse.userId]],
      [52, [nurse.userId]],
    ]);
    expect(asked.at(-1)).toEqual([112, [buddy.userId]]);
    await expect(soundFor(buddy)).resolves.toBe('high');
  });

  it('sounds again when the user who only acknowledged it signs out', async () => {
    const alert = await raise();
    await pass(61 * second);
    await take(nurse, 'acknowledge');
    await expect(soundFor(buddy)).resolves.toBeNull();
    await signOut(nurse);
    await settled();
    await expect(alertOf()).resolves.toMatchObject({ acknowledged: null, accepted: null, released: null });
    await expect(soundFor(buddy)).resolves.toBe('high');
    expect((await logOf(alert)).slice(-2)).toMatchObject([
      { is: 'released', user: { id: nurse.userId }, because: 'signed_out', acknowledgement: true },
      { is: 'asked', step: 0 },
    ]);
  });

  it('stays with an owner who signs out of one of two browsers, or unlocks, or proves their password', async () => {
    await raise();
    await take(nurse, 'accept');
    await signInAgain(nurse);
    await signOut(nurse);
    await settled();
    const [left] = test.server.sessions.ofUser(nurse.userId);
    expect(left).toBeDefined();
    const rotated = left === undefined ? null : test.server.sessions.rotate(left, true, { now: settled });
    test.server.alerts.sessionsChanged();
    await rotated;
    await pass(second);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
  });

  it('stays acknowledged while somebody else has accepted it', async () => {
    await raise();
    await take(nurse, 'acknowledge');
    await take(buddy, 'accept');
    await signOut(nurse);
    await settled();
    await pass(second);
    await expect(alertOf()).resolves.toMatchObject({
      acknowledged: { by: { id: nurse.userId } },
      accepted: { by: { id: buddy.userId } },
    });
  });

  it.each([
    ['an administrator ends their sessions', (who: Caller) => test.server.sessions.endAll(who.userId, null, settled)],
    [
      'their account is disabled',
      async (who: Caller) => {
        await test.store.db
          .updateTable('users')
          .set({ disabled_at: test.now() })
          .where('id', '=', who.userId)
          .execute();
        await test.server.sessions.reload([who.userId]);
      },
    ],
  ])('is given back at once when %s', async (_, end) => {
    await raise();
    await take(nurse, 'accept');
    await end(nurse);
    await settled();
    await expect(alertOf()).resolves.toMatchObject({ accepted: null, released: { because: 'signed_out' } });
  });

  it('is given back by the clock after the 12 hours of a session', async () => {
    await raise();
    await take(nurse, 'accept');
    test.advance(11 * hour);
    buddy = await test.signIn(site, 'nurse');
    await pass(second);
    await expect(alertOf()).resolves.toMatchObject({ accepted: { by: { id: nurse.userId } } });
    await pass(hour);
    buddy = await test.signIn(site, 'nurse');
    await expect(alertOf()).resolves.toMatchObject({ accepted: null, released: { because: 'signed_out' } });
  });

  it('is given back by the next start if the server ended before it could be', async () => {
    await raise();
    await take(nurse, 'accept');
    await test.store.db
      .updateTable('sessions')
      .set({ ended_at: test.now() })
      .where('user_id', '=', nurse.userId)
      .execute();
    await test.restart();
    await test.server.alerts.evaluateClock();
    await expect(alertOf()).resolves.toMatchObject({ accepted: null, released: { because: 'signed_out' } });
  });

  describe('not seen', () => {
    /** Time passes in ticks of a second, in which only these users' browsers are heard. */
    const passWith = async (ms: number, ...heard: Caller[]): Promise<void> => {
      for (let passed = 0; passed < ms; passed += second) {
        await pass(second);
        if (passed % minute === 0) {
          await Promise.all(heard.map((who) => who.call('GET', '/api/v2/alerts/sound')));
        }
      }
    };
    const isAsked = async (alert: AlertItem) => (await askedOf(alert)).length;

    it('for two minutes keeps its owner’s name and asks step 1, until they are back', async () => {
      const alert = await raise();
      const seenAt = test.now();
      await take(nurse, 'accept');
      await passWith(119 * second, buddy);
      await expect(isAsked(alert)).resolves.toBe(1);
      await passWith(2 * second, buddy);
      await expect(alertOf()).resolves.toMatchObject({
        accepted: { by: { id: nurse.userId }, notSeenSince: toInstant(seenAt) },
      });
      await expect(isAsked(alert)).resolves.toBe(2);
      await expect(soundFor(buddy)).resolves.toBe('high');
      await soundFor(nurse);
      await passWith(5 * minute, buddy, nurse);
      buddy = await test.signIn(site, 'nurse');
      expect((await alertOf()).accepted).not.toHaveProperty('notSeenSince');
      await expect(isAsked(alert)).resolves.toBe(2);
    });

    it('counts neither the time in which the server stalled, nor that before its start', async () => {
      const alert = await raise();
      await take(nurse, 'accept');
      await pass(20 * minute);
      await test.restart();
      await passWith(100 * second);
      buddy = await test.signIn(site, 'nurse');
      await expect(isAsked(alert)).resolves.toBe(1);
    });

    it('for half an hour of a locked screen asks step 1, however often its page is heard', async () => {
      const alert = await raise();
      await take(nurse, 'accept');
      expect((await nurse.call('POST', '/api/v2/auth/lock')).statusCode).toBe(204);
      const lock = test.now();
      await passWith(30 * minute - second, nurse);
      buddy = await test.signIn(site, 'nurse');
      // The owner is asked after half an hour (E5), which they have not answered.
      await expect(isAsked(alert)).resolves.toBe(1);
      await passWith(2 * second, nurse);
      await expect(alertOf()).resolves.toMatchObject({ accepted: { notSeenSince: toInstant(lock + second) } });
      await expect(isAsked(alert)).resolves.toBe(2);
    });
  });

  it('is asked again while nothing can be stored', async () => {
    await raise();
    await take(nurse, 'accept');
    const allow = await refuseWrites(test);
    try {
      await signOut(nurse);
      await settled().catch(() => undefined);
      const record = test.server.alerts.listOpen(site).find(({ patientId }) => patientId === patient);
      expect(record?.alert.responsibility).toMatchObject({ is: 'released', because: 'signed_out' });
    } finally {
      await allow();
    }
  });
});
