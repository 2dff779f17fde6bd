import type { PatientAlert } from '../patients/schema';
import type { Side } from './episode';
import type { Parameter } from './parameters';
import type { Priority } from './priority';

/** How far an alert was handled, as every mark of it shows. */
export type AlertLook = 'filled' | 'outlined' | 'dashed';

/**
 * How a number shows its alert (screens.md section 1): filled while no one has acknowledged or accepted it, outlined
 * once someone has, dashed if it has ended unacknowledged. `side` is where its values are beyond the limits, for the
 * sign beside the number; null: no sign.
 */
export interface NumberMark {
  look: AlertLook;
  priority: Priority;
  side: Side | null;
  /** For screen readers, before the name of the value. */
  words: string;
}

type MarkingAlert = Omit<PatientAlert, 'id' | 'raisedAt' | 'confirmBy'>;
type Handled = Pick<PatientAlert, 'condition' | 'acknowledged' | 'owner'>;

/** Returns how far an alert was handled; null if it has ended and was acknowledged. */
export function alertLook({ condition, acknowledged, owner }: Handled): AlertLook | null {
  if (condition === 'active') {
    return acknowledged || owner !== null ? 'outlined' : 'filled';
  }
  return acknowledged ? null : 'dashed';
}

/** Returns an alert's priority and what was done about it in words: "high-priority alert, taken by ND". */
export function alertWords({ priority, ...alert }: Handled & { priority: Priority }): string {
  const { condition, acknowledged, owner } = alert;
  const state = [
    ...(condition === 'ended' ? ['ended'] : []),
    ...(owner === null ? [] : [`taken by ${owner}`]),
    ...(acknowledged && owner === null ? ['acknowledged'] : []),
    ...(condition === 'ended' && !acknowledged ? ['not acknowledged'] : []),
  ];
  return [`${priority}-priority alert`, ...state].join(', ');
}

/** Returns the mark of a parameter's number by the patient's open alert about it; null if there is none. */
export function numberMark(alerts: readonly MarkingAlert[], parameter: Parameter): NumberMark | null {
  const alert = alerts.find((each) => each.parameter === parameter);
  const look = alert === undefined ? null : alertLook(alert);
  if (alert === undefined || look === null) {
    return null;
  }
  const { priority, side } = alert;
  return { look, priority, side: look === 'dashed' ? null : side, words: alertWords(alert) };
}
