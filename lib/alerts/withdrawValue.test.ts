import fc from 'fast-check';
import { activeRule, current, entryOf, planOf, play, settingOf, start, steady } from '../../test/stream';
import { isFeedIdle } from './evaluateGroups';
import type { StreamState } from './fold';
import type { Entry, Plan } from './plan';
import { storedStream, storedStreamOf, streamStateOf } from './storedStream';
import { createStream, resumeStream, takeEntryOfStream, toKeep, type Stream } from './stream';
import { withdrawValue } from './withdrawValue';

const minute = 60;
const oxygenation = planOf('oxygenation', settingOf());
const typed = (second: number, value: number, more: Partial<Entry> = {}): Entry =>
  entryOf('oxygenation', 'spo2', second, value, { deviceId: -7, ...more });
const monitor = (value: number, from: number, until: number): Entry[] =>
  steady('oxygenation', 'spo2', value, from, until);
const spo2 = (stream: Stream): string => activeRule(oxygenation, stream, 'spo2');
const withdrawAll = (plan: Plan, stream: Stream, entries: readonly Entry[]): Stream =>
  entries.reduce((after, entry) => withdrawValue(after, plan, entry), stream);

describe('a value that was typed in and is withdrawn', () => {
  it.each([
    ['the newest', [typed(0, 84), typed(180, 83)], 1, 'high spo2.low'],
    ['the newest, worse one', [typed(0, 84), typed(180, 70)], 1, 'high spo2.low'],
    ['the earlier', [typed(0, 84), typed(180, 83)], 0, 'high spo2.low'],
    ['one between two', [typed(0, 84), typed(180, 83), typed(360, 82)], 1, 'high spo2.low'],
    ['the newest of another user', [typed(0, 84), typed(180, 83, { deviceId: -9 })], 1, 'high spo2.low'],
  ] as const)('ends no alert that another reading justifies: %s', (_, entries, place, expected) => {
    const stream = play(oxygenation, entries);
    const after = withdrawAll(oxygenation, stream, entries.slice(place, place + 1));
    expect(spo2(after)).toBe(expected);
    expect(current(oxygenation, after, 'spo2')?.startedAt).toBe(entries[place === 0 ? 1 : 0]?.at);
  });

  it.each([[[0, 1]], [[1, 0]]])('ends what two raised together when both are withdrawn, in the order %s', (order) => {
    const entries = [typed(0, 84), typed(180, 83)];
    const chosen = order.flatMap((place) => entries[place] ?? []);
    const after = withdrawAll(oxygenation, play(oxygenation, entries), chosen);
    expect([spo2(after), after.head.state.groups[0]?.episode]).toEqual(['none', null]);
  });

  it('is not what confirms a first reading any more', () => {
    const entries = [typed(0, 84), typed(180, 83)];
    const after = withdrawAll(oxygenation, play(oxygenation, entries), entries.slice(1));
    expect(current(oxygenation, after, 'spo2')?.unconfirmedUntil).toBe(start + 15 * minute * 1_000);
  });

  it('takes its extreme out of the episode', () => {
    const entries = [typed(0, 84), typed(180, 70), typed(360, 83)];
    const after = withdrawAll(oxygenation, play(oxygenation, entries), entries.slice(1, 2));
    expect(current(oxygenation, after, 'spo2')).toMatchObject({ lowest: 83, highest: 84 });
  });

  it('answers nothing any more: the red reading before it is raised again', () => {
    const entries = [typed(0, 84), typed(180, 97)];
    expect(spo2(play(oxygenation, entries))).toBe('none');
    expect(spo2(withdrawAll(oxygenation, play(oxygenation, entries), entries.slice(1)))).toBe('high spo2.low');
  });

  it('does not hide a reading that was measured before it and arrived after it', () => {
    const late = { ...typed(0, 84), at: start + 300_000 };
    const stream = play(oxygenation, [typed(180, 97), late]);
    expect(spo2(stream)).toBe('none');
    expect(spo2(withdrawValue(stream, oxygenation, typed(180, 97)))).toBe('high spo2.low');
  });

  it('answers no monitor any more that raised an alert and has been silent since', () => {
    const low = [...monitor(84, 0, 30), typed(600, 97)];
    const stream = play(oxygenation, low);
    expect(spo2(stream)).toBe('none');
    expect(spo2(withdrawValue(stream, oxygenation, typed(600, 97)))).toBe('high spo2.low');
    const later = play(oxygenation, [typed(900, 97)], stream);
    expect(spo2(withdrawValue(later, oxygenation, typed(600, 97)))).toBe('none');
  });

  it('leaves what the monitor raises, and ends what the monitor had ended before it', () => {
    const before = play(oxygenation, [typed(0, 84), ...monitor(97, 1, 17 * minute)]);
    expect(spo2(before)).toBe('none');
    const wrong = typed(18 * minute, 80);
    const raised = play(oxygenation, [wrong, ...monitor(97, 18 * minute + 1, 20 * minute)], before);
    expect(spo2(raised)).toBe('high spo2.low');
    expect(spo2(withdrawValue(raised, oxygenation, wrong))).toBe('none');
    const low = play(oxygenation, monitor(84, 20 * minute + 1, 21 * minute), raised);
    expect(spo2(withdrawValue(low, oxygenation, wrong))).toBe('high spo2.low');
  });

  it('costs no value of the monitor that was measured before it was withdrawn and arrives after it', () => {
    const wrong = typed(0, 80);
    const stream = play(oxygenation, [wrong, ...monitor(97, 1, 100)]);
    const after = withdrawValue(stream, oxygenation, wrong);
    expect(after.until).toBe(stream.until);
  });

  it('is a rate: the ECG rate that another reading of the pulse answered is raised again', () => {
    const plan = planOf('rate', settingOf());
    const of = (kind: 'heartRate' | 'pulseRate', second: number, value: number): Entry =>
      entryOf('rate', kind, second, value, { deviceId: -7 });
    const entries = [of('heartRate', 0, 30), of('pulseRate', 20 * minute, 80)];
    expect(activeRule(plan, play(plan, entries), 'rate')).toBe('none');
    const after = withdrawAll(plan, play(plan, entries), entries.slice(1));
    expect(activeRule(plan, after, 'rate')).toBe('high hr.extreme');
  });

  it('changes nothing if it is not known, or too old', () => {
    const stream = play(oxygenation, [typed(0, 84), typed(121 * minute, 84), typed(125 * minute, 84)]);
    expect(withdrawValue(stream, oxygenation, typed(1, 84))).toBe(stream);
    expect(withdrawValue(stream, oxygenation, typed(0, 84))).toBe(stream);
  });
});

