import { isOpen, type Alert } from './alert';
import type { News2PartName } from './news2Values';
import type { Parameter } from './parameters';
import { isMoreUrgent, type Priority } from './priority';
import { sumOf, type News2State } from './stepNews2';

/** The alerts that explain the points of a part. */
const explains: Partial<Record<Parameter, News2PartName>> = {
  spo2: 'spo2',
  rate: 'pulse',
  respiratoryRate: 'respiratoryRate',
  temperature: 'temperature',
};
/** So many points may be left over. */
const unexplainedPoints = 2;

/**
 * Returns whether the alert about a score folds into others: open, active alerts of at least its priority explain all
 * but two of the points (clinical.md section 0, N2).
 */
export function isFolded(
  points: News2State['held'],
  priority: Priority,
  alerts: Readonly<Partial<Record<Parameter, Alert>>>,
): boolean {
  const explained = Object.values(alerts).reduce((sum, alert) => {
    const part = explains[alert.parameter];
    const counts = isOpen(alert) && alert.condition === 'active' && !isMoreUrgent(priority, alert.conditionPriority);
    return counts && part !== undefined ? sum + (points[part] ?? 0) : sum;
  }, 0);
  return explained > 0 && sumOf(points) - explained <= unexplainedPoints;
}
