import fc from 'fast-check';
import { toInstant } from '../../lib/time/schema';
import { kinds } from '../../lib/vitals/kinds';
import { apiEngines } from '../../test/database';
import { patientRow } from '../../test/patientRow';
import { restartableTestServer } from '../../test/sharedServer';
import { startOfTest, type Caller, type TestServer } from '../../test/testServer';
import { qualityCode } from '../vitals/qualityCode';
import { LiveState } from '../liveState';
import type { Sample } from '../vitals/sample';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import { listPatients, presentPatient } from '../patients/queries';

const patient = patientRow(1, 1, 'A');

/** Every device says its own value, so that the value shown names the device. */
const entry = fc.record({ device: fc.integer({ min: 1, max: 4 }), second: fc.nat(200) });
const stream = fc.uniqueArray(entry, {
  minLength: 1,
  maxLength: 25,
  selector: ({ device, second }) => `${device} ${second}`,
});
const assigned = fc.subarray([1, 2, 3, 4]);

function sampleOf({ device, second }: { device: number; second: number }): Sample {
  const takenAt = startOfTest + second * 1_000;
  return {
    minute: Math.floor(takenAt / 60_000),
    patientId: patient.id,
    kind: kinds.spo2.code,
    takenAt,
    deviceId: device,
    siteId: 1,
    value: device,
    quality: qualityCode('good', true),
    receivedAt: takenAt,
    offsetMs: 0,
  };
}

/** Device 4 sends every 30 s, the others every second. */
function wardOf(entries: readonly { device: number; second: number }[], attached: readonly number[]): LiveState {
  const liveState = new LiveState();
  liveState.putPatient(patient);
  const device = {
    site_id: 1,
    token_hash: '',
    sender_id: null,
    source_key: null,
    sender_bed: null,
    bed_mapping_id: null,
    code_mapping_id: null,
    created_at: 0,
    expires_at: null,
    revoked_at: null,
    clock_offset_ms: null,
  };
  liveState.devices.set(4, { ...device, id: 4, name: 'slow', expected_every_ms: 30_000 });
  attached.forEach((id) => liveState.assigned.set(id, patient.id));
  entries.forEach((one) => liveState.takeSample(sampleOf(one)));
  return liveState;
}
const everyMs = (device: number): number => (device === 4 ? 30_000 : 1_000);
const shownBy = (liveState: LiveState, now: number) => presentPatient(liveState, patient, now).latest.spo2;

/** Returns how far apart the values of a device come, as they were observed; as it is set before that. */
function paceOf(seconds: readonly number[], device: number): number {
  const gaps = seconds.slice(1).map((second, index) => (second - (seconds[index] ?? 0)) * 1_000);
  const [last, before] = [gaps.at(-1), gaps.at(-2)];
  if (last === undefined || before === undefined) {
    return last !== undefined && last >= 60_000 ? last : everyMs(device);
  }
  return Math.min(last, before);
}

