import type { Alert } from './alert';
import type { Episode } from './episode';
import { isFolded } from './isFolded';
import type { Parameter } from './parameters';
import type { Priority } from './priority';
import { takeEpisode } from './takeEpisode';

const now = 1_000_000;
const episode = (priority: Priority, endedAt: number | null = null): Episode => ({
  rule: 'spo2.low',
  priority,
  startedAt: now,
  count: 1,
  since: now,
  endedAt,
  source: null,
  lowest: 80,
  highest: 80,
  unconfirmedUntil: null,
});
function alertOf(parameter: Parameter, priority: Priority, isEnded = false): Alert {
  const raised = takeEpisode(null, parameter, episode(priority), now, { isHeld: false })?.alert ?? null;
  const ended = isEnded ? takeEpisode(raised, parameter, episode(priority, now), now, { isHeld: false }) : null;
  const alert = ended?.alert ?? raised;
  if (alert === null) {
    throw new Error('no alert');
  }
  return alert;
}
const high = alertOf('spo2', 'high');
const medium = alertOf('spo2', 'medium');
const fast = alertOf('rate', 'high');
const flag = alertOf('symptoms', 'high');

it.each([
  ['SpO2 explains all but two points', { spo2: 3, systolic: 2 }, 'medium', { spo2: high }, true],
  ['three points are left over', { spo2: 3, systolic: 3 }, 'medium', { spo2: high }, false],
  ['two alerts explain it together', { spo2: 3, pulse: 3, systolic: 1 }, 'high', { spo2: high, rate: fast }, true],
  ['the alert is milder than the score', { spo2: 3, pulse: 2, systolic: 2 }, 'high', { spo2: medium }, false],
  ['the alert is as urgent', { spo2: 3, systolic: 2 }, 'medium', { spo2: medium }, true],
  ['the alert has ended', { spo2: 3, systolic: 2 }, 'medium', { spo2: alertOf('spo2', 'high', true) }, false],
  ['another alert explains nothing', { spo2: 3, systolic: 2 }, 'medium', { symptoms: flag }, false],
  ['there is no alert', { spo2: 3, systolic: 2 }, 'medium', {}, false],
  ['there is no alert and few points', { systolic: 2 }, 'medium', {}, false],
] as const)('if %s: %j', (_, points, priority, alerts, expected) => {
  expect(isFolded(points, priority, alerts)).toBe(expected);
}); // prettier-ignore
