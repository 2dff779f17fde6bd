import type { Entry, Plan } from '../lib/alerts/plan';
import { planOf, streams, type Setting, type StreamName } from '../lib/alerts/streams';
import { episodesOf, createStream, takeEntryOfStream, type Stream } from '../lib/alerts/stream';
import type { Episode } from '../lib/alerts/episode';
import type { Parameter } from '../lib/alerts/parameters';
import { kinds, type VitalKind } from '../lib/vitals/kinds';

/** The instant at which the streams of tests begin, a whole minute. */
export const start = Date.parse('2026-03-07T12:00:00Z');

/** The situation of a patient of a test; `everyMs` is how often its devices send a value. */
export function settingOf(more: Partial<Setting> & { everyMs?: number } = {}): Setting {
  const { everyMs, ...rest } = more;
  return {
    scale: 1,
    limits: {},
    isComfortCare: false,
    expectedEveryMs: (kind) => everyMs ?? kinds[kind].expectedEveryMs,
    evaluatesTrends: true,
    ...rest,
  };
}

/** Returns a value of a stream, a number of seconds after its start. */
export function entryOf(
  name: StreamName,
  kind: VitalKind,
  second: number,
  value: number,
  more: Partial<Entry> = {},
): Entry {
  const at = start + second * 1_000;
  const source = [...streams[name].kinds].findIndex((known) => known === kind);
  const device = { deviceId: 1, isAssigned: false, hasStoppedStating: false };
  return { at, measuredAt: at, source, ...device, isValid: true, value, isDoubtful: false, ...more };
}

/** Returns a value each `every` seconds from `from` until `until`, the last one included. */
export function steady(
  name: StreamName,
  kind: VitalKind,
  value: number,
  from: number,
  until: number,
  every = 1,
): Entry[] {
  const count = Math.floor((until - from) / every) + 1;
  return Array.from({ length: count }, (_, index) => entryOf(name, kind, from + index * every, value));
}

/** Returns the stream after values that arrive as soon as they are measured. */
export function play(plan: Plan, entries: readonly Entry[], from: Stream = createStream(plan)): Stream {
  return entries.reduce((stream, entry) => takeEntryOfStream(stream, plan, entry, entry.at), from);
}

/** Returns the open episode of one parameter of a stream, or null. */
export function current(plan: Plan, stream: Stream, parameter: Parameter): Episode | null {
  const episode = episodesOf(stream)[plan.groups.findIndex((group) => group.parameter === parameter)] ?? null;
  return episode?.endedAt === null ? episode : null;
}

/** Returns the rule and the priority that a stream raises now, as one word, or 'none'. */
export function activeRule(plan: Plan, stream: Stream, parameter: Parameter): string {
  const episode = current(plan, stream, parameter);
  return episode === null ? 'none' : `${episode.priority} ${episode.rule}`;
}

export { planOf };
