import type { Caller, TestServer } from '../test/testServer';

/** A patient in a unit with staff, a monitor that is assigned to the patient, and a second device. */
export interface Bed {
  test: TestServer;
  siteId: number;
  patientId: number;
  nurse: Caller;
  physician: Caller;
  /** Sends an action of the nurse on every open alert. */
  onEach(action: string, body?: object): Promise<void>;
}

/** One value as a device sends it; null is "no signal". */
export interface Sent {
  device?: 'assigned' | 'second';
  kind: string;
  value: number | string | null;
  quality?: 'good' | 'questionable' | 'invalid';
  /** How long before the call it was measured, by the device's clock, in seconds. */
  agoS?: number;
}

/** A story that is played on a moved clock, second by second. */
export interface Scenario {
  /** The case of the regression table, with a letter if it has several. */
  name: string;
  story: string;
  minutes: number;
  patient?: { profile?: 'home'; dateOfBirth?: string; spo2Scale?: 1 | 2 };
  /** The device's setting. */
  expectedEveryMs?: number;
  /** Does the device say when it sends? */
  statesSentAt?: false;
  /** What is sent at a second of the story. */
  sends: (second: number) => readonly Sent[];
  /** What people do at a second of the story. */
  actions?: Readonly<Record<number, (bed: Bed) => Promise<void>>>;
}

const spo2 = (value: number, more: Partial<Sent> = {}): Sent => ({ kind: 'spo2', value, ...more });
/** Throws if an action was refused: the story would be another one. */
async function done(call: ReturnType<Caller['call']>): Promise<void> {
  const { statusCode, body } = await call;
  if (statusCode >= 400) {
    throw new Error(`An action was refused with ${statusCode}: ${body}`);
  }
}
const readings =
  (values: object) =>
  async ({ nurse, patientId }: Bed): Promise<void> => {
    await done(nurse.call('POST', `/api/v2/patients/${patientId}/readings`, { readings: values }));
  };
const symptoms =
  (report: object) =>
  async ({ nurse, patientId }: Bed): Promise<void> => {
    await done(nurse.call('POST', `/api/v2/patients/${patientId}/symptoms`, report));
  };
const calm = { respiratoryRate: 16, systolic: 120, temperature: 37, consciousness: 'A', oxygenFlow: 0 };
const nothing = (): readonly Sent[] => [];

