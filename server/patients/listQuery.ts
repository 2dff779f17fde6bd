import type { PatientsQuery } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { mineOf } from '../assignments/queries';
import type { LiveState } from '../liveState';

type Asked = Omit<PatientsQuery, 'after'>;

/** A query of a list that does not depend on its user: `only` has the patients to search, or null for all. */
export type PatientsListQuery = Omit<Asked, 'mine'> & { only: readonly number[] | null };

/** Returns the query with "mine" replaced by the user's patients at `now`, so that its response can be shared. */
export function listQueryOf<Query extends Asked>(
  liveState: LiveState,
  user: User,
  { mine, ...query }: Query,
  now: EpochMs,
): Omit<Query, 'mine'> & { only: readonly number[] | null } {
  return { ...query, only: mine ? mineOf(liveState, user, now) : null };
}

/** Returns the names of the filters that a query uses, for the audit: never their values. */
export function filtersOf({
  state,
  unit,
  bed,
  only,
  attention,
  ids,
}: Pick<PatientsListQuery, 'state' | 'unit' | 'bed' | 'only' | 'attention' | 'ids'>): string[] {
  return ids === undefined
    ? [
        state,
        ...(unit === undefined ? [] : ['unit']),
        ...(bed === undefined ? [] : ['bed']),
        ...(only === null ? [] : ['mine']),
        ...(attention ? ['attention'] : []),
      ]
    : ['ids'];
}
