import { textMatcher } from '../patients/names';
import type { ListedUser } from './schema';

/**
 * Returns the users whose name or e-mail begins with each word of the text: users who wait for approval first, then by
 * last name.
 */
export function findUsers(users: readonly ListedUser[], text: string): ListedUser[] {
  const place = ({ state, lname, fname }: ListedUser): string => `${state === 'waiting' ? 0 : 1} ${lname} ${fname}`;
  const matches = textMatcher(text);
  return users
    .filter(({ fname, lname, email }) => matches(`${fname} ${lname} ${email} ${email.replace('@', ' ')}`))
    .sort((a, b) => place(a).localeCompare(place(b), 'en'));
}