/** A reading that is typed in: seconds after the one before, and how long ago it was measured then. */
const reading = fc.record({
  gap: fc.integer({ min: 1, max: 30 * minute }),
  lateS: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 * minute }) },
  ),
  value: fc.constantFrom(70, 77, 84, 87, 88, 89, 91, 92, 93, 97),
  isPulse: fc.boolean(),
  deviceId: fc.constantFrom(-7, -9),
  flow: fc.option(fc.constantFrom(0, 2), { freq: 8 }),
  isWithdrawn: fc.boolean(),
  /** When it is withdrawn: after so many more readings. */
  after: fc.nat(6),
});
type Reading = typeof reading extends fc.Arbitrary<infer Of> ? Of : never;

interface Step {
  entry: Entry;
  now: number;
  isWithdrawn: boolean;
}

/** The last two hours of readings. */
function stepsOf(readings: readonly Reading[], name: 'oxygenation' | 'rate'): Step[] {
  let second = 0;
  const steps = readings.map(({ gap, lateS, value, isPulse, deviceId, isWithdrawn }): Step => {
    second += gap;
    const now = start + second * 1_000;
    const measuredAt = now - lateS * 1_000;
    const of = { at: Math.max(measuredAt, now - 60_000), measuredAt, deviceId };
    const entry =
      name === 'oxygenation'
        ? entryOf(name, 'spo2', 0, value, of)
        : entryOf(name, isPulse ? 'pulseRate' : 'heartRate', 0, (value - 60) * 5, of);
    return { entry, now, isWithdrawn };
  });
  const end = steps.at(-1)?.now ?? start;
  // Each moment has one reading.
  const isFirst = ({ entry }: Step, index: number): boolean =>
    steps.findIndex((one) => one.entry.measuredAt === entry.measuredAt) === index;
  return steps.filter(isFirst).filter(({ entry }) => entry.at > end - 2 * 3_600_000);
}

