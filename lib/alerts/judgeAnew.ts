import type { EpochMs } from '../time/epochMs';
import { nextEpisode } from './episode';
import { activeOf, type Group } from './evaluateGroups';
import { isBeyondAny } from './limit';
import type { Plan } from './plan';
import { idle, isIdle, withoutRecent, type RuleTimer } from './stepRule';
import type { Stream } from './stream';

/**
 * Returns a stream after its limits changed, by hand or with the SpO2 scale: each device's last value is judged by the
 * new ones. What it does not violate any more is over at once, and a milder rule that it violates takes over. Earlier
 * values do not count any more. `now` is epoch milliseconds.
 */
export function judgeAnew(stream: Stream, plan: Plan, now: EpochMs): Stream {
  const { timings, state } = stream.head;
  const groups = state.groups.map((group, index): Group => {
    const rules = plan.groups[index]?.rules ?? [];
    const isOnOxygen = (state.oxygen?.flow ?? 0) > 0;
    const states = group.states.map((timer, place): RuleTimer => {
      const rule = rules[place % rules.length];
      const last = timings[Math.floor(place / rules.length)]?.last ?? null;
      if (isIdle(timer) || rule?.input !== 'value' || last === null) {
        return timer;
      }
      const applies = rule.limits !== null && (!rule.onOxygen || isOnOxygen);
      const isBeyond = applies && isBeyondAny(rule.limits?.raise ?? [], last.value);
      return isBeyond && timer.phase !== 'idle' ? withoutRecent(timer) : idle;
    });
    const before = countActive(group.states);
    const taken =
      before > 0 && countActive(states) === 0
        ? states.map((timer): RuleTimer =>
            timer.phase === 'pending' ? { ...timer, phase: 'active', since: now } : timer,
          )
        : states;
    const active = activeOf(plan, taken, rules, { feeds: state.feeds, timings }, now, group.episode);
    const episode = nextEpisode(group.episode, active, now, null);
    return { states: taken, isCalm: taken.every(isIdle), episode };
  });
  return { newest: null, head: { timings, state: { ...state, groups } }, until: Math.max(stream.until, now) };
}

function countActive(states: readonly RuleTimer[]): number {
  return states.filter(({ phase }) => phase === 'active').length;
}