describe('the value of a kind that several devices report', () => {
  it('is of a present assigned device, else of another that is, else the newest of all', () => {
    fc.assert(
      fc.property(stream, assigned, fc.integer({ min: 0, max: 400 }), (entries, attached, second) => {
        const now = startOfTest + second * 1_000;
        const inOrder = entries.toSorted((a, b) => (a.second === b.second ? a.device - b.device : a.second - b.second));
        const newestFirst = inOrder.toReversed();
        const secondsOf = (device: number): number[] =>
          inOrder.filter((one) => one.device === device).map((one) => one.second);
        const present = newestFirst.filter((one, index) => {
          const own = secondsOf(one.device);
          const isNewest = newestFirst.findIndex(({ device }) => device === one.device) === index;
          const lastsMs = Math.max(10_000, 1.5 * paceOf(own, one.device));
          return isNewest && second * 1_000 - one.second * 1_000 <= lastsMs;
        });
        const isAlone = new Set(entries.map(({ device }) => device)).size === 1;
        const ofAttached = present.filter(({ device }) => attached.includes(device));
        const equal = ofAttached.length > 0 ? ofAttached : present;
        // Always the same one of those that send each second: the newest would be another one each second.
        const everyOf = (device: number): number => Math.max(everyMs(device), paceOf(secondsOf(device), device));
        const streams = equal
          .filter((one) => everyOf(one.device) < 60_000)
          .filter((one) => (second - one.second) * 1_000 <= Math.max(30_000, 2 * everyMs(one.device)))
          .sort((a, b) => a.device - b.device);
        const steady = streams.find(({ device }) => everyOf(device) <= 10_000) ?? equal[0] ?? newestFirst[0];
        // Every value is the number of its device: the lowest one is the worst.
        const best = streams.find(({ device }) => device < (steady?.device ?? 0)) ?? steady;
        const [newest] = newestFirst;
        const isSilent = ofAttached.length === 0 && present.every(({ device }) => device !== newest?.device);
        const isOlder = (newest?.second ?? 0) - (best?.second ?? 0) > 60;
        const expected = isAlone || (isSilent && isOlder) ? newest : best;
        const shown = shownBy(wardOf(inOrder, attached), now);
        expect([shown?.value, shown?.takenAt]).toEqual([
          expected?.device,
          toInstant(startOfTest + (expected?.second ?? 0) * 1_000),
        ]);
      }),
      { numRuns: 500 },
    );
  });

  it('is the same however the calls of the devices lie between each other', () => {
    fc.assert(
      fc.property(stream, assigned, fc.nat(400), (entries, attached, second) => {
        const now = startOfTest + second * 1_000;
        const inOrder = entries.toSorted((a, b) => a.second - b.second);
        const byDevice = inOrder.toSorted((a, b) => a.device - b.device);
        expect(shownBy(wardOf(byDevice, attached), now)).toEqual(shownBy(wardOf(inOrder, attached), now));
      }),
      { numRuns: 300 },
    );
  });

  it('is that of another device while the assigned one has sent invalid values alone for more than 10 s', () => {
    const liveState = wardOf([], [1]);
    const put = (device: number, second: number, quality: 'good' | 'invalid'): void =>
      liveState.takeSample({ ...sampleOf({ device, second }), quality: qualityCode(quality, true) });
    for (let second = 0; second <= 60; second += 30) {
      put(1, second, 'good');
    }
    for (let second = 61; second <= 75; second += 1) {
      put(1, second, 'invalid');
      put(2, second, 'good');
      const shown = shownBy(liveState, startOfTest + second * 1_000);
      expect([second, shown?.source]).toEqual([second, second <= 71 ? 'device 1' : 'device 2']);
    }
  });

  it.each([
    ['the lower one is shown all the time, whichever is the newest', 98, 74, 74],
    ['the lower one is shown all the time, also if its device is the older one', 74, 98, 74],
    ['the lower one is shown all the time, also if it is little lower', 97, 96, 96],
  ])('of two devices that send each second, %s', (_, first, second, expected) => {
    const liveState = wardOf([], []);
    for (let at = 0; at < 20; at += 1) {
      for (const [device, value] of [
        [2, first],
        [3, second],
      ] as const) {
        // prettier-ignore
        liveState.takeSample({ ...sampleOf({ device, second: at }), value });
        expect([at, device, shownBy(liveState, startOfTest + at * 1_000)?.value]).toEqual([
          at,
          device,
          at === 0 && device === 2 ? first : expected,
        ]);
      }
    }
  });

  it.each([
    ['questionable', { value: 74, quality: 'questionable', other: { value: 98 } }],
    ['invalid', { value: 74, quality: 'questionable', other: { value: 98 } }],
  ] as const)('is the lower one of two each second, also while its device says %s', (quality, expected) => {
    const liveState = wardOf([], []);
    liveState.takeSample({ ...sampleOf({ device: 3, second: 0 }), value: 74 });
    liveState.takeSample({ ...sampleOf({ device: 2, second: 1 }), value: 98 });
    expect(shownBy(liveState, startOfTest + 1_000)).toMatchObject({ value: 74, quality: 'good', other: { value: 98 } });
    liveState.takeSample({ ...sampleOf({ device: 3, second: 2 }), value: 74, quality: qualityCode(quality, true) });
    expect(shownBy(liveState, startOfTest + 2_000)).toMatchObject(expected);
  });

  it('is the certain one of two that send each second and say the same, until it is silent', () => {
    const liveState = wardOf([], []);
    const uncertain = qualityCode('questionable', true);
    liveState.takeSample({ ...sampleOf({ device: 2, second: 5 }), value: 97, quality: uncertain });
    liveState.takeSample({ ...sampleOf({ device: 3, second: 0 }), value: 97 });
    expect(shownBy(liveState, startOfTest + 5_000)?.source).toBe('device 3');
    expect(shownBy(liveState, startOfTest + 10_001)?.source).toBe('device 2');
  });

  it('is the lowest of three, with the one beside it that differs most', () => {
    const liveState = wardOf([], []);
    for (const [device, value] of [
      [1, 89],
      [2, 93],
      [3, 86],
    ] as const) {
      // prettier-ignore
      liveState.takeSample({ ...sampleOf({ device, second: 0 }), value });
    }
    expect(shownBy(liveState, startOfTest)).toMatchObject({ value: 86, other: { value: 93 } });
  });

  it.each([
    ['typed in', -7],
    ['of a device at home that is present for hours', 4],
  ])('is never an old one that was %s in the place of a newer one whose device fell silent', (_, old) => {
    const liveState = wardOf([], []);
    const row = old < 0 ? patient : { ...patient, profile: 'home' as const };
    liveState.putPatient(row);
    liveState.takeSample({ ...sampleOf({ device: 1, second: -300 }), deviceId: old, value: 98 });
    for (let second = 0; second < 5; second += 1) {
      liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 74 });
    }
    for (const second of [5, 14, 15, 30, 50]) {
      const shown = presentPatient(liveState, row, startOfTest + second * 1_000).latest.spo2;
      expect([second, shown?.value]).toEqual([second, 74]);
    }
  });

  it('is that of the assigned device, with the other one beside it, though the other one is lower', () => {
    const liveState = wardOf([], [2]);
    liveState.takeSample({ ...sampleOf({ device: 2, second: 0 }), value: 98 });
    liveState.takeSample({ ...sampleOf({ device: 3, second: 1 }), value: 74 });
    expect(shownBy(liveState, startOfTest + 1_000)).toMatchObject({ value: 98, other: { value: 74 } });
  });

  it('is that of the stream beside a device that measures every five minutes, though set as a stream', () => {
    const liveState = wardOf([], []);
    for (const second of [-600, -300, 0]) {
      liveState.takeSample({ ...sampleOf({ device: 1, second }), value: 79 });
    }
    for (let second = 1; second <= 70; second += 1) {
      liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 80 });
      expect([second, shownBy(liveState, startOfTest + second * 1_000)?.value]).toEqual([second, 80]);
    }
  });

  it('is a live one beside a worse one that is stale', () => {
    const liveState = wardOf([], []);
    for (const second of [-90, -45, 0]) {
      liveState.takeSample({ ...sampleOf({ device: 1, second }), value: 74 });
    }
    for (let second = 1; second <= 40; second += 1) {
      liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 90 });
      const shown = shownBy(liveState, startOfTest + second * 1_000);
      expect([second, shown?.value]).toEqual([second, second <= 30 ? 74 : 90]);
    }
  });

  it('is the certain one of two that do not disagree, so that NEWS2 has it', () => {
    const liveState = wardOf([], []);
    const uncertain = qualityCode('questionable', true);
    liveState.takeSample({ ...sampleOf({ device: 2, second: 0 }), value: 91, quality: uncertain });
    liveState.takeSample({ ...sampleOf({ device: 3, second: 0 }), value: 92 });
    expect(shownBy(liveState, startOfTest)).toMatchObject({ value: 92, quality: 'good' });
  });

  it('is that of the assigned device though another one has measured a minute later and fell silent', () => {
    const liveState = wardOf([], [2]);
    for (const second of [-240, -120, 0]) {
      liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 74 });
    }
    liveState.takeSample({ ...sampleOf({ device: 3, second: 70 }), value: 98 });
    for (const second of [70, 80, 81, 110]) {
      expect([second, shownBy(liveState, startOfTest + second * 1_000)?.value]).toEqual([second, 74]);
    }
  });

  it('is that of the assigned device though another one has measured minutes later', () => {
    const liveState = wardOf([], [2]);
    for (const second of [0, 100, 200]) {
      liveState.takeSample({ ...sampleOf({ device: 2, second }), value: 98 });
    }
    liveState.takeSample({ ...sampleOf({ device: 3, second: 290 }), value: 96 });
    expect(shownBy(liveState, startOfTest + 290_000)).toMatchObject({ value: 98, other: { value: 96 } });
  });

  it('is that of the monitor again a second after a user has typed in another one', () => {
    const liveState = wardOf([{ device: 2, second: 0 }], []);
    const manual = { ...sampleOf({ device: 2, second: 1 }), deviceId: -7, value: 74 };
    liveState.takeSample(manual);
    liveState.takeSample({ ...sampleOf({ device: 2, second: 1 }), value: 98 });
    expect(shownBy(liveState, startOfTest + 1_000)).toMatchObject({ value: 98, other: { value: 74 } });
  });

  it('is never that of a device for being assigned to somebody else', () => {
    const liveState = wardOf(
      [
        { device: 1, second: 0 },
        { device: 2, second: 1 },
      ],
      [],
    );
    liveState.putPatient(patientRow(2, 1, 'B'));
    liveState.assigned.set(2, 2);
    expect(shownBy(liveState, startOfTest + 2_000)?.value).toBe(1);
    expect(presentPatient(liveState, patientRow(2, 1, 'B'), startOfTest + 2_000).latest).toEqual({});
  });

  it('is shown in a list until the moment the list names', () => {
    fc.assert(
      fc.property(stream, assigned, fc.nat(400), (entries, attached, second) => {
        const now = startOfTest + second * 1_000;
        const liveState = wardOf(entries, attached);
        const list = (at: number) =>
          listPatients(
            liveState,
            { siteId: 1, unitIds: null },
            { state: 'active', sort: 'familyName', page: 1, pageSize: 25, only: null, attention: false },
            at,
          );
        const { page, until } = list(now);
        expect(until).toBeGreaterThan(now);
        expect(list(until === Infinity ? now + 1e9 : until - 1).page).toEqual(page);
        expect(until === Infinity || list(until).until > until).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe.each(apiEngines)('an assigned device on %s', (engine) => {
  let test: TestServer;
  let nurse: Caller;
  let id: number;

  beforeAll(async () => {
    test = await restartableTestServer(engine);
    const site = await test.addSite();
    nurse = await test.signIn(site, 'nurse');
    id = await test.addPatient(site, { mrn: 'A1' });
  });

  const list = async (after = ''): Promise<PatientsPage> =>
    (await nurse.call('GET', `/api/v2/patients${after}`)).json<PatientsPage>();
  const source = async (): Promise<string | undefined> => (await list()).items[0]?.latest.spo2?.source;

  it('is shown before another one while it is present, also after a restart', async () => {
    const wearable = await test.addDevice(nurse.siteId, { name: 'wearable' });
    const probe = await test.addDevice(nurse.siteId, { name: 'probe' });
    const wire = () => [{ patientId: id, kind: 'spo2', value: 97, takenAt: toInstant(test.now()), quality: 'good' }];
    await test.ingest(probe.token, wire());
    test.advance(5_000);
    await test.ingest(wearable.token, wire());
    await expect(source()).resolves.toBe('wearable');
    test.advance(2_000);
    await nurse.call('POST', `/api/v2/devices/${probe.id}/assignment`, { mrn: 'A1', dateOfBirth: '1950-03-07' });
    await expect(source()).resolves.toBe('probe');
    await test.restart();
    const { version } = await list();
    await expect(source()).resolves.toBe('probe');
    test.advance(3_000);
    await expect(list(`?after=${version}`)).resolves.toEqual({ unchanged: true, version });
    test.advance(1);
    await expect(list(`?after=${version}`)).resolves.toHaveProperty('items');
    await expect(source()).resolves.toBe('wearable');
  });

  it('has beside it what another device says at the same time, until that one is silent', async () => {
    const own = await test.addPatient(nurse.siteId, { mrn: 'B2' });
    const probe = await test.addDevice(nurse.siteId, { name: 'probe 2' });
    const second = await test.addDevice(nurse.siteId, { name: 'second' });
    const wire = (value: number, quality = 'good') => [
      { patientId: own, kind: 'spo2', value, takenAt: toInstant(test.now()), quality },
    ];
    const spo2 = async () => (await nurse.call('GET', `/api/v2/patients/${own}`)).json<Patient>().latest.spo2;
    await nurse.call('POST', `/api/v2/devices/${probe.id}/assignment`, { mrn: 'B2', dateOfBirth: '1950-03-07' });
    await test.ingest(probe.token, wire(97));
    await expect(spo2()).resolves.not.toHaveProperty('other');
    await test.ingest(second.token, wire(75));
    const asOf = toInstant(test.now());
    await expect(spo2()).resolves.toMatchObject({
      value: 97,
      source: 'probe 2',
      other: { value: 75, asOf, source: 'second' },
    });
    test.advance(10_001);
    await test.ingest(probe.token, wire(97));
    await expect(spo2()).resolves.not.toHaveProperty('other');
    // No second opinion: its sensor is off.
    await test.ingest(second.token, wire(0, 'invalid'));
    await expect(spo2()).resolves.not.toHaveProperty('other');
  });
});
