import type { AlertItem, AlertsPage, LoggedEvent } from '../../lib/alerts/schema';
import type { AlertStrip } from '../../lib/alerts/stripSchema';
import type { Patient } from '../../lib/patients/schema';
import type { IssueReport, NewReport } from '../../lib/reports/schema';
import type { AlertSound } from '../../lib/sound/soundSchema';
import { toInstant } from '../../lib/time/schema';
import type { TypedSets } from '../../lib/vitals/readingsSchema';
import { apiEngines } from '../../test/database';
import { newReport } from '../../test/newReport';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';

const minute = 60_000;

describe.each(apiEngines)('on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let patient: number;

  beforeAll(async () => {
    // A server of its own: its clock goes back.
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    test.advance(3_600_000);
    patient = await test.addPatient(site);
    nurse = await test.signIn(site, 'nurse');
  });
  afterAll(() => test.stop());

  const open = async (): Promise<AlertItem[]> =>
    (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
  const rules = async (): Promise<string[]> => (await open()).map(({ rule, priority }) => `${priority} ${rule}`).sort();
  const typed = async (spo2: number, agoMs = 0): Promise<void> => {
    const body = { readings: { spo2 }, takenAt: toInstant(test.now() - agoMs) };
    expect((await nurse.call('POST', `/api/v2/patients/${patient}/readings`, body)).statusCode).toBe(201);
  };
  const pass = async (ms: number, everyMs = minute): Promise<void> => {
    for (let passed = 0; passed < ms; passed += everyMs) {
      test.advance(everyMs);
      await test.server.alerts.evaluateClock();
    }
    nurse = await test.signIn(site, 'nurse');
  };
  const asked = async (): Promise<number[]> => {
    const [alert] = await open();
    const { items } = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{ items: LoggedEvent[] }>();
    return items.flatMap((event) => (event.is === 'asked' ? [event.step] : []));
  };
  /** Sends a value each second until now, and lets the server look at its clock; null: without a quality. */
  const send = async (
    token: string,
    value: number,
    seconds: number,
    more: { kind?: string; quality?: string | null; ticks?: false } = {},
  ): Promise<void> => {
    test.advance(seconds * 1_000);
    const { kind = 'spo2', quality = 'good' } = more;
    const samples = Array.from({ length: seconds }, (_, ago) => ({
      patientId: patient,
      kind,
      value,
      takenAt: toInstant(test.now() - (seconds - 1 - ago) * 1_000),
      ...(quality === null ? {} : { quality }),
    }));
    expect((await test.ingest(token, samples, { sentAt: toInstant(test.now()) })).statusCode).toBe(200);
    if (more.ticks !== false) {
      await test.server.alerts.evaluateClock();
    }
  };

  describe('a value that a user typed in', () => {
    it('raises HIGH at once, not confirmed, and asks steps 0 and 1 alone until it is', async () => {
      await typed(80);
      const [alert] = await open();
      expect(alert?.priority).toBe('high');
      expect(alert?.sentence).toMatch(/^SpO2 80 % < 88 at \d\d:\d\d, first reading, not confirmed/);
      await pass(14 * minute);
      await expect(asked()).resolves.toEqual([0, 1]);
      await pass(3 * minute);
      await expect(asked()).resolves.toEqual([0, 1, 2]);
    });

    it('is confirmed by a second one, also after a restart, and ended by one inside the limit', async () => {
      await typed(80);
      await pass(3 * minute);
      await test.restart();
      await typed(79);
      await pass(2 * minute);
      await expect(asked()).resolves.toEqual([0, 1, 2]);
      await typed(95);
      expect((await open())[0]).toMatchObject({ rule: 'spo2.low', condition: 'ended', latched: true });
    });

    it('half an hour ago raises as well, unless a later one has answered it', async () => {
      await typed(70, 30 * minute);
      await expect(rules()).resolves.toEqual(['high spo2.desat']);
      patient = await test.addPatient(site);
      await typed(97, 10 * minute);
      await typed(70, 30 * minute);
      await expect(rules()).resolves.toEqual([]);
    });
  });

  it('a monitor that sends every 15 min raises HIGH with its first value of 70 %', async () => {
    const monitor = await test.addDevice(site, { expectedEveryMs: 15 * minute });
    const one = async (value: number): Promise<void> => {
      test.advance(15 * minute);
      const sample = { patientId: patient, kind: 'spo2', value, takenAt: toInstant(test.now()), quality: 'good' };
      await test.ingest(monitor.token, [sample], { sentAt: toInstant(test.now()) });
      nurse = await test.signIn(site, 'nurse');
    };
    await one(97);
    await expect(rules()).resolves.toEqual([]);
    await one(70);
    await expect(rules()).resolves.toEqual(['high spo2.desat']);
  });

  it('a device that stops stating quality raises by its values, is never "sensor off", and is named', async () => {
    const monitor = await test.addDevice(site);
    await send(monitor.token, 97, 20);
    await send(monitor.token, 80, 20, { quality: null });
    await expect(rules()).resolves.toEqual(['high spo2.low']);
    for (let part = 0; part < 12; part += 1) {
      await send(monitor.token, 80, 30, { quality: null });
    }
    nurse = await test.signIn(site, 'nurse');
    await expect(rules()).resolves.toEqual(['high spo2.low', 'low sensor.unstated']);
  });

  it('a rate of the oximeter alone is MEDIUM beside a live ECG, and named', async () => {
    const monitor = await test.addDevice(site);
    for (let part = 0; part < 4; part += 1) {
      await send(monitor.token, 30, 5, { kind: 'pulseRate' });
      test.advance(-5_000);
      await send(monitor.token, 80, 5, { kind: 'heartRate' });
    }
    const [alert] = await open();
    expect([alert?.priority, alert?.sentence]).toEqual(['medium', expect.stringMatching(/^PR 30 \/min \(ECG 80\)/)]);
  });

  it('a device that is set to 15 min and sends each second is missed like one that sends each second', async () => {
    const monitor = await test.addDevice(site, { expectedEveryMs: 15 * minute });
    for (let part = 0; part < 96; part += 1) {
      await send(monitor.token, 97, 10, { ticks: false });
    }
    nurse = await test.signIn(site, 'nurse');
    await pass(minute, 30_000);
    await expect(rules()).resolves.toEqual(['low reporting.short']);
  });

  it.each([
    ['at once', 0],
    ['for three minutes', 3 * minute],
  ])('a restart forgets no pace: the same device is missed as before after one %s', async (_, downMs) => {
    const monitor = await test.addDevice(site, { expectedEveryMs: 15 * minute });
    for (let part = 0; part < 96; part += 1) {
      await send(monitor.token, 97, 10, { ticks: false });
    }
    test.advance(downMs);
    await test.restart();
    await send(monitor.token, 97, 10);
    nurse = await test.signIn(site, 'nurse');
    await expect(rules()).resolves.toEqual([]);
    await pass(minute, 30_000);
    await expect(rules()).resolves.toEqual(['low reporting.short']);
  });

  it('a restart knows a device by its setting if it sends in bursts, until it has seen two of them', async () => {
    const monitor = await test.addDevice(site, { expectedEveryMs: 15 * minute });
    const burst = async (): Promise<void> => {
      test.advance(5 * minute);
      const samples = Array.from({ length: 300 }, (_, second) => ({
        patientId: patient,
        kind: 'spo2',
        value: 97,
        takenAt: toInstant(test.now() - second * 1_000),
        quality: 'good',
      }));
      await test.ingest(monitor.token, samples, { sentAt: toInstant(test.now()) });
    };
    for (let count = 0; count < 5; count += 1) {
      await burst();
    }
    await test.restart();
    await burst();
    nurse = await test.signIn(site, 'nurse');
    await pass(4 * minute, 30_000);
    await expect(rules()).resolves.toEqual([]);
  });

  it('a probe that comes and goes is a MEDIUM unreliable signal', async () => {
    const monitor = await test.addDevice(site);
    for (let part = 0; part < 33; part += 1) {
      await send(monitor.token, 97, 4, { ticks: false });
      await send(monitor.token, 0, 6, { quality: 'invalid' });
    }
    nurse = await test.signIn(site, 'nurse');
    await expect(rules()).resolves.toEqual(['medium sensor.unreliable']);
  });

  describe('what a probe raises four times in a short time', () => {
    const low: [number, number][] = [
      [84, 20],
      [97, 35],
    ];
    const bouts = async (
      count: number,
      values: [number, number][],
      quality: string,
    ): Promise<{ id: number; token: string }> => {
      const monitor = await test.addDevice(site);
      await send(monitor.token, 97, 20);
      for (let bout = 0; bout < count; bout += 1) {
        for (const [value, seconds] of values) {
          await send(monitor.token, value, seconds, { quality: value < 90 ? quality : 'good' });
        }
      }
      return monitor;
    };

    it('by values that it doubts is a technical alert, which holds back none about the patient', async () => {
      const monitor = await bouts(4, low, 'questionable');
      const sensor = async () => (await open()).find(({ parameter }) => parameter === 'sensor')?.sentence;
      const oxygen = async () => (await open()).find(({ parameter }) => parameter === 'spo2');
      await expect(sensor()).resolves.toMatch(/^Poor signal, 4 times in 2 min: check the probe, alert since/);
      const known = await oxygen();
      const path = `/api/v2/alerts/${known?.id}/acknowledge`;
      expect((await nurse.call('POST', path, { version: known?.version })).statusCode).toBe(200);
      await expect(rules()).resolves.toEqual(['medium sensor.poor']);
      await send(monitor.token, 84, 20, { quality: 'questionable' });
      await expect(oxygen()).resolves.toMatchObject({ rule: 'spo2.low', condition: 'active', episodes: 5 });
      await expect(sensor()).resolves.toMatch(/^Poor signal, 5 times in 3 min: check the probe/);
      await send(monitor.token, 97, 35);
      await send(monitor.token, 66, 3, { quality: 'questionable' });
      expect((await open())[0]).toMatchObject({ rule: 'spo2.desat', condition: 'active', episodes: 6 });
    });

    it.each([
      ['of its own', { isOwn: true, lowFor: 18, kind: 'spo2', values: [84, 97] }, 'medium sensor.poor'],
      ['of another device', { isOwn: false, lowFor: 18, kind: 'spo2', values: [84, 97] }, undefined],
      ['that is measured later', { isOwn: true, lowFor: 2, kind: 'spo2', values: [84, 97] }, undefined],
      ['beside an ECG', { isOwn: true, lowFor: 18, kind: 'heartRate', values: [190, 80] }, undefined],
      ['beside its pulse', { isOwn: true, lowFor: 18, kind: 'pulseRate', values: [190, 80] }, 'medium sensor.poor'],
    ])('by values at a low perfusion %s', async (_, { isOwn, lowFor, kind, values: [bad = 0, well = 0] }, expected) => {
      const monitor = await test.addDevice(site);
      const { token } = isOwn ? monitor : await test.addDevice(site);
      for (let bout = 0; bout < 4; bout += 1) {
        await send(token, 3, 20 - lowFor, { kind: 'perfusionIndex' });
        await send(token, 0.2, lowFor, { kind: 'perfusionIndex' });
        test.advance(-20_000);
        await send(monitor.token, bad, 20, { kind });
        await send(monitor.token, well, 35, { kind });
      }
      expect((await rules()).find((rule) => rule.includes('sensor'))).toBe(expected);
    });

    it.each([
      ['has sent nothing for 5 min', 'POST', 6 * minute],
      ['is taken off', 'DELETE', 30_000],
    ] as const)('is no poor signal once the probe %s', async (_, method, ms) => {
      const { id, token } = await bouts(4, low, 'questionable');
      test.server.liveState.deviceStays.assigned.set(id, patient);
      await send(token, 84, 20, { quality: 'questionable' });
      await expect(rules()).resolves.toContain('medium sensor.poor');
      await nurse.call(method, `/api/v2/devices/${id}/assignment`);
      expect(test.server.liveState.assigned.has(id)).toBe(method !== 'DELETE');
      await pass(ms, 30_000);
      expect((await rules()).filter((rule) => !rule.includes('reporting'))).toEqual(['high spo2.low']);
    });

    it('is an alert about the patient if its values are good, and says how often', async () => {
      const monitor = await bouts(4, low, 'good');
      const sentence = async () => (await open()).map((alert) => alert.sentence).join();
      await expect(sentence()).resolves.toMatch(
        /^Desaturated 4 times in 2 min, ended at [\d:]+, lowest 84, limit < 88$/,
      );
      await send(monitor.token, 84, 20);
      await expect(sentence()).resolves.toMatch(/^SpO2 84 % < 88 for .*, desaturated 5 times in 3 min$/);
      await send(monitor.token, 97, 10);
      await expect(sentence()).resolves.toMatch(/^Desaturated 5 times in 3 min, SpO2 97 % now, lowest 84,/);
    });
  });

  it('a flood of values of a second device hides no alert, and writes no line for each of them', async () => {
    const monitor = await test.addDevice(site, { name: 'monitor' });
    const flood = await test.addDevice(site, { name: 'flood' });
    test.server.liveState.deviceStays.assigned.set(monitor.id, patient);
    for (let second = 0; second < 20; second += 1) {
      await send(monitor.token, 84, 1);
      const samples = Array.from({ length: 100 }, (_, index) => ({
        patientId: patient,
        kind: 'spo2',
        value: 97,
        takenAt: toInstant(test.now() - index * 10),
        quality: 'good',
      }));
      await test.ingest(flood.token, samples, { sentAt: toInstant(test.now()) });
    }
    const [alert] = await open();
    expect(alert).toMatchObject({ rule: 'spo2.low', priority: 'high' });
    expect(alert?.sentence).toMatch(/^SpO2 84 %/);
    const { items } = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{ items: LoggedEvent[] }>();
    expect(items.length).toBeLessThan(4);
  });
});

