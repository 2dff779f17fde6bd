import { createHash } from 'node:crypto';

/**
 * Returns what names a bed in addresses. Beds are no rows, and what somebody typed as a bed may be anything, so it
 * stays out of logs and histories. It is no secret: who knows the bed can compute it.
 */
export function bedId(unitId: number, bed: string): string {
  return createHash('sha256').update(`${unitId} ${bed}`).digest('hex').slice(0, 12);
}
