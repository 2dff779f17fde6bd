import type { PatientAlert } from '../patients/schema';
import type { EpochMs } from '../time/epochMs';
import { freshnessOf } from '../vitals/freshness';
import { roundVital } from '../vitals/roundVital';
import type { LatestValue } from '../vitals/schema';
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

/** What a mark has to know of a value. */
type MarkedValue = Pick<LatestValue, 'value' | 'asOf' | 'ageUnknown' | 'quality' | 'expectedEveryMs'> & {
  other?: Pick<NonNullable<LatestValue['other']>, 'value'> | undefined;
};
type MarkedKind = 'spo2' | 'heartRate' | 'pulseRate';

const kindsOf: Partial<Record<Parameter, readonly MarkedKind[]>> = { spo2: ['spo2'], rate: ['heartRate', 'pulseRate'] };

/**
 * Returns the mark of a parameter's number by the patient's open alert about it; null if there is none. A number that
 * is back within every limit is outlined and not filled, as on a card (clinical.md section 00, A11). `now` is the
 * server's time, epoch milliseconds.
 */
export function numberMark(
  alerts: readonly MarkingAlert[],
  parameter: Parameter,
  latest: Partial<Record<MarkedKind, MarkedValue | undefined>>,
  now: EpochMs,
): NumberMark | null {
  const alert = alerts.find((each) => each.parameter === parameter);
  const look = alert === undefined ? null : alertLook(alert);
  if (alert === undefined || look === null) {
    return null;
  }
  const { priority, side } = alert;
  if (look !== 'dashed' && isBack(alert, latest, now)) {
    return { look: 'outlined', priority, side: null, words: `${alertWords(alert)}, back within the limits` };
  }
  return { look, priority, side: look === 'dashed' ? null : side, words: alertWords(alert) };
}

/** Of each source and both rates: what is withdrawn is not asked, what is stale or in doubt says nothing of now. */
function isBack(
  { parameter, calm }: MarkingAlert,
  latest: Partial<Record<MarkedKind, MarkedValue | undefined>>,
  now: EpochMs,
): boolean {
  const present = (kindsOf[parameter] ?? []).flatMap((kind) => {
    const value = latest[kind];
    const freshness = value === undefined ? 'off' : freshnessOf(now - Date.parse(value.asOf), value.expectedEveryMs);
    return value === undefined || freshness === 'off' ? [] : [{ ...value, kind, freshness }];
  });
  return (
    calm !== undefined &&
    present.length > 0 &&
    present.every(
      ({ kind, value, other, quality, ageUnknown, freshness }) =>
        quality === 'good' &&
        ageUnknown !== true &&
        freshness !== 'stale' &&
        [value, other?.value ?? value]
          .map((each) => roundVital(kind, each))
          .every((each) => each > (calm.above ?? -Infinity) && each < (calm.below ?? Infinity)),
    )
  );
}
