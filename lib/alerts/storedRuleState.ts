import { z } from 'zod';
import { readJson } from '../readJson';
import { safeParse } from '../safeParse';
import { parameters, type Parameter } from './parameters';
import { ruleVersion } from './ruleVersion';
import type { SpotFold } from './spotCheck';
import { storedNews2, storedSpotFold } from './storedFolds';
import { spotParameters, type SpotParameter } from './spotRules';
import type { Episode } from './episode';
import { storedEpisode, storedTime } from './storedEpisode';
import { storedStream, type StoredStream } from './storedStream';
import { byStream, streamNames, type StreamName } from './streams';
import { idleNews2, type News2State } from './stepNews2';

/** What can be reset by itself. */
export const resettable = [...streamNames, 'readings', 'symptoms', 'callRequest', 'checkInLink'] as const;
export type Resettable = (typeof resettable)[number];

/**
 * The rule state of a patient as the store keeps it, JSON: what depends on values of long ago. A device has `technical`
 * alone.
 */
export interface StoredRuleState {
  /** The version of the rules that wrote it. */
  rules: number;
  streams: Readonly<Record<StreamName, StoredStream>>;
  /** The readings at home, by parameter; none before the first reading. */
  spot: Readonly<Partial<Record<SpotParameter, SpotFold>>>;
  /** Conditions that the clock evaluates: silence, batteries, clocks, symptoms, missing readings. */
  technical: Readonly<Partial<Record<Parameter, Episode>>>;
  news2: News2State;
  /** Signals that were last seen before this are not missed: their device was taken off. */
  signalsFrom: number;
  /**
   * When the streams and the readings were last reset, and up to when red flags, requests for a call and locked links
   * are answered; none if they never were.
   */
  resetAt: Readonly<Partial<Record<Resettable, number>>>;
}

/** What could be read of a stored rule state; null, or no stream: that part has to be rebuilt. */
export type ReadRuleState = { streams: Partial<Record<StreamName, StoredStream>> } & {
  [Part in 'spot' | 'technical' | 'news2' | 'signalsFrom' | 'resetAt']: StoredRuleState[Part] | null;
};

/** Nothing could be read. */
export const nothingRead: ReadRuleState = {
  streams: {},
  spot: null,
  technical: null,
  news2: null,
  signalsFrom: null,
  resetAt: null,
};

/** The state of a patient of whom nothing had to be kept yet. */
export const nothingKept: ReadRuleState = {
  streams: byStream(() => ({ feeds: [], episodes: {}, oxygen: null })),
  spot: {},
  technical: {},
  news2: idleNews2,
  signalsFrom: 0,
  resetAt: {},
};

const object = z.record(z.string(), z.unknown());
const spots = z.record(z.string(), storedSpotFold);
const episodes = z.record(z.string(), storedEpisode);
const times = z.record(z.string(), storedTime);

/**
 * Reads the rule state of a patient as the store kept it, whatever text that is, part by part: one that cannot be read
 * costs the others nothing. `unread` names the parts to rebuild.
 */
export function readRuleState(text: string): { state: ReadRuleState; unread: string[] } {
  const unread: string[] = [];
  const part = <Schema extends z.ZodType>(name: string, schema: Schema, value: unknown): z.output<Schema> | null => {
    const found = read(schema, value);
    if (found === null) {
      unread.push(name);
    }
    return found;
  };
  const all = readJson(object, text) ?? {};
  const ofStreams = read(object, all.streams) ?? {};
  const streams: ReadRuleState['streams'] = {};
  for (const name of streamNames) {
    const stream = part(name, storedStream, ofStreams[name]);
    if (stream !== null) {
      streams[name] = stream;
    }
  }
  const state = {
    streams,
    spot: named(spotParameters, part('spot', spots, all.spot)),
    technical: named(parameters, part('technical', episodes, all.technical)),
    news2: part('news2', storedNews2, all.news2),
    signalsFrom: part('signalsFrom', storedTime, all.signalsFrom),
    resetAt: named(resettable, part('resetAt', times, all.resetAt ?? {})),
  };
  return { state, unread };
}

/** Reads what the store kept of a device; null if it has to be rebuilt. */
export function readDeviceState(text: string): StoredRuleState['technical'] | null {
  return named(parameters, read(episodes, readJson(object, text)?.technical));
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | null {
  const parsed = safeParse(schema, value);
  return parsed.success ? parsed.data : null;
}

/** Returns the entries whose names this release knows. */
function named<Name extends string, Value>(
  names: readonly Name[],
  values: Record<string, Value> | null,
): Partial<Record<Name, Value>> | null {
  if (values === null) {
    return null;
  }
  const known: Partial<Record<Name, Value>> = {};
  for (const name of names) {
    const value = values[name];
    if (value !== undefined) {
      known[name] = value;
    }
  }
  return known;
}

/** Returns the JSON that the store keeps. */
export function writeRuleState(state: Omit<StoredRuleState, 'rules'>): string {
  return JSON.stringify({ rules: ruleVersion, ...state } satisfies StoredRuleState);
}
