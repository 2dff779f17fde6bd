import type { Priority } from '../alerts/priority';

/**
 * What a screen may sound: the priorities, and two technical tones of its own. `notLive`: the server does not answer;
 * `notRunning`: it raises no alerts.
 */
export type Signal = Priority | 'notLive' | 'notRunning';

/** A tone, in milliseconds from the start of its burst. */
export interface Pulse {
  startMs: number;
  lengthMs: number;
}

export interface Burst {
  /** The fundamental frequency, in Hz: 150 to 1000 (IEC 60601-1-8, clinical.md section 3). */
  fundamentalHz: number;
  pulses: readonly Pulse[];
  /** From the start of a burst to the start of the next, in milliseconds. */
  everyMs: number;
}

/** The share of a pulse in which it gets louder: 10 to 20 %. */
export const riseShare = 0.15;

/**
 * The amplitudes of the harmonics, the fundamental first. With the fundamentals below, at least four of them lie
 * between 300 and 4000 Hz.
 */
export const harmonics: readonly number[] = [1, 0.8, 0.6, 0.45, 0.3, 0.2];

const high = { pulseMs: 150, spacingMs: 95, gapMs: 1_000 };
const medium = { pulseMs: 180, spacingMs: 180 };
const low = { pulseMs: 180 };

/** Returns pulses of one length, with these pauses between them. */
function pulsesOf(lengthMs: number, pauses: readonly number[]): Pulse[] {
  return pauses.reduce<Pulse[]>(
    (pulses, pause) => {
      const last = pulses.at(-1);
      return [...pulses, { startMs: (last?.startMs ?? 0) + lengthMs + pause, lengthMs }];
    },
    [{ startMs: 0, lengthMs }],
  );
}

const { pulseMs, spacingMs, gapMs } = high;
/** Three and two pulses; the pause between them is two spacings and a pulse. */
const halfOfHigh = [spacingMs, spacingMs, 2 * spacingMs + pulseMs, spacingMs];

/**
 * The bursts by signal. HIGH: ten pulses, 3+2 twice; MEDIUM three, LOW one (clinical.md section 3). The technical tones
 * are of longer pulses, so that no one takes them for an alert of a patient.
 */
export const bursts = {
  high: { fundamentalHz: 523, pulses: pulsesOf(pulseMs, [...halfOfHigh, gapMs, ...halfOfHigh]), everyMs: 10_000 },
  medium: {
    fundamentalHz: 440,
    pulses: pulsesOf(medium.pulseMs, [medium.spacingMs, medium.spacingMs]),
    everyMs: 25_000,
  },
  low: { fundamentalHz: 392, pulses: pulsesOf(low.pulseMs, []), everyMs: 30_000 },
  notLive: { fundamentalHz: 220, pulses: pulsesOf(500, [250]), everyMs: 20_000 },
  notRunning: { fundamentalHz: 262, pulses: pulsesOf(500, [250, 250]), everyMs: 15_000 },
} as const satisfies Record<Signal, Burst>;

/** What a screen knows that may sound. */
export interface SoundState {
  priority: Priority | null;
  isNotLive: boolean;
  areAlertsStopped: boolean;
}

/**
 * Returns what sounds, one signal at a time. That alerts do not run comes first, because every alarm may be missing;
 * then a HIGH alert, which is the last that is known of a patient, before the news that the server is away.
 */
export function signalOf({ priority, isNotLive, areAlertsStopped }: SoundState): Signal | null {
  if (areAlertsStopped) {
    return 'notRunning';
  }
  if (priority === 'high' || !isNotLive) {
    return priority;
  }
  return 'notLive';
}

/**
 * Returns when the next burst is due: at once if the signal is another one than the last, else a period after it. Takes
 * milliseconds of any clock that does not step.
 */
export function nextBurstAt(signal: Signal, last: { signal: Signal; at: number } | null, now: number): number {
  return last === null || last.signal !== signal ? now : last.at + bursts[signal].everyMs;
}
