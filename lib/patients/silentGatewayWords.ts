import { formatClock } from '../time/formatTime';
import type { Patient } from './schema';

/**
 * Returns what is silent of the gateway that carries a patient's values, in the words of its alert: "Gateway silent
 * since 14:05: North gateway"; null: nothing is. The name comes last, because little room cuts the end.
 */
export function silentGatewayWords(
  { silentGateway }: Pick<Patient, 'silentGateway'>,
  now: number,
  timeZone: string,
): string | null {
  return silentGateway === undefined
    ? null
    : `Gateway silent since ${formatClock(Date.parse(silentGateway.since), now, timeZone)}: ${silentGateway.name}`;
}
