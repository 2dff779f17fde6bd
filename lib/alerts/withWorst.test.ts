import type { Alert } from './alert';
import { continuousRules } from './continuousRules';
import type { Episode } from './episode';
import { unreadEvidence, type Evidence } from './evidence';
import { takeEpisode } from './takeEpisode';
import { withWorst } from './withWorst';

const minute = 60_000;
const episode = (rule: 'spo2.desat' | 'spo2.low' | 'spo2.mild', more: Partial<Episode>): Episode => ({
  rule,
  priority: continuousRules[rule].priority,
  startedAt: 1,
  count: 1,
  since: 1,
  endedAt: null,
  lowest: null,
  highest: null,
  source: 0,
  unconfirmedUntil: null,
  ...more,
});

interface Known {
  alert: Alert;
  evidence: Evidence;
}

/** Takes the episodes one after another, as the server does. */
function take(known: Known | null, ...steps: readonly (readonly [now: number, episode: Episode])[]): Known {
  let after = known;
  for (const [now, next] of steps) {
    const change = takeEpisode(after?.alert ?? null, 'spo2', next, now, { isHeld: false });
    if (change === null) {
      throw new Error('no change');
    }
    const isRaised = change.events.some(({ is }) => is === 'raised' || is === 'raised_again' || is === 'upgraded');
    const limits = Object.entries(continuousRules).find(([id]) => id === next.rule)?.[1].limits[1] ?? null;
    const evidence = isRaised || after === null ? { ruleVersion: 1, limits, samples: [] } : after.evidence;
    const before = after === null ? null : { alert: after.alert, worst: after.evidence.worst };
    after = { alert: change.alert, evidence: withWorst(before, change.alert, evidence, isRaised) };
  }
  if (after === null) {
    throw new Error('no steps');
  }
  return after;
}

describe('the worst of an alert', () => {
  const fallen = take(null, [1, episode('spo2.low', {})], [2, episode('spo2.desat', {})]);
  const over = take(
    fallen,
    [minute, episode('spo2.mild', {})],
    [2 * minute, episode('spo2.mild', { endedAt: 2 * minute, lowest: 77, highest: 93 })],
  );
  const desat = { rule: 'spo2.desat', priority: 'high', limits: continuousRules['spo2.desat'].limits[1] };

  it('is its most urgent rule with the limits of that time, not the one with which it ended', () => {
    expect(fallen.evidence.worst).toEqual({ ...desat, lowest: null, highest: null });
    expect(over.evidence.worst).toEqual({ ...desat, lowest: 77, highest: 93 });
  });

  it('stays while the alert keeps its priority, although a milder condition followed', () => {
    const later = episode('spo2.mild', { startedAt: 20 * minute, since: 20 * minute });
    const again = take(over, [20 * minute, later], [30 * minute, { ...later, endedAt: 30 * minute, lowest: 92 }]);
    expect(again.alert.priority).toBe('high');
    expect(again.evidence.worst).toEqual({ ...desat, lowest: 77, highest: 93 });
  });

  it('begins again with another episode that the alert is about', () => {
    const mild = take(null, [1, episode('spo2.low', {})]);
    const seen = { ...mild, alert: { ...mild.alert, priority: 'low', acknowledged: null } as const };
    const later = episode('spo2.mild', { startedAt: 20 * minute, since: 20 * minute });
    const again = take(seen, [minute, episode('spo2.low', { endedAt: minute, lowest: 85 })], [20 * minute, later]);
    expect(again.evidence.worst).toMatchObject({ rule: 'spo2.mild', lowest: null });
  });

  it('is not added to evidence that cannot be read, which stays as it is in the store', () => {
    expect(withWorst(null, fallen.alert, unreadEvidence, true)).toBe(unreadEvidence);
  });
});
