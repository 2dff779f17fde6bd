import type { z } from 'zod';
import {
  accept,
  acknowledge,
  closeAdministratively,
  pauseAudio,
  reassign,
  reject,
  resolve,
  take as takeAlert,
} from './actions';
import type { Alert, AlertEvent, AlertChange } from './alert';
import { takeEpisode, takeRetrospectiveEpisode } from './takeEpisode';
import { alertEvent, alertFacts } from './alertFacts';
import type { Episode } from './episode';
import { recipientsOf } from './escalation';
import { escalate } from './escalate';
import { withdraw } from './withdraw';
import { siteEscalation } from '../../test/siteEscalation';

/**
 * True where each of two types takes the other: a field or a kind of event that only one of them knows does not
 * compile.
 */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const sameFacts: Same<Alert, z.infer<typeof alertFacts>> = true;
const sameEvents: Same<AlertEvent, z.infer<typeof alertEvent>> = true;

const start = 1_000_000;
const minute = 60_000;
const nurse = 7;

const episode: Episode = {
  rule: 'spo2.low',
  priority: 'high',
  startedAt: start,
  count: 1,
  since: start,
  endedAt: null,
  lowest: 86,
  highest: 87,
  source: null,
  unconfirmedUntil: null,
};
const over: Episode = { ...episode, endedAt: start + 2 * minute };

type Step = (alert: Alert | null, now: number) => AlertChange | string | null;
const take =
  (one: Episode | null): Step =>
  (alert, now) =>
    takeEpisode(alert, 'spo2', one, now, { isHeld: false });
const action =
  (does: (alert: Alert, now: number) => AlertChange | string | null): Step =>
  (alert, now) =>
    alert === null ? null : does(alert, now);

const holders = [{ role: 'nurse' as const, userId: nurse }];

/** Each act in its turn, a minute apart. */
function live(...steps: Step[]): { alerts: Alert[]; events: AlertEvent[] } {
  const alerts: Alert[] = [];
  const events: AlertEvent[] = [];
  steps.forEach((step, index) => {
    const change = step(alerts.at(-1) ?? null, start + index * minute);
    if (change === null || typeof change === 'string') {
      throw new Error(`Step ${index} changed nothing: ${change}`);
    }
    alerts.push(change.alert);
    events.push(...change.events);
  });
  return { alerts, events };
}

const later = (ms: number): Step =>
  action((alert, now) =>
    escalate(
      { alert, events: [] },
      siteEscalation('continuous', (each) => recipientsOf(each, holders)),
      now + ms,
    ),
  );
const step = later(0);
const lives = {
  'is seen, ends and begins again': live(
    take(episode),
    step,
    action((alert, now) => acknowledge(alert, nurse, now)),
    take({ ...episode, rule: 'spo2.desat' }),
    take(episode),
    take(over),
    take({ ...episode, count: 2, since: start + 6 * minute }),
    take(null),
  ),
  'is passed on, taken on and resolved': live(
    take(episode),
    step,
    action((alert, now) => reject(alert, nurse, 'with another patient', now)),
    step,
    action((alert, now) => accept(alert, nurse, 1, now)),
    action((alert, now) => pauseAudio(alert, nurse, 120_000, now)),
    action((alert, now) => resolve(alert, nurse, { is: 'sensor_fixed', note: 'new probe' }, now)),
    later(2 * minute),
    later(30 * minute),
    action((alert, now) => reject(alert, nurse, 'called away', now)),
    take(over),
    take(episode),
    action((alert, now) => closeAdministratively(alert, 'discharged', now)),
  ),
  'is taken over, taken back and handed on': live(
    take(episode),
    step,
    action((alert, now) => accept(alert, 8, 1, now)),
    action((alert, now) => takeAlert(alert, nurse, { unitId: 1, comment: 'I am here', takeOver: true }, now)),
    action((alert) => withdraw(alert, nurse, start + 3 * minute + 9_000)),
    action((alert, now) => reassign(alert, 8, nurse, now)),
    step,
  ),
  'was over when its values came': live((alert, now) =>
    takeRetrospectiveEpisode(
      alert,
      {
        parameter: 'spo2',
        episode: over,
        endedAt: start + 2 * minute,
        worst: { rule: 'spo2.low', priority: 'high', values: [] },
        isRetrospective: true,
      },
      now,
    ),
  ),
};
const stages = Object.entries(lives).flatMap(([name, { alerts }]) =>
  alerts.map((alert, index) => [name, index, alert] as const),
);
const lines = Object.values(lives).flatMap(({ events }) => events);

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a stored alert', () => {
  it.each(['priority', 'closed', 'since', 'responsibility'] as const)('is refused without its %s', (field) => {
    const { [field]: _, ...rest } = lives['is seen, ends and begins again'].alerts[0] ?? {};
    expect(alertFacts.safeParse(rest).success).toBe(false);
  });

  it.each(stages)('that %s is the same after JSON at step %i', (_, __, alert) => {
    expect(alertFacts.parse(throughJson(alert))).toEqual(alert);
  });

  it('has the fields of an alert and no others', () => {
    expect(sameFacts).toBe(true);
  });
});

describe('a stored line of the log', () => {
  it('is rejected if it has an asked step without the people whom it reached', () => {
    expect(alertEvent.safeParse({ is: 'asked', step: 0, at: start }).success).toBe(false);
  });

  it.each(alertEvent.options.map(({ shape }) => shape.is.value))('that says "%s" is the same after JSON', (is) => {
    const known = lines.filter((line) => line.is === is);
    expect(known).not.toEqual([]);
    for (const line of known) {
      expect(alertEvent.parse(throughJson(line))).toEqual(line);
    }
  });

  it('is one of those that an alert can have', () => {
    expect(sameEvents).toBe(true);
  });
});