describe.each(apiEngines)('alerts about the score on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let nurse: Caller;
  let physician: Caller;
  let device: { id: number; token: string };
  let patient: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    site = await test.addSiteAlone();
    device = await test.addDevice(site);
    patient = await test.addPatient(site);
    test.advance(60 * minute);
    await signIn();
  });

  async function signIn(): Promise<void> {
    nurse = await test.signIn(site, 'nurse');
    physician = await test.signIn(site, 'physician');
  }
  /** Evaluates the clock so often that the score of each patient is due once. */
  async function look(): Promise<void> {
    for (let looks = 0; looks < 5; looks += 1) {
      await test.server.alerts.evaluateClock();
    }
  }
  /** Sends values of a monitor, one in ten seconds. */
  async function feed(values: Record<string, number>, seconds: number): Promise<void> {
    for (let sent = 0; sent < seconds; sent += 10) {
      const takenAt = toInstant(test.now());
      const samples = Object.entries(values).map(([kind, value]) => ({ patientId: patient, kind, value, takenAt }));
      await test.ingest(device.token, samples, { sentAt: takenAt });
      test.advance(10_000);
      await look();
    }
  }
  const well = {
    respiratoryRate: 16,
    spo2: 98,
    oxygenFlow: 0,
    systolic: 120,
    pulseRate: 75,
    consciousness: 'A',
    temperature: 37,
  };
  const type = async (readings: object): Promise<void> => {
    expect((await nurse.call('POST', `/api/v2/patients/${patient}/readings`, { readings })).statusCode).toBe(201);
  };
  const listed = async (): Promise<AlertItem[]> => {
    const { items } = (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>();
    return items.filter(({ parameter }) => parameter === 'news2');
  };
  const shown = async () => (await listed()).map(({ rule, priority, sentence }) => [rule, priority, sentence]);

  it('raises HIGH for a typed full set of 7 or more at once, and asks people by a plan of its own', async () => {
    await type({ ...well, respiratoryRate: 26, systolic: 88, consciousness: 'V' });
    await expect(shown()).resolves.toEqual([['news2.high', 'high', expect.stringMatching(/^NEWS2 9 ≥ 7$/)]]);
    const [alert] = await listed();
    const asked = async (): Promise<unknown[]> => {
      const { items } = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{
        items: LoggedEvent[];
      }>();
      return items.flatMap((event) => (event.is === 'asked' ? [[event.step, event.to.unheld, event.to.contact]] : []));
    };
    await expect(asked()).resolves.toEqual([[0, ['nurse'], null]]);
    for (const minutes of [5, 10, 15]) {
      test.advance(minutes * minute - 1_000);
      await look();
      const before = (await asked()).length;
      test.advance(1_000);
      await look();
      await signIn();
      expect((await asked()).length - before).toBe(1);
    }
    await expect(asked()).resolves.toEqual([
      [0, ['nurse'], null],
      [1, ['charge_nurse'], null],
      [2, ['on_call_physician'], null],
      [3, ['charge_nurse'], 'rapid_response'],
    ]);
  });

  it('raises MEDIUM for a respiratory rate of 32 in a full set, and HIGH for no response to anything', async () => {
    await type({ ...well, respiratoryRate: 32 });
    await expect(shown()).resolves.toEqual([
      ['news2.respiratoryRate', 'medium', expect.stringMatching(/^RR 32 \/min, 3 points in NEWS2, alert since /)],
    ]);
    patient = await test.addPatient(site);
    await type({ ...well, consciousness: 'U' });
    await expect(shown()).resolves.toEqual([
      ['news2.unresponsive', 'high', expect.stringMatching(/^Consciousness U, 3 points in NEWS2, first set, not conf/)],
    ]);
  });

  describe('of one save, whatever is missing', () => {
    beforeEach(async () => {
      site = await test.addSiteAlone();
      device = await test.addDevice(site, { expectedEveryMs: 10_000 });
      patient = await test.addPatient(site);
      await signIn();
    });
    const sound = async (of: Caller): Promise<string | null> =>
      (await of.call('GET', '/api/v2/alerts/sound')).json<AlertSound>().priority;
    const steps = async (): Promise<number[]> => {
      const [alert] = await listed();
      const { items } = (await nurse.call('GET', `/api/v2/alerts/${alert?.id}/events`)).json<{
        items: LoggedEvent[];
      }>();
      return items.flatMap((event) => (event.is === 'asked' ? [event.step] : []));
    };
    const pass = async (minutes: number, every = 1): Promise<void> => {
      for (let passed = 0; passed < minutes; passed += every) {
        test.advance(every * minute);
        await look();
      }
      await signIn();
    };

    it.each([
      [{ respiratoryRate: 30, systolic: 60, pulseRate: 135, oxygenFlow: 4 }, 'news2.extremeSystolic', /^Systolic 60/],
      [{ respiratoryRate: 26, systolic: 88, temperature: 38.4 }, 'news2.high', /^NEWS2 at least 7 ≥ 7, first set/],
      [{ spo2: 90, oxygenFlow: 2, temperature: 39.5 }, 'news2.high', /^NEWS2 at least 7 ≥ 7, first set, not confirmed/],
      [{ consciousness: 'U' }, 'news2.unresponsive', /^Consciousness U/],
      [{ consciousness: 'P' }, 'news2.unresponsive', /^Consciousness P/],
      [{ respiratoryRate: 4 }, 'news2.extremeRespiratoryRate', /^RR 4 \/min ≤ 8, first set, not confirmed/],
      [{ respiratoryRate: 35 }, 'news2.extremeRespiratoryRate', /^RR 35 \/min ≥ 35/],
      [{ systolic: 60 }, 'news2.extremeSystolic', /^Systolic 60 mmHg ≤ 70/],
      [{ systolic: 70 }, 'news2.extremeSystolic', /^Systolic 70 mmHg ≤ 70/],
      [{ temperature: 32 }, 'news2.extremeTemperature', /^Temp 32.0 °C ≤ 32/],
      [{ temperature: 41.2 }, 'news2.extremeTemperature', /^Temp 41.2 °C ≥ 41/],
    ])('raises HIGH for %j at once, as %s', async (readings, rule, words) => {
      await type(readings);
      await expect(shown()).resolves.toEqual([[rule, 'high', expect.stringMatching(words)]]);
      await expect(steps()).resolves.toEqual([0]);
      await expect(sound(nurse)).resolves.toBe('high');
    });

    it.each([
      ['good', 'news2.high'],
      ['questionable', 'news2.aggregate'],
    ])('counts the last pressure of a cuff, which was %s, after a failed one', async (quality, expected) => {
      const cuff = async (value: number): Promise<void> => {
        const takenAt = toInstant(test.now());
        const sample = { patientId: patient, kind: 'systolic', value, takenAt, quality };
        await test.ingest(device.token, [sample], { sentAt: takenAt });
        test.advance(minute);
      };
      await cuff(88);
      await cuff(-999);
      await type({ respiratoryRate: 22, oxygenFlow: 2, temperature: 38.5 });
      await look();
      expect((await listed()).map(({ rule }) => rule)).toEqual([expected]);
    });

    it('asks steps 0 and 1 alone until a second save confirms it, also after a restart', async () => {
      await type({ respiratoryRate: 30, systolic: 88, oxygenFlow: 4 });
      await pass(6);
      await test.restart();
      await pass(7);
      await expect(steps()).resolves.toEqual([0, 1]);
      await type({ respiratoryRate: 28 });
      await pass(11);
      await expect(steps()).resolves.toEqual([0, 1, 2]);
      expect((await shown())[0]?.[2]).not.toMatch(/not confirmed/);
    });

    it('ends by a second save inside the limit, and stays listed until someone has seen it', async () => {
      await type({ respiratoryRate: 4 });
      await pass(2);
      await type({ respiratoryRate: 16 });
      await expect(listed()).resolves.toMatchObject([
        { rule: 'news2.extremeRespiratoryRate', condition: 'ended', latched: true },
      ]);
    });

    describe('that was typed for the wrong patient', () => {
      const withdraw = async (): Promise<number> => {
        const lead = await test.signIn(site, 'ward_lead');
        const address = `/api/v2/patients/${patient}/readings`;
        const [set] = (await lead.call('GET', address)).json<TypedSets>().items;
        const body = { takenAt: set?.takenAt, userId: set?.by.id, reason: 'Of bed 4' };
        const { statusCode } = await lead.call('POST', `${address}/withdraw`, body);
        await test.server.hl7Replay.withdraw(new AbortController().signal);
        return statusCode;
      };
      const all = async (): Promise<AlertItem[]> =>
        (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;

      it.each([
        [{ respiratoryRate: 30, systolic: 60, spo2: 74, pulseRate: 190 }],
        [{ respiratoryRate: 26, systolic: 88, temperature: 38.4, oxygenFlow: 4 }],
      ])('is withdrawn in one act with all that it raised, once: %j', async (readings) => {
        await type(readings);
        expect((await all()).map(({ condition }) => condition)).toContain('active');
        await pass(3);
        await expect(withdraw()).resolves.toBe(204);
        const ended = await all();
        const words = ended.map(({ condition, sentence }) => `${condition}: ${sentence}`);
        expect(words.filter((text) => !text.startsWith('ended: Withdrawn: values were corrected'))).toEqual([]);
        const { latest } = (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<Patient>();
        expect(latest).toEqual({});
        await pass(1);
        await test.server.hl7Replay.withdraw(new AbortController().signal);
        await expect(all()).resolves.toMatchObject(ended.map(({ id }) => ({ id, condition: 'ended' })));
      });

      it('leaves what an earlier set raised, which its own values have to end', async () => {
        await type({ respiratoryRate: 30 });
        await pass(70, 10);
        await type({ respiratoryRate: 32, spo2: 80 });
        await withdraw();
        const left = (await all()).map(({ parameter, condition }) => `${parameter} ${condition}`);
        expect(left.sort()).toEqual(['news2 active', 'spo2 ended']);
      });
    });

    it.each([
      [{ respiratoryRate: 26 }, 'news2.respiratoryRate'],
      [{ consciousness: 'V' }, 'news2.consciousness'],
      [{ respiratoryRate: 22, oxygenFlow: 2, temperature: 38.5 }, 'news2.aggregate'],
    ])('raises MEDIUM for %j in silence, and sounds after 15 min without a second set', async (readings, rule) => {
      await type(readings);
      await expect(listed()).resolves.toMatchObject([{ rule, priority: 'medium', condition: 'active' }]);
      await pass(14);
      await expect(sound(nurse)).resolves.toBeNull();
      await expect(steps()).resolves.toEqual([0]);
      await pass(1);
      await expect(sound(nurse)).resolves.toBe('medium');
      await pass(6);
      await expect(steps()).resolves.toEqual([0, 1]);
    });

    it('sounds as MEDIUM at the second set', async () => {
      await type({ systolic: 88 });
      await expect(sound(nurse)).resolves.toBeNull();
      await pass(3);
      await type({ systolic: 86 });
      await expect(sound(nurse)).resolves.toBe('medium');
    });

    it('raises HIGH in standby, because a person at the bedside has measured it', async () => {
      await nurse.call('POST', `/api/v2/patients/${patient}/standby`, { reason: 'being washed', minutes: 30 });
      await type({ systolic: 64 });
      await expect(listed()).resolves.toMatchObject([{ rule: 'news2.extremeSystolic', priority: 'high' }]);
      await pass(2);
      await expect(listed()).resolves.toMatchObject([{ rule: 'news2.extremeSystolic', condition: 'active' }]);
    });

    it('counts beside a monitor that shows another value, also if it was measured before that', async () => {
      const { mrn, dateOfBirth } = (await nurse.call('GET', `/api/v2/patients/${patient}`)).json<Patient>();
      const url = `/api/v2/devices/${device.id}/assignment`;
      expect((await nurse.call('POST', url, { mrn, dateOfBirth })).statusCode).toBeLessThan(300);
      await feed({ respiratoryRate: 16 }, 60);
      await type({ respiratoryRate: 4 });
      await expect(listed()).resolves.toMatchObject([{ rule: 'news2.extremeRespiratoryRate', priority: 'high' }]);
    });

    it('raises only by single values where NEWS2 does not apply, and nothing under 16 or in comfort care', async () => {
      const url = `/api/v2/patients/${patient}/news2-exemption`;
      await nurse.call('PUT', url, { version: 1, because: 'pregnancy', reason: 'In week 30' });
      await type({ respiratoryRate: 30, systolic: 88, pulseRate: 135, oxygenFlow: 4 });
      await look();
      await expect(listed()).resolves.toEqual([]);
      await type({ systolic: 58 });
      await expect(shown()).resolves.toEqual([
        ['news2.extremeSystolic', 'high', expect.stringMatching(/^Systolic 58/)],
      ]);
      patient = await test.addPatient(site, { dateOfBirth: '2015-03-01' });
      await type({ systolic: 58, consciousness: 'U' });
      await look();
      await expect(listed()).resolves.toEqual([]);
      patient = await test.addPatient(site);
      await physician.call('PUT', `/api/v2/patients/${patient}/comfort-care`, { reason: 'Agreed with the family' });
      await type({ systolic: 58, consciousness: 'U' });
      await look();
      await expect(listed()).resolves.toEqual([]);
    });
  });

  it('is raised by the set that was typed before, when the SpO2 scale is corrected', async () => {
    const setScale = async (scale: 1 | 2): Promise<void> => {
      const { version } = (await physician.call('GET', `/api/v2/patients/${patient}`)).json<{ version: number }>();
      const range = scale === 1 ? { low: 94, high: 98 } : { low: 88, high: 92 };
      const body = { version, scale, ...range, reason: 'As the blood gas shows' };
      expect((await physician.call('PUT', `/api/v2/patients/${patient}/spo2-target`, body)).statusCode).toBe(200);
    };
    await setScale(2);
    await type({ ...well, spo2: 91, respiratoryRate: 21, systolic: 105, temperature: 38.5 });
    await look();
    await expect(shown()).resolves.toEqual([]);
    test.advance(minute);
    await setScale(1);
    await look();
    await expect(shown()).resolves.toEqual([['news2.high', 'high', expect.stringMatching(/^NEWS2 7 ≥ 7/)]]);
  });

  it('keeps the alert when the values grow old, over a restart, and ends it by two newer sets', async () => {
    await type({ ...well, respiratoryRate: 26, systolic: 95 });
    test.advance(3 * 60 * minute);
    await look();
    await test.restart();
    await look();
    await signIn();
    await expect(listed()).resolves.toMatchObject([{ rule: 'news2.aggregate', condition: 'active' }]);
    await type(well);
    await look();
    await expect(listed()).resolves.toMatchObject([{ condition: 'active' }]);
    test.advance(minute);
    await type(well);
    await look();
    await expect(listed()).resolves.toMatchObject([{ condition: 'ended' }]);
  });

  it('waits for the end of a standby, also when the score stays as it is', async () => {
    await nurse.call('POST', `/api/v2/patients/${patient}/standby`, { reason: 'being washed', minutes: 30 });
    await feed({ spo2: 94, heartRate: 112, respiratoryRate: 22 }, 90);
    await expect(listed()).resolves.toEqual([]);
    await nurse.call('POST', `/api/v2/patients/${patient}/standby/end`);
    await look();
    await expect(listed()).resolves.toMatchObject([{ rule: 'news2.aggregate' }]);
  });

  it('folds into an active alert that explains all but two points, and comes out when that has ended', async () => {
    await feed({ spo2: 84, heartRate: 112 }, 120);
    await expect(listed()).resolves.toEqual([]);
    const typed = { respiratoryRate: 22, oxygenFlow: 0, systolic: 120, consciousness: 'A', temperature: 37 };
    await feed({ spo2: 93, heartRate: 112 }, 60);
    await type(typed);
    await feed({ spo2: 93, heartRate: 112 }, 70);
    await expect(listed()).resolves.toMatchObject([{ rule: 'news2.aggregate', condition: 'active' }]);
  });

  it('takes the thresholds that a physician sets for the patient, within bounds', async () => {
    const body = { rule: 'news2.high', values: { high: 10 }, reason: 'Scores 7 at home', basedOn: null };
    const url = `/api/v2/patients/${patient}/limits`;
    expect((await nurse.call('PUT', url, body)).statusCode).toBe(403);
    expect((await physician.call('PUT', url, { ...body, values: { high: 13 } })).statusCode).toBe(422);
    expect((await physician.call('PUT', url, body)).statusCode).toBe(200);
    const ofSite = { ...body, replaces: null };
    expect((await physician.call('POST', '/api/v2/site/limits/proposals', ofSite)).statusCode).toBe(422);
    await type({ ...well, respiratoryRate: 26, systolic: 88, consciousness: 'V' });
    await expect(listed()).resolves.toMatchObject([{ rule: 'news2.aggregate', priority: 'medium' }]);
  });

  it('is off in comfort care, and where NEWS2 does not apply, until that is undone', async () => {
    await type({ ...well, respiratoryRate: 32 });
    await physician.call('PUT', `/api/v2/patients/${patient}/comfort-care`, { reason: 'Agreed with the family' });
    await look();
    await expect(listed()).resolves.toEqual([]);
    patient = await test.addPatient(site);
    const url = `/api/v2/patients/${patient}/news2-exemption`;
    const marked = await nurse.call('PUT', url, { version: 1, because: 'pregnancy', reason: 'In week 30' });
    expect([marked.statusCode, marked.json()]).toMatchObject([
      200,
      { version: 2, items: [{ because: 'pregnancy', setBy: { id: nurse.userId }, endedAt: null }] },
    ]);
    await type({ ...well, respiratoryRate: 32 });
    await look();
    await expect(listed()).resolves.toEqual([]);
    expect((await nurse.call('POST', `${url}/end`, { version: 1 })).statusCode).toBe(409);
    expect((await nurse.call('POST', `${url}/end`, { version: 2 })).json()).toMatchObject({
      items: [{ endedBy: { id: nurse.userId } }],
    });
    test.advance(1_000);
    await type({ ...well, respiratoryRate: 32 });
    await expect(listed()).resolves.toHaveLength(1);
    const rows = await test.store.db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('object_id', '=', patient)
      .where('action', 'like', '%news2%')
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { action: 'set_news2_exemption', details: null },
      { action: 'end_news2_exemption', details: null },
    ]);
  });
});

