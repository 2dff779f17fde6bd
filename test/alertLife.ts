import type { ActionFault } from '../lib/alerts/actions';
import type { Alert, AlertChange, AlertEvent } from '../lib/alerts/alert';
import { nextEpisode, type Episode } from '../lib/alerts/episode';
import { escalate, type SiteEscalation } from '../lib/alerts/escalate';
import type { EscalationStep, Recipients } from '../lib/alerts/escalation';
import type { EscalationTimes } from '../lib/alerts/escalationTimes';
import type { Priority } from '../lib/alerts/priority';
import { takeEpisode } from '../lib/alerts/takeEpisode';
import { withVersion } from '../lib/alerts/withVersion';
import { siteEscalation } from './siteEscalation';

/** A rule that is active. */
export interface Tier {
  rule: string;
  priority: Priority;
  /** Until when a first reading waits for a second one. */
  unconfirmedUntil?: number;
}

export const worst: Tier = { rule: 'spo2.desat', priority: 'high' };
export const high: Tier = { rule: 'spo2.low', priority: 'high' };
export const middle: Tier = { rule: 'spo2.below', priority: 'medium' };
export const mild: Tier = { rule: 'spo2.mild', priority: 'low' };

/** The alert of one parameter, as the server keeps it: time passes in ticks of a second from 0 on. */
export interface Life {
  now: number;
  alert: Alert | null;
  events: AlertEvent[];
  /** What each change added, ticks included. */
  changes: AlertChange[];
  /** The rules report a tier from now on; null: none. */
  take(tier: Tier | null): Life;
  /** Lets time pass with a tick a second, or seldomer. */
  wait(ms: number, everyMs?: number): Life;
  /** Lets time pass in which the server is away. */
  jump(ms: number): Life;
  /** The site approves other escalation times, which apply at once. */
  approve(times: EscalationTimes): Life;
  /** The patient comes to another unit. */
  move(unitId: number): Life;
  /** The patient's standby begins, or ends. */
  hold(isHeld: boolean): Life;
  /** Runs a user's action; a refused one changes nothing. */
  act(action: (alert: Alert, now: number) => AlertChange | ActionFault | null): Life;
  /** Why the last action was refused; null: it was not. */
  refused: ActionFault | null;
}

const tickMs = 1_000;

/** Plays an alert of a patient without anyone on duty, or with other recipients. */
export function createLife(
  profile: 'continuous' | 'home' = 'continuous',
  askedBy?: (step: EscalationStep) => Recipients,
  presence?: Pick<SiteEscalation, 'isPresent' | 'widen'>,
): Life {
  let site = siteEscalation(profile, askedBy, presence);
  let episode: Episode | null = null;
  let isHeld = false;
  const apply = (change: AlertChange): void => {
    const isNew = change.events.some(({ is }) => is === 'raised');
    const escalated = escalate(change, site, life.now);
    const after = withVersion(isNew ? null : life.alert, escalated);
    life.alert = after.alert;
    life.events.push(...after.events);
    life.changes.push(after);
  };
  const evaluate = (): void => {
    const change = takeEpisode(life.alert, 'spo2', episode, life.now, { isHeld });
    if (change !== null) {
      apply(change);
    }
  };
  const tick = (ms: number): void => {
    life.now += ms;
    evaluate();
    if (life.alert !== null) {
      apply({ alert: life.alert, events: [] });
    }
  };
  const life: Life = {
    now: 0,
    alert: null,
    events: [],
    changes: [],
    refused: null,
    take: (tier) => {
      episode = nextEpisode(episode, tier === null ? [] : [{ ...tier, since: life.now }], life.now, null);
      evaluate();
      return life;
    },
    wait: (ms, everyMs = tickMs) => {
      for (let left = ms; left > 0; left -= everyMs) {
        tick(Math.min(left, everyMs));
      }
      return life;
    },
    jump: (ms) => {
      tick(ms);
      return life;
    },
    approve: (times) => {
      site = { ...site, times };
      if (life.alert !== null) {
        apply({ alert: life.alert, events: [] });
      }
      return life;
    },
    move: (unitId) => {
      site = { ...site, unitId };
      if (life.alert !== null) {
        apply({ alert: life.alert, events: [] });
      }
      return life;
    },
    hold: (isSo) => {
      isHeld = isSo;
      evaluate();
      return life;
    },
    act: (action) => {
      const change = life.alert === null ? null : action(life.alert, life.now);
      life.refused = typeof change === 'string' ? change : null;
      if (change !== null && typeof change !== 'string') {
        apply(change);
      }
      return life;
    },
  };
  return life;
}