/** The cases in which the life of an alert went wrong on a moved clock, and what belongs beside them. */
export const scenarios: readonly Scenario[] = [
  {
    name: '1a',
    story: 'SpO2 84 for 40 s, 95 for 35 s, in turns',
    minutes: 15,
    sends: (second) => [spo2(second % 75 < 40 ? 84 : 95)],
  },
  {
    name: '1b',
    story: 'SpO2 74 for 8 s every 2 min',
    minutes: 20,
    sends: (second) => [spo2(second % 120 < 8 ? 74 : 95)],
  },
  {
    name: '1c',
    story: 'SpO2 84, 76 from 317 s on',
    minutes: 12,
    sends: (second) => [spo2(second < 317 ? 84 : 76)],
  },
  {
    name: '1d',
    story: 'as 1a, accepted after 30 s',
    minutes: 15,
    sends: (second) => [spo2(second % 75 < 40 ? 84 : 95)],
    actions: { 30: async ({ onEach }) => onEach('accept') },
  },
  {
    name: '1e',
    story: 'at home, SpO2 92 and 93 in turns each second',
    minutes: 7,
    patient: { profile: 'home' },
    sends: (second) => [spo2(second % 2 === 0 ? 92 : 93)],
  },
  {
    name: '3',
    story: 'the assigned probe is off, a second oximeter says 75',
    minutes: 12,
    sends: (second) =>
      second < 60 ? [spo2(96)] : [{ kind: 'spo2', value: null, quality: 'invalid' }, spo2(75, { device: 'second' })],
  },
  {
    name: '4a',
    story: 'SpO2 typed once: 80',
    minutes: 20,
    sends: nothing,
    actions: { 1: readings({ spo2: 80 }) },
  },
  {
    name: '4b',
    story: 'SpO2 typed: 80, then 79 after 3 min',
    minutes: 20,
    sends: nothing,
    actions: { 1: readings({ spo2: 80 }), 181: readings({ spo2: 79 }) },
  },
  {
    name: '4c',
    story: 'a monitor that sends every 15 min, from 15 min on 70',
    minutes: 50,
    expectedEveryMs: 900_000,
    sends: (second) => (second % 900 === 0 ? [spo2(second < 900 ? 96 : 70)] : []),
  },
  {
    name: '8',
    story: 'SpO2 84 for 40 s, then well; no one looks',
    minutes: 15,
    sends: (second) => [spo2(second < 40 ? 84 : 96)],
  },
  {
    name: '9',
    story: 'red flag, 5 min later a report without it',
    minutes: 15,
    sends: (second) => [spo2(96 + (second % 2))],
    actions: { 10: symptoms({ redFlags: ['blueLips'] }), 310: symptoms({ answers: { cough: 'mild' } }) },
  },
  {
    name: '10',
    story: 'standby of an hour, in it severe chest pain',
    minutes: 15,
    sends: (second) => [spo2(96 + (second % 2))],
    actions: {
      10: async ({ nurse, patientId }) => {
        await done(nurse.call('POST', `/api/v2/patients/${patientId}/standby`, { reason: 'A wash', minutes: 60 }));
      },
      60: symptoms({ answers: { chestPain: 'severe' } }),
    },
  },
  {
    name: '11',
    story: 'SpO2 91 for 20 min, then 73',
    minutes: 25,
    sends: (second) => [spo2(second < 1_200 ? 91 : 73)],
  },
  {
    name: '12a',
    story: 'a typed full set with NEWS2 18',
    minutes: 35,
    sends: nothing,
    actions: {
      1: readings({
        respiratoryRate: 26,
        spo2: 90,
        oxygenFlow: 4,
        systolic: 88,
        pulseRate: 132,
        consciousness: 'V',
        temperature: 36,
      }),
    },
  },
  {
    name: '12b',
    story: 'respiratory rate typed: 32, and 32 after 2 min',
    minutes: 20,
    sends: (second) => [spo2(97 - (second % 2)), { kind: 'heartRate', value: 80 }],
    actions: {
      1: readings({ ...calm, respiratoryRate: 32 }),
      121: readings({ ...calm, respiratoryRate: 32 }),
    },
  },
  {
    name: '12c',
    story: 'consciousness U typed with a full set',
    minutes: 20,
    sends: (second) => [spo2(97 - (second % 2)), { kind: 'heartRate', value: 80 }],
    actions: { 1: readings({ ...calm, consciousness: 'U' }) },
  },
  {
    name: '13',
    story: 'a device that states quality only in doubt: 80 without quality after one doubt',
    minutes: 10,
    sends: (second) => [
      second === 30 ? spo2(97, { quality: 'questionable' }) : { kind: 'spo2', value: second < 60 ? 97 : 80 },
    ],
  },
  {
    name: '14',
    story: 'no sentAt, clock 5 min slow, one value a minute, from 5 min on 80',
    minutes: 25,
    expectedEveryMs: 60_000,
    statesSentAt: false,
    sends: (second) => (second % 60 === 0 ? [spo2(second < 300 ? 96 : 80, { agoS: 300 })] : []),
  },
  {
    name: '15',
    story: 'SpO2 84, accepted, then moved to a unit that the nurse does not cover',
    minutes: 10,
    sends: () => [spo2(84)],
    actions: {
      30: async ({ onEach }) => onEach('accept'),
      60: async ({ nurse, patientId }) => {
        await done(
          nurse.call('PATCH', `/api/v2/patients/${patientId}`, { version: 1, location: { unit: 'West', bed: '2' } }),
        );
      },
    },
  },
  {
    name: '16',
    story: 'ECG 80, oximeter rate 30',
    minutes: 10,
    sends: () => [
      { kind: 'heartRate', value: 80 },
      { kind: 'pulseRate', value: 30 },
    ],
  },
  {
    name: '17',
    story: 'SpO2 86 for 2 min, one value of 88 in the middle',
    minutes: 3,
    sends: (second) => [spo2(second === 60 ? 88 : 86)],
  },
  {
    name: '18',
    story: 'set to 15 min, sends each second for 20 min, then is silent',
    minutes: 45,
    expectedEveryMs: 900_000,
    sends: (second) => (second < 1_200 ? [spo2(96 + (second % 2))] : []),
  },
  {
    name: '19',
    story: 'a probe that flaps: 6 s off, 4 s on',
    minutes: 20,
    sends: (second) => [second % 10 < 6 ? { kind: 'spo2', value: null, quality: 'invalid' } : spo2(96)],
  },
  {
    name: '20',
    story: 'a child of 2 years with heart rate 135',
    minutes: 15,
    patient: { dateOfBirth: '2024-04-01' },
    sends: (second) => [spo2(96 + (second % 2)), { kind: 'heartRate', value: 135 }],
  },
  {
    name: 'scale',
    story: 'SpO2 86, after 2 min the scale changes from 1 to 2',
    minutes: 10,
    sends: () => [spo2(86)],
    actions: {
      120: async ({ physician, patientId }) => {
        await done(
          physician.call('PUT', `/api/v2/patients/${patientId}/spo2-target`, {
            version: 1,
            scale: 2,
            low: 88,
            high: 92,
            reason: 'Known to retain carbon dioxide',
          }),
        );
      },
    },
  },
  {
    name: 'HR',
    story: 'heart rate 35 for a minute, then 155',
    minutes: 6,
    sends: (second) => [{ kind: 'heartRate', value: second < 60 ? 35 : 155 }],
  },
  {
    name: 'flood',
    story: 'a hundred values a second of one device beside SpO2 84 of the assigned one',
    minutes: 2,
    sends: () => [
      spo2(84),
      ...Array.from({ length: 100 }, (_, index) => spo2(97, { device: 'second', agoS: index / 100 })),
    ],
  },
];
