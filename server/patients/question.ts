import type { PatientsQuery } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { mineOf } from '../assignments/queries';
import type { LiveState } from '../liveState';

type Asked = Omit<PatientsQuery, 'after'>;

/** A question about a list without anything of who asks: `only` names the patients among whom to look, null all. */
export type PatientsQuestion = Omit<Asked, 'mine'> & { only: readonly number[] | null };

/**
 * Turns "mine" into the patients that it means for this user now, so that an answer can be shared. `now` is epoch
 * milliseconds.
 */
export function questionOf<Query extends Asked>(
  liveState: LiveState,
  user: User,
  { mine, ...query }: Query,
  now: number,
): Omit<Query, 'mine'> & { only: readonly number[] | null } {
  return { ...query, only: mine ? mineOf(liveState, user, now) : null };
}

/** Which kinds of filters a question uses, for the audit: never what they hold. */
export function filtersOf({
  state,
  unit,
  bed,
  only,
}: Pick<PatientsQuestion, 'state' | 'unit' | 'bed' | 'only'>): string[] {
  return [
    state,
    ...(unit === undefined ? [] : ['unit']),
    ...(bed === undefined ? [] : ['bed']),
    ...(only === null ? [] : ['mine']),
  ];
}