describe('symptoms', () => {
  describe.each(apiEngines)('a red flag among the symptoms on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    let patient: number;

    beforeAll(async () => {
      test = await restartableTestServer(engine);
    });
    beforeEach(async () => {
      site = await test.addSiteAlone();
      patient = await test.addPatient(site);
      test.advance(30 * minute);
      nurse = await test.signIn(site, 'nurse');
    });

    const report = async (body: object): Promise<void> => {
      test.advance(1_000);
      expect((await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body)).statusCode).toBe(201);
    };
    const listed = async (state: 'open' | 'closed' = 'open'): Promise<AlertItem[]> =>
      (await nurse.call('GET', `/api/v2/alerts?state=${state}&patientId=${patient}`)).json<AlertsPage>().items;
    const sentences = async (): Promise<string[]> => (await listed()).map(({ sentence }) => sentence);
    const resolve = async (): Promise<number> => {
      const [alert] = await listed();
      const body = { version: alert?.version, outcome: 'intervention', note: '' };
      return (await nurse.call('POST', `/api/v2/alerts/${alert?.id}/resolve`, body)).statusCode;
    };
    const named = (flags: string): unknown =>
      expect.stringMatching(
        new RegExp(`^Red flag: ${flags}, reported at \\d\\d:\\d\\d(, \\d times since \\d\\d:\\d\\d)?$`),
      );

    it('stays with its words after a later report without it, over a restart', async () => {
      await report({ redFlags: ['blueLips'] });
      await report({ answers: { cough: 'absent' }, sinceYesterday: 'better' });
      await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
      await test.restart();
      await test.server.alerts.evaluateClock();
      await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
      await expect(listed()).resolves.toMatchObject([{ priority: 'high', condition: 'active', episodes: 1 }]);
    });

    it('is ended by a person who resolves it, and is not raised again by the same report', async () => {
      await report({ redFlags: ['blueLips'] });
      await expect(resolve()).resolves.toBe(200);
      await expect(listed()).resolves.toEqual([]);
      await expect(listed('closed')).resolves.toMatchObject([{ closedBecause: 'resolved', outcome: 'intervention' }]);
      await test.server.alerts.evaluateClock();
      await report({ answers: { cough: 'absent' } });
      await test.restart();
      await test.server.alerts.evaluateClock();
      await expect(listed()).resolves.toEqual([]);
      await report({ redFlags: ['blueLips'] });
      await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
    });

    it('is raised again by a further one, which no one has seen yet', async () => {
      await report({ redFlags: ['blueLips'] });
      const [alert] = await listed();
      await nurse.call('POST', `/api/v2/alerts/${alert?.id}/acknowledge`, { version: alert?.version });
      await report({ redFlags: ['blueLips'] });
      await expect(listed()).resolves.toMatchObject([{ acknowledged: { by: { id: nurse.userId } }, episodes: 1 }]);
      await report({ redFlags: ['seizure'] });
      await expect(listed()).resolves.toMatchObject([{ acknowledged: null, episodes: 2 }]);
      await expect(sentences()).resolves.toEqual([named('Blue lips or face; Seizure')]);
    });

    it('is raised although another person reports at once that there is none', async () => {
      const post = (body: object) => nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body);
      const other = await test.signIn(site, 'physician');
      await Promise.all([
        post({ redFlags: ['blueLips'] }),
        other.call('POST', `/api/v2/patients/${patient}/symptoms`, { answers: { cough: 'absent' } }),
      ]);
      await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
    });

    it('that is resolved leaves what got worse after it, which is raised at once', async () => {
      await report({ redFlags: ['blueLips'] });
      await report({ sinceYesterday: 'worse' });
      await expect(listed()).resolves.toMatchObject([{ rule: 'symptoms.red_flag', episodes: 1 }]);
      await expect(resolve()).resolves.toBe(200);
      await expect(listed()).resolves.toMatchObject([{ rule: 'symptoms.amber', condition: 'active' }]);
    });

    it('is raised although more than a hundred harmless reports came before it was evaluated', async () => {
      await report({ answers: { cough: 'mild' } });
      const { id: _, ...row } = await test.store.db
        .selectFrom('symptom_reports')
        .selectAll()
        .where('patient_id', '=', patient)
        .executeTakeFirstOrThrow();
      const at = (place: number) => ({ reported_at: row.reported_at + place, recorded_at: row.recorded_at + place });
      await test.store.db
        .insertInto('symptom_reports')
        .values([
          { ...row, ...at(1), answers: '[["cough","mild"],["syncope","mild"]]' },
          ...Array.from({ length: 600 }, (__, place) => ({ ...row, ...at(place + 2) })),
        ])
        .execute();
      await test.server.alerts.reported(patient);
      await expect(sentences()).resolves.toEqual([named('Collapse or faint')]);
    });

    it('is raised beside a report that cannot be read, which is an alert itself until it is marked', async () => {
      await report({ redFlags: ['blueLips'] });
      const damaged = test.store.db
        .updateTable('symptom_reports')
        .set({ answers: '[["cough"', red_flags: '["seizure"]' })
        .where('patient_id', '=', patient);
      await damaged.execute();
      await report({ redFlags: ['hardToRouse'] });
      await test.restart();
      nurse = await test.signIn(site, 'nurse');
      await test.server.alerts.evaluateClock();
      const rules = async () => (await listed()).map(({ rule }) => rule).sort();
      await expect(rules()).resolves.toEqual(['rules.failed', 'symptoms.red_flag']);
      await test.store.db
        .updateTable('symptom_reports')
        .set({ in_error_at: test.now(), in_error_by: nurse.userId, in_error_reason: 'damaged' })
        .where('patient_id', '=', patient)
        .where('answers', '=', '[["cough"')
        .execute();
      await report({ answers: { cough: 'mild' } });
      expect((await listed()).find(({ rule }) => rule === 'rules.failed')?.condition ?? 'ended').toBe('ended');
    });

    it.each([
      '[["cough"]]',
      '[["cough","sev?re"]]',
      '[["cough","unanswered"],]',
      '[,["cough","unanswered"]]',
      '[["?","unanswered"]]',
      '[1]',
    ])('is an alert if a report is damaged within its list of answers: %s', async (answers) => {
      await report({ answers: { cough: 'mild' } });
      await test.store.db.updateTable('symptom_reports').set({ answers }).where('patient_id', '=', patient).execute();
      await test.server.alerts.reported(patient);
      expect((await listed()).map(({ rule }) => rule)).toContain('rules.failed');
    });

    it('of a second report in the same millisecond is a further one, and is not answered by the first', async () => {
      const post = async (body: object, by: Caller) => {
        expect((await by.call('POST', `/api/v2/patients/${patient}/symptoms`, body)).statusCode).toBe(201);
      };
      const other = await test.signIn(site, 'physician');
      await post({ redFlags: ['blueLips'] }, nurse);
      await post({ redFlags: ['seizure'] }, other);
      await expect(listed()).resolves.toMatchObject([{ episodes: 2 }]);
      await expect(resolve()).resolves.toBe(200);
      await post({ redFlags: ['hardToRouse'] }, await test.signIn(site, 'ward_lead'));
      await expect(sentences()).resolves.toEqual([named('Hard to rouse')]);
    });

    it('stays when the patient goes home, and is over with a discharge, seen or not', async () => {
      await report({ redFlags: ['blueLips'] });
      await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 1, profile: 'home' });
      await test.server.alerts.evaluateClock();
      await expect(sentences()).resolves.toEqual([named('Blue lips or face')]);
      await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 2, state: 'discharged' });
      await nurse.call('PATCH', `/api/v2/patients/${patient}`, { version: 3, state: 'active' });
      await test.server.alerts.evaluateClock();
      await expect(listed()).resolves.toMatchObject([{ condition: 'ended', latched: true }]);
    });
  });

  describe.each(apiEngines)('symptoms that got worse on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let nurse: Caller;
    let patient: number;

    beforeAll(async () => {
      test = await restartableTestServer(engine);
    });
    beforeEach(async () => {
      site = await test.addSiteAlone();
      patient = await test.addPatient(site);
      test.advance(30 * minute);
      nurse = await test.signIn(site, 'nurse');
    });

    const report = async (body: object): Promise<void> => {
      test.advance(minute);
      expect((await nurse.call('POST', `/api/v2/patients/${patient}/symptoms`, body)).statusCode).toBe(201);
    };
    const listed = async (): Promise<AlertItem[]> =>
      (await nurse.call('GET', `/api/v2/alerts?patientId=${patient}`)).json<AlertsPage>().items;
    const act = async (what: string, more: object = {}): Promise<number> => {
      const [alert] = await listed();
      const body = { version: alert?.version, ...more };
      return (await nurse.call('POST', `/api/v2/alerts/${alert?.id}/${what}`, body)).statusCode;
    };

    it('stay an alert after harmless reports, over a restart and days, until the patient is better', async () => {
      await report({ answers: { cough: 'mild' } });
      await report({ answers: { cough: 'severe' }, sinceYesterday: 'worse' });
      await report({ answers: { cough: 'severe', fever: 'absent' }, sinceYesterday: 'same' });
      const [alert] = await listed();
      expect(alert).toMatchObject({ rule: 'symptoms.amber', condition: 'active', episodes: 1 });
      for (let day = 0; day < 3; day += 1) {
        test.advance(24 * 60 * minute);
        await test.restart();
        nurse = await test.signIn(site, 'nurse');
        await report({ answers: { fever: 'mild' } });
      }
      const [after] = await listed();
      expect(after).toMatchObject({ id: alert?.id, condition: 'active', episodes: 1 });
      expect(after?.sentence).toMatch(/^Worse than yesterday: Cough worse, reported at /);
      await report({ sinceYesterday: 'better' });
      await expect(listed()).resolves.toMatchObject([{ id: alert?.id, condition: 'ended' }]);
    });

    it('sound again with each further worsening, also after someone has acknowledged them', async () => {
      await report({ sinceYesterday: 'worse' });
      await expect(act('acknowledge')).resolves.toBe(200);
      await report({ answers: { cough: 'mild' } });
      await expect(listed()).resolves.toMatchObject([{ acknowledged: { by: { id: nurse.userId } }, episodes: 1 }]);
      await report({ answers: { cough: 'moderate' } });
      await expect(listed()).resolves.toMatchObject([{ acknowledged: null, episodes: 2 }]);
    });

    it('are ended by a person, and raised by the next worsening alone', async () => {
      await report({ sinceYesterday: 'worse' });
      await expect(act('resolve', { outcome: 'intervention', note: '' })).resolves.toBe(200);
      await report({ answers: { cough: 'mild' }, sinceYesterday: 'same' });
      await test.restart();
      nurse = await test.signIn(site, 'nurse');
      await expect(listed()).resolves.toEqual([]);
      await report({ answers: { cough: 'moderate' } });
      await expect(listed()).resolves.toMatchObject([{ rule: 'symptoms.amber', episodes: 1 }]);
    });
  });
});

