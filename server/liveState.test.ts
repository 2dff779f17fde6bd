import { toInstant } from '../lib/time/schema';
import { kinds } from '../lib/vitals/kinds';
import { engines } from '../test/database';
import { patientRow } from '../test/patientRow';
import { restartableTestServer } from '../test/sharedServer';
import { startOfTest, type TestServer } from '../test/testServer';
import { AlertFaults } from './alerts/alertFaults';
import { qualityCode, stoppedCode } from './vitals/qualityCode';
import { LiveState } from './liveState';
import { loadWard } from './loadWard';
import type { Latest, Sample } from './vitals/sample';

const spo2 = kinds.spo2.code;

/** Returns a sample of patient 1, `second` seconds into the test, that arrives as soon as it is taken. */
function sampleAt(second: number, more: Partial<Sample> = {}): Sample {
  const takenAt = startOfTest + second * 1_000;
  return {
    minute: Math.floor(takenAt / 60_000),
    patientId: 1,
    kind: spo2,
    takenAt,
    deviceId: 1,
    siteId: 1,
    value: 97,
    quality: qualityCode('good', true),
    receivedAt: takenAt,
    offsetMs: 0,
    ...more,
  };
}
const invalid = { quality: qualityCode('invalid', true), value: 0 };

/**
 * Returns what the live state shows after some samples: value and second of the latest, and of the latest that measured
 * something.
 */
function shown(latest: Latest | undefined): unknown {
  const secondOf = (takenAt: number) => (takenAt - startOfTest) / 1_000;
  return latest === undefined
    ? null
    : {
        latest: [latest.sample.value, secondOf(latest.sample.takenAt)],
        valid: latest.valid === null ? null : [latest.valid.value, secondOf(latest.valid.takenAt)],
      };
}
function afterTaking(...samples: Sample[]): unknown {
  const liveState = new LiveState();
  samples.forEach((sample) => {
    liveState.takeSample(sample);
  });
  return shown(liveState.latestOf(1).get(spo2));
}

describe('the latest value', () => {
  it.each<[string, Sample[], unknown]>([
    ['is the first where there is one', [sampleAt(0)], { latest: [97, 0], valid: [97, 0] }],
    ['is the newer one', [sampleAt(0), sampleAt(1, { value: 96 })], { latest: [96, 1], valid: [96, 1] }],
    [
      'is never one that came late',
      [sampleAt(1), sampleAt(0, { value: 60, receivedAt: startOfTest + 90_000 })],
      { latest: [97, 1], valid: [97, 1] },
    ],
    [
      'is invalid when the newest is, and remembers what was measured before',
      [sampleAt(0), sampleAt(1, invalid)],
      { latest: [0, 1], valid: [97, 0] },
    ],
    ['measured nothing when nothing ever did', [sampleAt(0, invalid)], { latest: [0, 0], valid: null }],
    [
      'lets a late one be the newest that measured something',
      [sampleAt(0), sampleAt(2, invalid), sampleAt(1, { value: 90 })],
      { latest: [0, 2], valid: [90, 1] },
    ],
    [
      'lets no older late one be that',
      [sampleAt(1), sampleAt(2, invalid), sampleAt(0, { value: 90 })],
      { latest: [0, 2], valid: [97, 1] },
    ],
    [
      'counts by the corrected clock: a device an hour ahead is not newer',
      [sampleAt(10), sampleAt(3_605, { value: 90, deviceId: 2, offsetMs: -3_600_000 })],
      { latest: [97, 10], valid: [97, 10] },
    ],
    [
      'counts from the arrival of what claims to be from the future',
      [sampleAt(10), sampleAt(100, { value: 90, deviceId: 2, receivedAt: startOfTest + 9_000 })],
      { latest: [97, 10], valid: [97, 10] },
    ],
    [
      'is the one taken last of several that arrived together from a fast clock, in any order',
      [12, 14, 11, 13].map((second) => sampleAt(second, { value: second, receivedAt: startOfTest })),
      { latest: [14, 14], valid: [14, 14] },
    ],
    [
      'is the same of two devices at the same time, in any order',
      [sampleAt(0, { deviceId: 2, value: 92 }), sampleAt(0, { deviceId: 1, value: 91 })],
      { latest: [92, 0], valid: [92, 0] },
    ],
  ])('%s', (_, samples, expected) => {
    expect(afterTaking(...samples)).toEqual(expected);
  });
});

describe('the ward', () => {
  it('knows a patient by the mrn of the site alone, and another site’s patient not at all', () => {
    const liveState = new LiveState();
    liveState.putPatient(patientRow(1, 1, 'A'));
    liveState.putPatient(patientRow(2, 2, 'A'));
    expect([
      liveState.patientByMrn('A', 1)?.id,
      liveState.patientByMrn('A', 2)?.id,
      liveState.patientByMrn('A', 3),
    ]).toEqual([1, 2, null]);
    const site = (siteId: number) => ({ siteId, unitIds: null });
    expect([
      liveState.patientInScope(2, site(1)),
      liveState.patientInScope(99, site(1)),
      liveState.patientInScope(2, site(2))?.id,
    ]).toEqual([null, null, 2]);
  });

  it('forgets an mrn that was changed, but not if another patient has it by now', () => {
    const liveState = new LiveState();
    liveState.putPatient(patientRow(1, 1, 'A'));
    liveState.putPatient(patientRow(2, 1, 'B'));
    liveState.putPatient(patientRow(2, 1, 'A'));
    liveState.putPatient(patientRow(1, 1, 'C'));
    expect(['A', 'B', 'C'].map((mrn) => liveState.patientByMrn(mrn, 1)?.id)).toEqual([2, undefined, 1]);
  });

  it('counts the changes of each site by itself', () => {
    const liveState = new LiveState();
    liveState.changed(1);
    liveState.changed(2);
    liveState.changed(1);
    expect([liveState.version(1), liveState.version(2), liveState.version(3)]).toEqual([2, 1, 0]);
  });
});

