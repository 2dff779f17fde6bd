import type { VitalKind } from '../lib/vitals/kinds';
import type { Quality } from '../lib/vitals/schema';
import { branch, chance, drift } from './noise';

const second = 1_000;
const minute = 60 * second;

/** The subject of a story: the patient's values at rest. */
export interface Subject {
  /** Of the patient's noise. */
  seed: number;
  /** SpO2 at rest, %. */
  spo2: number;
  /** Heart rate at rest, per minute. */
  heartRate: number;
  /** What counts the beats: electrodes (`heartRate`) or the finger probe (`pulseRate`). */
  rate: 'heartRate' | 'pulseRate';
  /** Oxygen that the patient gets, L/min; 0 for none. */
  oxygenFlow: number;
}

/** One value at one instant, as a device states it. */
export interface Reading {
  kind: VitalKind;
  value: number;
  quality: Quality;
}

/** What a story adds to a quiet course at one instant: points of SpO2 and beats per minute. */
export interface Change {
  spo2: number;
  rate: number;
}

export const noChange: Change = { spo2: 0, rate: 0 };

/** A monitor has a gap of 6 s every 132 min: 12 of 15,873 seconds of BIDMC are missing, in two gaps of 6 s. */
const gapEveryMs = 132 * minute;
const gapMs = 6 * second;

/** Returns whether the monitor of this seed measures nothing at this instant. */
export function isGap(seed: number, t: number): boolean {
  const place = Math.floor(t / gapEveryMs);
  const start = place * gapEveryMs + chance(branch(seed, 1), place) * (gapEveryMs - gapMs);
  return t >= start && t < start + gapMs;
}

/**
 * Returns SpO2 and rate of a patient at rest with a change added, not rounded. With these amplitudes the values move
 * from second to second and within a minute as they do in BIDMC (simulator/simulator.test.ts compares). `lively`
 * differs between patients, from half to twice.
 */
export function restingValues({ seed, spo2, heartRate }: Subject, t: number, change: Change): Change {
  const lively = 0.5 * 4 ** chance(branch(seed, 2), 0);
  return {
    spo2:
      spo2 +
      change.spo2 +
      0.6 * drift(branch(seed, 3), t, 20 * minute) +
      lively * 0.7 * drift(branch(seed, 4), t, 40 * second),
    rate:
      heartRate +
      change.rate +
      4 * drift(branch(seed, 5), t, 15 * minute) +
      lively * (1.8 * drift(branch(seed, 6), t, 14 * second) + 0.6 * drift(branch(seed, 7), t, 3 * second)),
  };
}

/** Returns what a monitor sends in a second about a patient at rest with a change added; nothing in a gap. */
export function monitored(subject: Subject, t: number, change: Change = noChange): Reading[] {
  if (isGap(subject.seed, t)) {
    return [];
  }
  const { spo2, rate } = restingValues(subject, t, change);
  return [
    { kind: 'spo2', value: Math.round(Math.min(100, Math.max(50, spo2))), quality: 'good' },
    { kind: subject.rate, value: Math.round(Math.min(220, Math.max(30, rate))), quality: 'good' },
  ];
}

/** Rises from 0 to 1 between two instants without a corner; 0 before, 1 after. */
export function rise(t: number, from: number, to: number): number {
  const share = Math.min(1, Math.max(0, (t - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

/** Returns the place in a cycle, which is never negative, also for an instant before the beginning. */
export function within(t: number, everyMs: number): number {
  return ((t % everyMs) + everyMs) % everyMs;
}
