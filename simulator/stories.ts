import {
  isGap,
  monitored,
  noChange,
  restingValues,
  rise,
  within,
  type Change,
  type Reading,
  type Subject,
} from './course';
import { branch, chance } from './noise';
import { rounds, temperature } from './rounds';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export interface Story {
  /** What a clinician should recognise on the screen. */
  sentence: string;
  /**
   * Returns what devices measure on the subject at one instant. It is a pure function, so that a second has the same
   * values in any order of calls. `t` is in milliseconds since the demo ward began, in whole seconds, negative for the
   * history before it.
   */
  measure(subject: Subject, t: number): Reading[];
}

/** Returns a story that is a quiet course with a change added. */
function bedside(change: (subject: Subject, t: number) => Change): Story['measure'] {
  return (subject, t) => [...monitored(subject, t, change(subject, t)), ...rounds(subject, t)];
}

/** The stories of the demo ward. Each shows its sign within minutes of the beginning, and repeats it. */
export const stories = {
  steady: {
    sentence: 'A steady bed: SpO2 and heart rate move a little, as they do at rest.',
    measure: bedside(() => noChange),
  },
  slowDeterioration: {
    sentence:
      'SpO2 falls by ten points over eight hours while the heart rate climbs; treatment ends both within an hour.',
    measure: bedside((_, t) => {
      // The ward opens in the sixth hour of a decline.
      const at = within(t + 5.5 * hour, 14 * hour);
      const share = rise(at, 0, 8 * hour) - rise(at, 8 * hour, 9 * hour);
      return { spo2: -10 * share, rate: 26 * share };
    }),
  },
  fastDesaturation: {
    sentence: 'Every 20 minutes SpO2 drops below 85 within two minutes and recovers by itself.',
    measure: bedside(({ seed }, t) => fastDrop(seed, t)),
  },
  copd: {
    sentence: 'Known COPD on 2 L/min of oxygen: SpO2 between 86 and 92 is right for this patient (scale 2).',
    measure: (subject, t) => [
      ...monitored(subject, t).map((reading) =>
        reading.kind === 'spo2' ? { ...reading, value: Math.min(92, Math.max(86, reading.value)) } : reading,
      ),
      ...rounds(subject, t),
    ],
  },
  sleepApnoea: {
    sentence: 'Sleep apnoea: some 24 times an hour SpO2 dips by four points or more and the heart rate swings with it.',
    measure: bedside(({ seed }, t) => apnoea(seed, t)),
  },
  artefact: {
    sentence: 'A restless hand: bursts of implausible SpO2 and pulse, which the monitor itself calls questionable.',
    measure: (subject, t) => [...moving(subject, t), ...rounds(subject, t)],
  },
  sensorOff: {
    sentence:
      'The finger probe falls off for twelve minutes of every hour: SpO2 has no signal, the heart rate goes on.',
    measure: (subject, t) => [...withoutProbe(subject, t), ...rounds(subject, t)],
  },
  silentGateway: {
    sentence: 'The gateway of these beds sends nothing for five of every six hours: no values from there.',
    measure: (subject, t) => {
      // The ward opens when it has been silent for 20 minutes.
      const speaks = within(t + 80 * minute, 6 * hour) < hour;
      return speaks ? [...monitored(subject, t), ...rounds(subject, t)] : [];
    },
  },
  homeSpotChecks: {
    sentence: 'At home: one reading of SpO2, pulse and temperature in every eight hours, nothing in between.',
    measure: (subject, t) => spotCheck(subject, t),
  },
} as const satisfies Record<string, Story>;

export type StoryName = keyof typeof stories;

/**
 * A drop as deep as the deepest tenth of charted drops: 13 to 20 points between two readings of the intensive-care
 * recordings (simulator/simulator.test.ts compares).
 */
function fastDrop(seed: number, t: number): Change {
  const everyMs = 20 * minute;
  const place = Math.floor(t / everyMs);
  const start = (0.5 + 2 * chance(branch(seed, 30), place)) * minute;
  const depth = 13 + 7 * chance(branch(seed, 31), place);
  const at = within(t, everyMs) - start;
  const share = rise(at, 0, 2 * minute) - rise(at, 2.7 * minute, 6 * minute);
  return { spo2: -depth * share, rate: 18 * share };
}

/** Dips of 5 to 10 points: as deep as most charted drops of four points or more are (4 to 13). */
function apnoea(seed: number, t: number): Change {
  const everyMs = 150 * second;
  const place = Math.floor(t / everyMs);
  const start = 40 * chance(branch(seed, 32), place) * second;
  const depth = 5 + 5 * chance(branch(seed, 33), place) ** 2;
  const at = within(t, everyMs) - start;
  const breathless = rise(at, 0, 45 * second);
  const share = breathless - rise(at, 50 * second, 72 * second);
  // Slow while the breath is held, fast at the first breaths.
  const startled = rise(at, 48 * second, 58 * second) - rise(at, 60 * second, 95 * second);
  return { spo2: -depth * share, rate: 16 * startled - 8 * (breathless - rise(at, 45 * second, 52 * second)) };
}

function moving(subject: Subject, t: number): Reading[] {
  const everyMs = 3 * minute;
  const place = Math.floor(t / everyMs);
  const start = chance(branch(subject.seed, 34), place) * 2 * minute;
  const lasts = (12 + 18 * chance(branch(subject.seed, 35), place)) * second;
  const at = within(t, everyMs) - start;
  if (at < 0 || at >= lasts) {
    return monitored(subject, t);
  }
  // Another number each second: no patient's blood changes that fast.
  const spo2 = 38 + 45 * chance(branch(subject.seed, 36), t / second);
  const rate = 150 + 85 * chance(branch(subject.seed, 37), t / second);
  return [
    { kind: 'spo2', value: Math.round(spo2), quality: 'questionable' },
    subject.rate === 'pulseRate'
      ? { kind: 'pulseRate', value: Math.round(rate), quality: 'questionable' }
      : { kind: 'heartRate', value: Math.round(restingValues(subject, t, noChange).rate), quality: 'good' },
  ];
}

/**
 * The probe is off for twelve minutes an hour, a fifth of the time, as in the recording of one bed over a day and a
 * half (a fifth of its minutes, half of them within 14).
 */
function withoutProbe(subject: Subject, t: number): Reading[] {
  // The ward opens when it has been off for four minutes.
  const isOff = within(t + 4 * minute, hour) < 12 * minute;
  if (!isOff || isGap(subject.seed, t)) {
    return monitored(subject, t);
  }
  return monitored(subject, t).map((reading) =>
    reading.kind === 'heartRate' ? reading : { ...reading, value: 0, quality: 'invalid' },
  );
}

function spotCheck(subject: Subject, t: number): Reading[] {
  const everyMs = 8 * hour;
  const place = Math.floor(t / everyMs);
  const due = Math.floor(chance(branch(subject.seed, 38), place) * 150) * minute;
  if (within(t, everyMs) !== due) {
    return [];
  }
  const { spo2, rate } = restingValues(subject, t, noChange);
  return [
    { kind: 'spo2', value: Math.round(Math.min(100, spo2)), quality: 'good' },
    { kind: 'pulseRate', value: Math.round(rate), quality: 'good' },
    temperature(subject.seed, t),
  ];
}
