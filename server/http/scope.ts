import { isLimited } from '../../lib/session/isLimited';
import { reachOf, type Permission } from '../../lib/session/permissions';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Session } from '../session/session';

/** The patients that a call may reach. Queries take it as a required argument, so that none can forget it. */
export interface Scope {
  siteId: number;
  /** Null: every patient of the site. */
  unitIds: readonly number[] | null;
}

/** What breaking the glass opens: reading, and acknowledging alerts (clinical.md section 9). */
const openedByBreakGlass: ReadonlySet<Permission> = new Set<Permission>([
  'readPatients',
  'readNotes',
  'readChart',
  'readAlerts',
  'readWall',
  'acknowledgeAlerts',
]);

/**
 * Returns the patients that a session reaches with a permission, or null if the user does not have it. A user without a
 * unit reaches the whole site. So does a user who broke the glass, for the permissions in `openedByBreakGlass`.
 */
export function scopeOf(session: Session, permission: Permission, now: EpochMs): Scope | null {
  const { user } = session;
  const reach = reachOf(user, permission);
  const { siteId } = user;
  switch (reach) {
    case null:
    case 'self':
      return null;
    case 'site':
      return { siteId, unitIds: null };
    case 'unit': {
      const isOpen = openedByBreakGlass.has(permission) && openedUntil(session, now) !== null;
      return { siteId, unitIds: user.units.length === 0 || isOpen ? null : user.units.map(({ id }) => id) };
    }
    default:
      return reach satisfies never;
  }
}

/**
 * Returns until when broken glass shows a user more than their own units, or null if they broke no glass or already see
 * the whole site.
 */
export function openedUntil({ user, breakGlassUntil }: Session, now: EpochMs): EpochMs | null {
  return isLimited(user) && breakGlassUntil !== null && now < breakGlassUntil ? breakGlassUntil : null;
}

/**
 * Returns whether a patient is within a scope. Every user of the site reaches a patient without a unit, because someone
 * has to see them.
 */
export function inScope({ siteId, unitIds }: Scope, patient: { site_id: number; unit_id: number | null }): boolean {
  return (
    patient.site_id === siteId && (unitIds === null || patient.unit_id === null || unitIds.includes(patient.unit_id))
  );
}
