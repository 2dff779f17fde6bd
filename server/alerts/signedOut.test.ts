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
    await test.stopRules();
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

  const assign = async (role: AssignmentRole, to: Caller, version = 0): Promise<void> => {
    const held = { unitId: unit, shift: 'current', role, patientId: patient, userId: to.userId, version };
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
    await feed(value, 16);
    for (let passed = 0; value >= 88 && passed < 5 * minute; passed += 30 * second) {
      await feed(value, 30);
    }
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
  const held = async (by: Caller): Promise<AlertItem[]> =>
    (await by.call('GET', '/api/v2/alerts/held')).json<AlertsPage>().items;
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
  /** Those who hold something hear before whom it then asks. */
  const signOut = async (who: Caller): Promise<void> => {
    const named = await held(who);
    expect((await who.call('POST', '/api/v2/auth/sign-out')).statusCode).toBe(204);
    await settled();
    for (const { id, escalation, released } of named) {
      await expect(alertOf()).resolves.toMatchObject({ id, released, escalation: { asked: escalation.asked } });
    }
    namedAtSignOut = named.map(({ id }) => id);
  };
  let namedAtSignOut: number[] = [];
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

  it('is asked again at once when its owner signs out, of the next people too if they alone are there', async () => {
    const alert = await raise();
    await pass(22 * second);
    await take(nurse, 'accept');
    await take(nurse, 'acknowledge');
    await pass(30 * second);
    await signOut(nurse);
    expect(namedAtSignOut).toEqual([alert.id]);
    await expect(held(buddy)).resolves.toEqual([]);
    await expect(askedOf(alert)).resolves.toEqual([
      [0, [nurse.userId]],
      [52, [nurse.userId]],
      [52, [buddy.userId]],
    ]);
    await expect(soundFor(buddy)).resolves.toBe('high');
    await expect(alertOf()).resolves.toMatchObject({
      accepted: null,
      acknowledged: null,
      released: { by: { id: nurse.userId }, because: 'signed_out' },
    });
  });

  it('goes on an interval later if another one is responsible now', async () => {
    const alert = await raise();
    await pass(22 * second);
    await take(nurse, 'accept');
    await assign('nurse', lead, 1);
    await pass(30 * second);
    await signOut(nurse);
    await settled();
    await pass(60 * second - 1);
    await pass(1);
    await expect(askedOf(alert)).resolves.toEqual([
      [0, [nurse.userId]],
      [52, [lead.userId]],
      [112, [buddy.userId]],
    ]);
  });

  it('sounds again when the user who only acknowledged it signs out', async () => {
    const alert = await raise();
    await pass(61 * second);
    await take(nurse, 'acknowledge');
    await expect(soundFor(buddy)).resolves.toBeNull();
    await signOut(nurse);
    expect(namedAtSignOut).toEqual([alert.id]);
    await expect(alertOf()).resolves.toMatchObject({ acknowledged: null, accepted: null, released: null });
    await expect(soundFor(buddy)).resolves.toBe('high');
    expect((await logOf(alert)).slice(-3)).toMatchObject([
      { is: 'released', user: { id: nurse.userId }, because: 'signed_out', acknowledgement: true },
      { is: 'asked', step: 0, to: { nobodyPresent: true } },
      { is: 'asked', step: 1 },
    ]);
  });

  it('stays with an owner who signs out of one of two browsers, or unlocks, or proves their password', async () => {
    await raise();
    await take(nurse, 'accept');
    await signInAgain(nurse);
    await signOut(nurse);
    expect(namedAtSignOut).toEqual([]);
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
      await passWith(30 * minute - second, nurse, buddy);
      const before = test.server.alerts.find(alert.id)?.alert.escalation.asked;
      await passWith(2 * second, nurse, buddy);
      expect(before).toHaveLength(1);
      buddy = await test.signIn(site, 'nurse');
      await expect(alertOf()).resolves.toMatchObject({ accepted: { notSeenSince: toInstant(lock + second) } });
      await expect(isAsked(alert)).resolves.toBe(2);
    });
  });

  describe('whose people are not there', () => {
    const stepsOf = async (alert: AlertItem) =>
      (await logOf(alert)).flatMap((event) =>
        event.is === 'asked'
          ? [[event.step, event.to.users.map(({ id }) => id), event.to.wholeUnit, event.to.nobodyPresent ?? false]]
          : [],
      );

    it.each([
      ['HIGH', 86],
      ['MEDIUM', 88],
    ])('asks the next ones in the same second, up to the whole unit, and no contact: %s', async (_, value) => {
      await signOut(nurse);
      await signOut(buddy);
      const helper = await test.signIn(site, 'nurse');
      buddy = helper;
      await pass(10 * second);
      const alert = await raise(value);
      const steps = await stepsOf(alert);
      expect(steps.at(-1)?.slice(2)).toEqual([true, false]);
      expect(steps.slice(0, 2)).toMatchObject([
        [0, [nurse.userId], false, true],
        [1, expect.anything(), false, true],
      ]);
      expect((await alertOf()).escalation.asked.map(({ contact }) => contact)).not.toContain('rapid_response');
      await expect(soundFor(helper)).resolves.toBe(value === 86 ? 'high' : 'medium');
    });

    it('asks those on duty in the site who may see the patient if no one of the unit is there', async () => {
      await Promise.all([nurse, buddy, lead].map(signOut));
      const elsewhere = await test.addUnit(site, 'West');
      const physician = await test.signIn(site, 'physician');
      await test.store.db.insertInto('user_units').values({ user_id: physician.userId, unit_id: elsewhere }).execute();
      await test.server.sessions.reload([physician.userId]);
      buddy = physician;
      await pass(10 * second);
      const alert = await raise();
      expect((await stepsOf(alert)).at(-1)).toEqual([2, [physician.userId], true, false]);
      await expect(soundFor(physician)).resolves.toBe('high');
    });

    it('asks the whole unit when the last one who was asked has gone', async () => {
      await pass(10 * second);
      const alert = await raise();
      await signOut(nurse);
      await pass(second);
      expect((await stepsOf(alert)).slice(1)).toEqual([[1, [buddy.userId], false, false]]);
      await signOut(buddy);
      buddy = await test.signIn(site, 'nurse');
      await pass(second);
      expect((await stepsOf(alert)).slice(2)).toMatchObject([[2, expect.anything(), true, false]]);
    });

    it('keeps to its times while no one at all is there, and asks the first who comes', async () => {
      await Promise.all([nurse, buddy, lead].map(signOut));
      await feed(86, 16);
      await pass(second);
      const [record] = test.server.alerts.listOpen(site).filter(({ alert: { parameter } }) => parameter === 'spo2');
      expect(record?.alert.escalation.asked).toHaveLength(1);
      buddy = await test.signIn(site, 'nurse');
      await pass(10 * second);
      await expect(soundFor(buddy)).resolves.toBe('high');
    });
  });

  describe('whose patient moves', () => {
    let west: number;
    let other: Caller;
    beforeEach(async () => {
      other = await test.signIn(site, 'nurse');
      west = await test.addUnit(site, 'West', [other.userId]);
      await test.addUnit(site, 'East', [nurse.userId]);
      const held = { unitId: west, shift: 'current', role: 'charge_nurse', patientId: null, userId: other.userId };
      await lead.call('PUT', '/api/v2/assignments', { ...held, version: 0 });
    });
    const move = async (name: string, who = lead): Promise<void> => {
      const version = test.server.liveState.patients.get(patient)?.version;
      const place = { version, location: { unit: name, bed: '2' } };
      expect((await who.call('PATCH', `/api/v2/patients/${patient}`, place)).statusCode).toBe(200);
    };

    it('begins again at once in the new unit, where no one has acknowledged it, and sounds there alone', async () => {
      const alert = await raise();
      await pass(70 * second);
      await take(nurse, 'acknowledge');
      await move('West');
      expect((await askedOf(alert)).slice(2)).toEqual([[70, []]]);
      await expect(alertOf()).resolves.toMatchObject({ acknowledged: null });
      await expect(Promise.all([other, nurse].map(soundFor))).resolves.toEqual(['high', null]);
      await pass(60 * second);
      expect((await askedOf(alert)).slice(3)).toEqual([[130, [other.userId]]]);
    });

    it('begins again there after a start of the server that came between', async () => {
      const alert = await raise();
      await test.store.db.updateTable('patients').set({ unit_id: west }).where('id', '=', patient).execute();
      await test.restart();
      await pass(second);
      expect((await logOf(alert)).slice(-2)).toMatchObject([{ is: 'moved' }, { is: 'asked', to: { wholeUnit: true } }]);
      await expect(alertOf()).resolves.toMatchObject({ escalationStep: 1 });
    });

    it('is seen and heard by the former unit for two minutes at most while no one else is there', async () => {
      await raise();
      await Promise.all([other, buddy, lead].map(signOut));
      await move('West', nurse);
      await pass(119 * second);
      await expect(soundFor(nurse)).resolves.toBe('high');
      const page = (await nurse.call('GET', '/api/v2/alerts')).json<AlertsPage>();
      expect(page.items).toHaveLength(1);
      const { id = 0, version } = page.items[0] ?? {};
      expect((await nurse.call('POST', `/api/v2/alerts/${id}/accept`, { version })).statusCode).toBe(403);
      await pass(second);
      await expect(soundFor(nurse)).resolves.toBeNull();
      expect((await nurse.call('GET', '/api/v2/alerts')).json()).toMatchObject({ items: [] });
    });

    it('is not begun again by another bed of the unit', async () => {
      const alert = await raise();
      await move('East');
      await expect(askedOf(alert)).resolves.toHaveLength(1);
    });

    it('ends a standby, which is an alert of its own until somebody acknowledges it', async () => {
      const standby = await nurse.call('POST', `/api/v2/patients/${patient}/standby`, {
        reason: 'A wash',
        minutes: 30,
      });
      expect(standby.statusCode).toBe(201);
      await move('East');
      await expect(raise()).rejects.toThrow('No alert is open');
      await move('West');
      await pass(second);
      const { items } = (await lead.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
      expect(items).toMatchObject([
        { parameter: 'spo2', priority: 'high' },
        { rule: 'standby.moved', priority: 'medium', condition: 'active', headline: 'Standby ended by move' },
      ]);
      expect((await lead.call('GET', `/api/v2/patients/${patient}`)).json()).toMatchObject({ standby: null });
      const { id = 0, version } = items[1] ?? {};
      expect((await lead.call('POST', `/api/v2/alerts/${id}/acknowledge`, { version })).statusCode).toBe(200);
      await pass(second);
      expect(test.server.alerts.find(id)?.alert.closed).toMatchObject({ because: 'ended' });
    });
  });

  describe('whose responsible people change', () => {
    it('asks the new nurse at each step that asked the old one, and the old one no more', async () => {
      const alert = await raise();
      await expect(soundFor(nurse)).resolves.toBe('high');
      await assign('nurse', lead, 1);
      await pass(second);
      await expect(askedOf(alert)).resolves.toEqual([
        [0, [nurse.userId]],
        [1, [lead.userId]],
      ]);
      await expect(soundFor(lead)).resolves.toBe('high');
      await expect(soundFor(nurse)).resolves.toBeNull();
      await pass(59 * second);
      await expect(askedOf(alert)).resolves.toHaveLength(3);
    });

    it('asks the nurse of the new shift when it begins, once, though no one does anything', async () => {
      const next = { unitId: unit, shift: 'next', role: 'nurse', patientId: patient, userId: lead.userId };
      const answer = await lead.call('PUT', '/api/v2/assignments', { ...next, version: 1 });
      const { shift } = answer.json<{ shift: { start: string } }>();
      test.advance(Date.parse(shift.start) - test.now() - minute);
      buddy = await test.signIn(site, 'nurse');
      await pass(second);
      const alert = await raise();
      await pass(Date.parse(shift.start) - test.now() - 1);
      const before = await askedOf(alert);
      await pass(1);
      await pass(second);
      expect(before.map(([, to]) => to).flat()).not.toContain(lead.userId);
      expect((await askedOf(alert)).slice(before.length)).toEqual([[expect.any(Number), [lead.userId]]]);
      await expect(soundFor(lead)).resolves.toBe('high');
    });

    it('sounds for the old nurse until the new one is there', async () => {
      const alert = await raise();
      const next = await test.signIn(site, 'nurse');
      await pass(10 * second);
      await signOut(next);
      await assign('nurse', next, 1);
      await pass(second);
      await expect(askedOf(alert)).resolves.toEqual([
        [0, [nurse.userId]],
        [11, [next.userId]],
      ]);
      await expect(soundFor(nurse)).resolves.toBe('high');
      await signInAgain(next);
      await pass(second);
      await expect(askedOf(alert)).resolves.toHaveLength(2);
      await expect(soundFor(nurse)).resolves.toBeNull();
    });

    it('sounds for the new one alone if it was acknowledged, until they acknowledge it too', async () => {
      await raise();
      await pass(61 * second);
      await take(nurse, 'acknowledge');
      await assign('nurse', lead, 1);
      await pass(second);
      await expect(Promise.all([lead, nurse, buddy].map(soundFor))).resolves.toEqual(['high', null, null]);
      await take(lead, 'acknowledge');
      await expect(soundFor(lead)).resolves.toBeNull();
    });

    it('asks no one of one that somebody has accepted', async () => {
      const alert = await raise();
      await take(buddy, 'accept');
      await assign('nurse', lead, 1);
      await pass(second);
      await expect(askedOf(alert)).resolves.toHaveLength(1);
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