describe.each(apiEngines)('an S1 report on %s', (engine) => {
  const s1 = { severity: 'S1', alarmsUnit: true } as const;

  let test: TestServer;
  let site: number;
  let unit: number;
  let nurse: Caller;
  let elsewhere: Caller;
  let lead: Caller;

  beforeAll(async () => {
    // A server of its own: its clock is set.
    test = await startTestServer(engine);
  });
  beforeEach(async () => {
    await test.stopRules();
    site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    elsewhere = await test.signIn(site, 'nurse');
    lead = await test.signIn(site, 'ward_lead');
    unit = await test.addUnit(site, 'Ward 4', [nurse.userId]);
    await test.addUnit(site, 'Ward 5', [elsewhere.userId]);
    await test.startRules(site);
    // The users of a site are read every 10 s.
    await look(10_000);
  });
  afterAll(() => test.stop());

  async function look(ms: number): Promise<void> {
    test.advance(ms);
    await test.server.alerts.evaluateClock();
  }
  const file = async (more: Partial<NewReport> = {}, by = nurse): Promise<IssueReport> => {
    const body = { ...newReport({ ...s1, unitId: unit, kind: 'data', ...more }), authorId: by.userId };
    const response = await by.call('POST', '/api/v2/reports', body);
    expect([response.statusCode, response.body]).toEqual([201, expect.stringContaining('{"id"')]);
    return response.json<IssueReport>();
  };
  const change = async ({ id }: IssueReport, body: object, by = lead): Promise<IssueReport> => {
    const { version } = (await by.call('GET', `/api/v2/reports/${id}`)).json<IssueReport>();
    const response = await by.call('PATCH', `/api/v2/reports/${id}`, { version, authorId: by.userId, ...body });
    expect([response.statusCode, response.body]).toEqual([200, expect.stringContaining('{"id"')]);
    return response.json<IssueReport>();
  };
  const read = async ({ id }: IssueReport, by = lead): Promise<IssueReport> =>
    (await by.call('GET', `/api/v2/reports/${id}`)).json<IssueReport>();
  const open = async (by = nurse): Promise<AlertItem[]> =>
    (await by.call('GET', '/api/v2/alerts')).json<AlertsPage>().items;
  const sound = async (by: Caller): Promise<AlertSound['priority']> =>
    (await by.call('GET', '/api/v2/alerts/sound')).json<AlertSound>().priority;
  const alerts = async (): Promise<number> =>
    (await test.store.db.selectFrom('alerts').select('id').where('site_id', '=', site).execute()).length;

  it('alarms no one while the site’s rules are off, and says so, until they are on', async () => {
    const quiet = await test.addSite();
    const reporter = await test.signIn(quiet, 'nurse');
    const report = await file({ unitId: null }, reporter);
    expect([report.alarm, report.alertId]).toEqual(['rules_off', null]);
    await expect(open(reporter)).resolves.toEqual([]);
    await test.startRules(quiet);
    await look(1_000);
    expect((await open(reporter)).map(({ rule }) => rule)).toEqual(['report.s1']);
    expect((await read(report, reporter)).alarm).toBe('open');
  });

  it('asks those who are there in the site once no one of its unit is', async () => {
    const physician = await test.signIn(site, 'physician');
    await test.addUnit(site, 'Ward 6', [physician.userId]);
    await look(10_000);
    await file();
    await look(1_000);
    const asked = async () => (await open(physician)).flatMap(({ escalation }) => escalation.asked);
    expect((await asked()).map(({ step }) => step)).toEqual([0]);
    for (const user of [nurse, lead]) {
      expect((await user.call('POST', '/api/v2/auth/sign-out')).statusCode).toBe(204);
    }
    await look(1_000);
    expect((await asked()).at(-1)).toMatchObject({ step: 2, users: [{ id: physician.userId }] });
  });

  it('of S2 to S4 alarms no one', async () => {
    for (const severity of ['S2', 'S3', 'S4'] as const) {
      await expect(file({ severity, alarmsUnit: false })).resolves.toMatchObject({ alarm: 'none' });
    }
    await look(minute);
    await expect(open(lead)).resolves.toEqual([]);
  });

  it('alarms its unit before its page is answered: one HIGH alert, without a word of the report', async () => {
    const report = await file({ title: 'Bed 3 shows bed 4' });
    const [alert, ...more] = await open();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      id: report.alertId,
      priority: 'high',
      parameter: 'report',
      rule: 'report.s1',
      patientId: null,
      deviceName: 'Ward 4',
      unitId: unit,
      headline: 'Issue report: monitoring lost or wrong patient data',
    });
    expect(report.alarm).toBe('open');
    expect(JSON.stringify(alert)).not.toContain('Bed 3');
    const strip = (await nurse.call('GET', '/api/v2/alerts/strip')).json<AlertStrip>();
    expect(strip.items).toMatchObject([{ unit: 'Ward 4', bed: null, priority: 'high' }]);
    await expect(sound(nurse)).resolves.toBe('high');
    await expect(sound(lead)).resolves.toBe('high');
  });

  it('is not seen or heard in another unit', async () => {
    await file();
    await expect(open(elsewhere)).resolves.toEqual([]);
    await expect(sound(elsewhere)).resolves.toBeNull();
  });

  it('asks by name the ward leads of the site, if no one is ward lead of the shift', async () => {
    await file();
    await look(5 * minute);
    const [alert] = await open();
    expect(
      alert?.escalation.asked.map(({ roles, wholeUnit, users }) => [roles, wholeUnit, users.map(({ id }) => id)]),
    ).toEqual([
      [['charge_nurse'], true, []],
      [['ward_lead'], false, [lead.userId]],
    ]);
  });

  it('without a unit is for the ward leads of the site, and sounds for no one else', async () => {
    const report = await file({ unitId: null });
    expect(report.unit).toBeNull();
    await expect(open(lead)).resolves.toMatchObject([{ deviceName: 'Whole site', unitId: null }]);
    expect([await sound(lead), await sound(nurse), await sound(elsewhere)]).toEqual(['high', null, null]);
  });

  it('adds to the alert of its unit and makes it sound again, and the last one that is triaged ends it', async () => {
    const first = await file();
    const [alert] = await open();
    await nurse.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/acknowledge`, { version: alert?.version });
    await expect(sound(nurse)).resolves.toBeNull();
    await look(minute);
    const second = await file();
    expect((await open()).map(({ id, episodes }) => [id, episodes])).toEqual([[alert?.id, 2]]);
    expect(second.alertId).toBe(first.alertId);
    await expect(sound(nurse)).resolves.toBe('high');
    await expect(change(first, { status: 'triaged' })).resolves.toMatchObject({ alarm: 'ended' });
    await look(minute);
    await expect(open()).resolves.toHaveLength(1);
    await expect(change(second, { severity: 'S3' })).resolves.toMatchObject({ alarm: 'ended' });
    await expect(open()).resolves.toEqual([]);
    await expect(alerts()).resolves.toBe(1);
  });

  it('that is sent twice alarms once', async () => {
    const body = { ...newReport({ ...s1, unitId: unit }), authorId: nurse.userId };
    await Promise.all([nurse.call('POST', '/api/v2/reports', body), nurse.call('POST', '/api/v2/reports', body)]);
    await expect(open()).resolves.toMatchObject([{ episodes: 1 }]);
  });

  it('made of another report by a manager alarms as well', async () => {
    const report = await file({ severity: 'S3', alarmsUnit: false });
    await change(report, { status: 'triaged' });
    await expect(open()).resolves.toEqual([]);
    await expect(change(report, s1)).resolves.toMatchObject({ alarm: 'open' });
    await expect(open()).resolves.toHaveLength(1);
  });

  it('made of another report alarms where its patient is by then, and stays there when they move on', async () => {
    const patient = await test.addPatient(site, { location: { unit: 'Ward 4', bed: '7' } });
    const move = async (name: string, bed: string): Promise<void> => {
      const { version } = (await lead.call('GET', `/api/v2/patients/${patient}`)).json<{ version: number }>();
      const location = { unit: name, bed };
      expect((await lead.call('PATCH', `/api/v2/patients/${patient}`, { version, location })).statusCode).toBe(200);
    };
    const report = await file({ severity: 'S3', alarmsUnit: false, unitId: null, patientId: patient });
    expect(report).toMatchObject({ unit: { name: 'Ward 4' }, bed: '7' });
    await move('Ward 5', '2');
    const raised = await change(report, s1);
    expect(raised).toMatchObject({ unit: { name: 'Ward 5' }, bed: '2', alarm: 'open' });
    expect(raised.entries.map(({ is, from, to }) => [is, from, to])).toEqual([
      ['filed', null, null],
      ['unit', 'Ward 4', 'Ward 5'],
      ['severity', 'S3', 'S1'],
      ['alarm', 'off', 'on'],
    ]);
    await expect(open(elsewhere)).resolves.toMatchObject([{ deviceName: 'Ward 5' }]);
    await expect(open()).resolves.toEqual([]);
    await move('Ward 4', '8');
    await look(minute);
    await expect(open(elsewhere)).resolves.toMatchObject([{ deviceName: 'Ward 5', condition: 'active' }]);
    await expect(open()).resolves.toEqual([]);
  });

  it('made of a report whose unit is gone alarms the ward leads of the site', async () => {
    const admin = await test.signIn(site, 'administrator', true);
    const empty = await test.addUnit(site, 'Closing');
    const report = await file({ severity: 'S3', alarmsUnit: false, unitId: empty });
    expect((await admin.call('DELETE', `/api/v2/units/${empty}`)).statusCode).toBe(204);
    await expect(change(report, s1)).resolves.toMatchObject({ unit: null, alarm: 'open' });
    await expect(open(lead)).resolves.toMatchObject([{ deviceName: 'Whole site' }]);
  });

  it('keeps its unit from being deleted until it alarms no more', async () => {
    const admin = await test.signIn(site, 'administrator', true);
    const empty = await test.addUnit(site, 'Closing');
    const report = await file({ unitId: empty });
    const remove = () => admin.call('DELETE', `/api/v2/units/${empty}`);
    const refused = await remove();
    expect([refused.statusCode, refused.json<{ error: { code: string } }>().error.code]).toEqual([409, 'unit_alarmed']);
    await expect(open(lead)).resolves.toMatchObject([{ unitId: empty, deviceName: 'Closing' }]);
    await change(report, { status: 'triaged' });
    expect((await remove()).statusCode).toBe(204);
  });

  it('is ended by the user who resolves its alert, and its history says who', async () => {
    const report = await file();
    const [alert] = await open();
    const response = await nurse.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/resolve`, {
      version: alert?.version,
      outcome: 'intervention',
      note: 'Monitors changed',
    });
    expect(response.statusCode).toBe(200);
    await look(2_000);
    await expect(open()).resolves.toEqual([]);
    const after = await read(report);
    expect(after).toMatchObject({ alarm: 'ended', status: 'new', severity: 'S1' });
    expect(after.entries.at(-1)).toMatchObject({ is: 'alarm', from: 'on', to: 'off', by: { id: nurse.userId } });
    await file();
    await expect(open()).resolves.toHaveLength(1);
  });

  it.each(['accept', 'acknowledge'])('goes on after someone has done this to its alert: %s', async (action) => {
    await file();
    const [alert] = await open();
    const body = { version: alert?.version };
    expect((await nurse.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/${action}`, body)).statusCode).toBe(200);
    await look(minute);
    await expect(open()).resolves.toMatchObject([{ condition: 'active' }]);
  });

  it('taken by a ward lead of no unit stays theirs', async () => {
    await file();
    const [alert] = await open(lead);
    await lead.call('POST', `/api/v2/alerts/${alert?.id ?? 0}/accept`, { version: alert?.version });
    await look(11_000);
    await expect(open(lead)).resolves.toMatchObject([{ accepted: { by: { id: lead.userId } } }]);
  });

  it('alarms over a restart, and over a step of the clock, without a second alert', async () => {
    await file();
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await look(1_000);
    await expect(open()).resolves.toMatchObject([{ episodes: 1, condition: 'active' }]);
    for (const step of [-3_600_000, 7_200_000]) {
      test.setWallClock(step);
      await test.server.clockWatch.check();
      await look(1_000);
      const ofReports = (await open()).filter(({ parameter }) => parameter === 'report');
      expect(ofReports).toMatchObject([{ episodes: 1, condition: 'active' }]);
    }
    await expect(alerts()).resolves.toBeLessThanOrEqual(2);
    // Then no one doubts the clock any more, so no other test hears of the step.
    await look(25 * 3_600_000);
  });

  it('alarms at the next tick after a crash between the report and its alert', async () => {
    const report = await file({ severity: 'S3', alarmsUnit: false });
    await test.store.db
      .updateTable('issue_reports')
      .set({ severity: 'S1', alarm_at: test.now() })
      .where('id', '=', report.id)
      .execute();
    expect((await read(report)).alarm).toBe('opening');
    await test.restart();
    nurse = await test.signIn(site, 'nurse');
    await look(1_000);
    expect((await open()).map(({ parameter }) => parameter)).toContain('report');
  });
});
