import type { EpochMs } from '../../lib/time/epochMs';
import { HttpError } from '../http/httpError';

/** A user of a site, who decides. */
export interface Decider {
  siteId: number;
  userId: number;
}

/** Throws 409 `mapping_ended` or 403 `own_proposal` if a user may not confirm a mapping. */
export function requireConfirmable(
  { ended_at, proposed_by }: { ended_at: EpochMs | null; proposed_by: number },
  userId: number,
): void {
  if (ended_at !== null) {
    throw new HttpError(409, 'mapping_ended', 'This mapping has ended.');
  }
  if (proposed_by === userId) {
    throw new HttpError(403, 'own_proposal', 'Another person has to confirm what you proposed.');
  }
}
