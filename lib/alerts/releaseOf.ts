import type { EpochMs } from '../time/epochMs';
import type { Release, Responsibility } from './alert';

/** How long after the start of a shift a user of the shift before keeps an alert, in milliseconds. */
const handoverMs = 30 * 60_000;

/** What is known of the user who accepted an alert. */
export interface Holder {
  /** Not disabled, and approved. */
  isActive: boolean;
  /** Has a session that has not ended. */
  isSignedIn: boolean;
  /** May handle the alerts of the patient now. Emergency access is not enough: it only acknowledges. */
  canSee: boolean;
  /** Belongs to the unit in which the patient is now, or to no unit and so to the whole site. */
  coversUnit: boolean;
  /** The patient's unit now. */
  unitId: number | null;
  /** The unit's present shift; null without a unit, and for users who can have no role in it. */
  shift: { start: EpochMs; isAssigned: boolean; isAnyoneElseAssigned: boolean } | null;
}

/** Returns why the acceptance of an alert ends now, or null if it lasts (clinical.md section 0, E6, and 00, A1). */
export function releaseOf(
  { at, unitId }: Extract<Responsibility, { is: 'accepted' }>,
  holder: Holder,
  now: EpochMs,
): Release | null {
  const { isActive, isSignedIn, canSee, coversUnit, shift } = holder;
  // Disabling an account ends its sessions first: what is known of the account may come later, or not before a start.
  if (!isSignedIn) {
    return 'signed_out';
  }
  if (!isActive) {
    return 'disabled';
  }
  if (holder.unitId !== null && holder.unitId !== unitId && !coversUnit) {
    return 'moved';
  }
  if (!canSee) {
    return 'out_of_reach';
  }
  const isOver = shift !== null && at < shift.start && now - shift.start >= handoverMs;
  return isOver && !shift.isAssigned && shift.isAnyoneElseAssigned ? 'previous_shift' : null;
}
