import { isLimited, reachOf, type Permission } from '../../lib/session/permissions';
import type { Session } from '../session/sessions';

/** The patients that a call may reach. Queries demand one, so that none can forget it. */
export interface Scope {
  siteId: number;
  /** Names of units; null: every patient of the site. */
  units: readonly string[] | null;
}

const openActs: ReadonlySet<Permission> = new Set<Permission>(['readPatients', 'readAlerts', 'handleAlerts']);

/**
 * Takes a session and an act and returns which patients it reaches, or null where the user may not do it. Whoever
 * belongs to no unit reaches the whole site, as does whoever broke the glass, to read and to see to alerts. `now` is
 * epoch milliseconds.
 */
export function scopeOf(session: Session, act: Permission, now: number): Scope | null {
  const { user } = session;
  const reach = reachOf(user, act);
  const { siteId } = user;
  switch (reach) {
    case null:
    case 'self':
      return null;
    case 'site':
      return { siteId, units: null };
    case 'unit': {
      // Whoever broke the glass reads, and may say that they have seen an alert or take it on (clinical.md section 9).
      const isOpen = openActs.has(act) && openedUntil(session, now) !== null;
      return { siteId, units: user.units.length === 0 || isOpen ? null : user.units.map(({ name }) => name) };
    }
    default:
      return reach satisfies never;
  }
}

/**
 * Until when broken glass shows a user more than the own units, epoch milliseconds, or null: nothing was broken, or
 * there is nothing more to show.
 */
export function openedUntil({ user, breakGlassUntil }: Session, now: number): number | null {
  return isLimited(user) && breakGlassUntil !== null && now < breakGlassUntil ? breakGlassUntil : null;
}

/**
 * Whether a patient is within reach. One without a place belongs to everybody of the site: somebody has to see them.
 */
export function inScope({ siteId, units }: Scope, patient: { site_id: number; unit: string | null }): boolean {
  return patient.site_id === siteId && (units === null || patient.unit === null || units.includes(patient.unit));
}
