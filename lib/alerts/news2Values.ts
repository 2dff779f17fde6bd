import type { EpochMs } from '../time/epochMs';
import { parseInstant } from '../time/parseInstant';
import { countedValue } from '../vitals/news2';
import { news2Kinds, type News2Kind } from '../vitals/news2Kinds';
import type { News2 } from '../vitals/news2Schema';
import { roundVital } from '../vitals/roundVital';
import type { LatestValues } from '../vitals/schema';
import { slowestMonitorMs, spotEveryMs } from './timing';

/** The parts of NEWS2; the pulse is one part, by ECG or by oximeter. */
export const news2PartNames = [
  'respiratoryRate',
  'spo2',
  'oxygenFlow',
  'systolic',
  'pulse',
  'consciousness',
  'temperature',
] as const;
export type News2PartName = (typeof news2PartNames)[number];

/** A part as it counts now. */
export interface News2Value {
  /** When it was measured, epoch milliseconds. */
  at: EpochMs;
  /** Rounded as it is displayed; consciousness by its place in ACVPU. */
  value: number;
  points: number;
  /**
   * `monitor`: more than one value a minute. `slow`: one in 1 to 5 min, so that a second one is worth waiting for.
   * `spot`: a device that sends less often; each of its values is a save, as if it were typed.
   */
  source: 'typed' | 'monitor' | 'slow' | 'spot';
}

/** What the rules about the score evaluate at one moment. */
export interface News2Values {
  /** The lowest score that the known parts allow. */
  least: number;
  isComplete: boolean;
  parts: Readonly<Partial<Record<News2PartName, News2Value>>>;
}

/** Returns what the rules evaluate: a score, and the values that made it. `typed` are the sources of people. */
export function news2ValuesOf(score: News2, latest: LatestValues, typed: readonly string[]): News2Values {
  const parts: Partial<Record<News2PartName, News2Value>> = {};
  for (const kind of news2Kinds) {
    const part = score.parts[kind];
    const value = countedValue(kind, latest[kind]);
    const at = value === undefined ? null : parseInstant(value.asOf);
    if (part !== undefined && value !== undefined && at !== null) {
      parts[partOf(kind)] = {
        at,
        value: roundVital(kind, value.value),
        // What another missing part decides counts as the least that it can be.
        points: part.points ?? 0,
        source: typed.includes(value.source) ? 'typed' : sourceOf(value.expectedEveryMs),
      };
    }
  }
  return { least: score.range[0], isComplete: score.complete, parts };
}

const sourceOf = (everyMs: number): News2Value['source'] =>
  everyMs < spotEveryMs ? 'monitor' : everyMs <= slowestMonitorMs ? 'slow' : 'spot';

/** Returns which part of the score a kind is. */
export function partOf(kind: News2Kind): News2PartName {
  return kind === 'pulseRate' || kind === 'heartRate' ? 'pulse' : kind;
}