describe.each(['oxygenation', 'rate'] as const)('readings of %s', (name) => {
  const plan = planOf(name, settingOf({ scale: 2 }));
  const take = (stream: Stream, { entry, now }: Step): Stream => takeEntryOfStream(stream, plan, entry, now);
  const phasesOf = ({ head: { state } }: Stream): unknown =>
    state.feeds.flatMap(({ source }, feed) =>
      isFeedIdle(plan, state.groups, feed)
        ? []
        : state.groups.map(({ states, episode }, place) => {
            const { length = 0 } = plan.groups[place]?.rules ?? [];
            const timers = states.slice(feed * length, (feed + 1) * length);
            const isLasting = episode?.endedAt === null;
            return [source, timers, isLasting && [episode.rule, episode.priority, episode.unconfirmedUntil]];
          }),
    );
  const flows = (readings: readonly Reading[]): Entry[] =>
    name === 'rate'
      ? []
      : readings.flatMap(({ flow }) => (flow === null ? [] : [entryOf(name, 'oxygenFlow', 0, flow)]));

  it('leave the state that would be without those that are withdrawn, whenever and in whatever order', () => {
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 10 }), (readings) => {
        const steps = stepsOf(readings, name);
        const first = flows(readings).slice(0, 1);
        let stream = play(plan, first);
        steps.forEach((step, index) => {
          stream = take(stream, step);
          steps.slice(0, index + 1).forEach((one, place) => {
            const { after = 0 } = readings[place] ?? {};
            if (one.isWithdrawn && (place + after === index || (index === steps.length - 1 && place + after > index))) {
              stream = withdrawValue(stream, plan, one.entry);
            }
          });
        });
        const without = steps.filter(({ isWithdrawn }) => !isWithdrawn).reduce(take, play(plan, first));
        expect(phasesOf(stream)).toEqual(phasesOf(without));
      }),
      { numRuns: 300 },
    );
  });

  it('can be withdrawn after a restart', () => {
    const of = { value: 70, isPulse: false, deviceId: -7, flow: null, isWithdrawn: false, after: 0 } as const;
    // A value that came late was answered by the first; after a restart it must not count as the last one before.
    const answered: Reading[] = [
      { ...of, gap: 1, lateS: 0 },
      { ...of, gap: 61, lateS: 63 },
      { ...of, gap: 1_730, lateS: 0 },
      { ...of, gap: 4, lateS: 1_796 },
    ];
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 8 }), (readings) => {
        const steps = stepsOf(readings, name);
        const stream = steps.reduce(take, createStream(plan));
        const stored = storedStream.parse(JSON.parse(JSON.stringify(storedStreamOf(name, toKeep(stream)))));
        const kept: StreamState = streamStateOf(name, plan, stored);
        const values = steps.map(({ entry, now }) => ({ entry, receivedAt: now }));
        const resumed = resumeStream(plan, kept, values, []);
        const wrong = steps.filter(({ isWithdrawn }) => isWithdrawn).map(({ entry }) => entry);
        expect(phasesOf(withdrawAll(plan, resumed, wrong))).toEqual(phasesOf(withdrawAll(plan, stream, wrong)));
      }),
      { numRuns: 100, examples: [[answered]] },
    );
  });
});