describe.each(engines)('latest values on %s', (engine) => {
  let test: TestServer;
  let patientId: number;
  let tokens: string[];

  beforeAll(async () => {
    test = await restartableTestServer(engine);
  });
  beforeEach(async () => {
    const site = await test.addSite();
    patientId = await test.addPatient(site);
    tokens = [(await test.addDevice(site)).token, (await test.addDevice(site)).token];
  });

  const latest = (): unknown => shown(test.server.liveState.latestOf(patientId).get(spo2));
  /** Sends a sample taken `ago` seconds before now; `quality` undefined is left out. */
  const send = async (
    value: number,
    ago: number,
    more: { quality?: string; device?: number; takenAt?: number } = {},
  ): Promise<number> => {
    const takenAt = more.takenAt ?? test.now() - ago * 1_000;
    const wire = { patientId, kind: 'spo2', value, quality: more.quality ?? 'good', takenAt: toInstant(takenAt) };
    expect(
      (await test.ingest(tokens[more.device ?? 0] ?? '', [wire], { sentAt: toInstant(test.now()) })).statusCode,
    ).toBe(200);
    return takenAt;
  };

  it('follow a correction, and a value that is taken back gives way to the one measured before', async () => {
    const first = await send(95, 50);
    const last = await send(80, 10);
    await send(94, 0, { takenAt: last });
    expect(latest()).toMatchObject({ latest: [94, expect.anything()], valid: [94, expect.anything()] });
    await send(94, 0, { takenAt: last, quality: 'invalid' });
    expect(latest()).toEqual({
      latest: [94, (last - startOfTest) / 1_000],
      valid: [95, (first - startOfTest) / 1_000],
    });
    await send(96, 0, { takenAt: first });
    expect(latest()).toMatchObject({ valid: [96, (first - startOfTest) / 1_000] });
    await send(96, 0, { takenAt: first, quality: 'invalid' });
    expect(latest()).toMatchObject({ latest: [94, expect.anything()], valid: null });
  });

  it('find what was measured long before the value that is taken back', async () => {
    const first = await send(95, 10);
    test.advance(3 * 3_600_000);
    await test.server.rollups.catchUp(test.server.recorder.inFlight);
    const last = await send(80, 10);
    await send(80, 0, { takenAt: last, quality: 'invalid' });
    expect(latest()).toMatchObject({ latest: [80, expect.anything()], valid: [95, (first - startOfTest) / 1_000] });
  });

  it('are the same after a restart at every point of a day', async () => {
    let last = 0;
    const steps: (() => Promise<unknown>)[] = [
      () => send(97, 0),
      async () => (last = await send(0, 0)),
      () => send(96, 5),
      () => Promise.resolve(test.advance(40_000)),
      () => test.server.rollups.catchUp(test.server.recorder.inFlight),
      () => send(88, 0, { device: 1 }),
      () => send(90, 0, { takenAt: last }),
      () => send(70, 3_000),
      () => Promise.resolve(test.advance(70_000)),
      () => test.server.rollups.catchUp(test.server.recorder.inFlight),
      () => send(88, 0, { device: 1, takenAt: last }),
      () => send(0, 0, { device: 1 }),
      () => send(91, 200, { quality: 'questionable' }),
    ];
    for (const step of steps) {
      await step();
      const before = latest();
      await test.restart();
      expect(latest()).toEqual(before);
    }
  });

  it('are stored with the minute of their sample, so that a start reads only open minutes', async () => {
    await send(97, 0);
    await send(0, 0, { device: 1 });
    test.advance(130_000);
    await test.server.rollups.catchUp(test.server.recorder.inFlight);
    const stored = await loadWard(test.store, new AlertFaults(test.server.log), test.now());
    expect(stored.latestOf(patientId).get(spo2)).toEqual(test.server.liveState.latestOf(patientId).get(spo2));
  });

  it('remember after a restart that a source states a quality', async () => {
    await send(97, 0, { quality: 'good' });
    await test.restart();
    const wire = { patientId, kind: 'spo2', value: 97, takenAt: toInstant(test.now() + 1_000) };
    await test.ingest(tokens[0] ?? '', [wire]);
    expect(test.server.liveState.latestOf(patientId).get(spo2)).toMatchObject({
      sample: { takenAt: test.now() + 1_000, quality: stoppedCode(true, 1_000) },
      valid: { takenAt: test.now() + 1_000 },
    });
  });
});
