import type { VitalKind } from '../vitals/kinds';
import type { Alert } from './alert';
import type { Episode } from './episode';
import { news2RuleIds } from './news2Rules';
import { parameters, type Parameter } from './parameters';
import type { SpotFold } from './spotCheck';
import { spotParameters, type SpotParameter } from './spotRules';
import { idleNews2, type News2State, type News2Timer } from './stepNews2';
import { idle, type RuleTimer } from './stepRule';
import type { StoredRuleState } from './storedRuleState';
import type { StoredStream } from './storedStream';
import { streams, type StreamName } from './streams';

/** The last alert of each parameter, with the kind of the newest value that it was raised by. */
export type KnownAlerts = Readonly<Partial<Record<Parameter, { alert: Alert; kind: VitalKind | null }>>>;

/*
 * What the rules remembered is rebuilt from alerts if the store has nothing that can be read. An open alert neither
 * ends nor rings as new because of that (clinical.md section 0, P4). Timers that had not raised anything begin again.
 */

/** Returns the episode that an alert is about. The extremes are those since now. */
function episodeOf({
  rule,
  conditionPriority,
  startedAt,
  episodes,
  earlier,
  since,
  endedAt,
  unconfirmedUntil,
}: Alert): Episode {
  return {
    rule,
    priority: conditionPriority,
    startedAt,
    count: Math.max(1, episodes - earlier),
    since,
    endedAt,
    source: null,
    lowest: null,
    highest: null,
    unconfirmedUntil,
  };
}

const isActive = ({ condition }: Alert): boolean => condition === 'active';

/** Returns a stream as it would be stored: its episodes, and a timer for each condition that lasts. */
export function rebuiltStream(name: StreamName, alerts: KnownAlerts): StoredStream {
  const episodes: StoredStream['episodes'] = {};
  let feeds: StoredStream['feeds'] = [];
  const measured: readonly VitalKind[] = streams[name].kinds;
  const [first] = measured.filter((kind) => kind !== 'oxygenFlow');
  for (const { parameter } of streams[name].groups) {
    const known = alerts[parameter];
    if (known !== undefined) {
      const { alert } = known;
      const kind = known.kind !== null && measured.includes(known.kind) ? known.kind : (first ?? null);
      const { source: _, ...episode } = episodeOf(alert);
      episodes[parameter] = { ...episode, kind };
      if (isActive(alert) && kind !== null) {
        const feed = feeds.find((one) => one.kind === kind) ?? { kind, ...anyDevice, timers: {} };
        feed.timers[parameter] = { [alert.rule]: activeSince(alert) };
        feeds = [...feeds.filter((one) => one !== feed), feed];
      }
    }
  }
  return { feeds, episodes, oxygen: null };
}

/** The next device that sends the kind takes over its timers. */
const anyDevice = { deviceId: null, isAssigned: false, counts: true, steadySince: null };

const activeSince = ({ since, unconfirmedUntil }: Alert): RuleTimer => ({
  ...idle,
  phase: 'active',
  since,
  unconfirmedUntil,
});

/** Returns the readings at home as they would be stored. */
export function rebuiltSpots(alerts: KnownAlerts): Partial<Record<SpotParameter, SpotFold>> {
  const spots: Partial<Record<SpotParameter, SpotFold>> = {};
  for (const parameter of spotParameters) {
    const alert = alerts[parameter]?.alert;
    if (alert !== undefined) {
      spots[parameter] = {
        phase: isActive(alert) ? 'raised' : 'fine',
        priority: alert.conditionPriority,
        since: alert.since,
        isConfirmed: isActive(alert),
        worstAt: alert.since,
        milder: null,
        minute: null,
        weights: [],
        lastAt: alert.since,
        late: null,
        episode: episodeOf(alert),
      };
    }
  }
  return spots;
}

const ofSamples: ReadonlySet<Parameter> = new Set<Parameter>([
  ...Object.values(streams).flatMap(({ groups }) => groups.map(({ parameter }): Parameter => parameter)),
  ...spotParameters,
  'news2',
]);

/** Returns the episodes that the clock evaluates. */
export function rebuiltTechnical(alerts: KnownAlerts): Partial<Record<Parameter, Episode>> {
  const technical: Partial<Record<Parameter, Episode>> = {};
  for (const parameter of parameters) {
    const alert = ofSamples.has(parameter) ? undefined : alerts[parameter]?.alert;
    if (alert !== undefined) {
      technical[parameter] = episodeOf(alert);
    }
  }
  return technical;
}

/** Returns the state of the rules about the score. Typed values up to the last alert are evaluated. */
export function rebuiltNews2(alerts: KnownAlerts): News2State {
  const alert = alerts.news2?.alert;
  if (alert === undefined) {
    return idleNews2;
  }
  const rule = news2RuleIds.find((id) => id === alert.rule);
  const timers: News2State['timers'] =
    rule !== undefined && isActive(alert)
      ? { [rule]: { phase: 'active', violatedSince: alert.since, awaited: null, save: saveOf(alert) } }
      : {};
  return { ...idleNews2, timers, typedAt: alert.since, episode: episodeOf(alert) };
}

const saveOf = ({ unconfirmedUntil }: Alert): News2Timer['save'] =>
  unconfirmedUntil === null ? null : { values: {}, unconfirmedUntil };

/**
 * Returns up to when red flags, requests for a call and locked links are answered: a person closed the last alert about
 * them.
 */
export function rebuiltResetAt(alerts: KnownAlerts): StoredRuleState['resetAt'] {
  const answered = (['symptoms', 'callRequest', 'checkInLink'] as const).flatMap((parameter) => {
    const alert = alerts[parameter]?.alert;
    return alert === undefined || alert.closed === null ? [] : [[parameter, alert.since] as const];
  });
  return Object.fromEntries(answered);
}
