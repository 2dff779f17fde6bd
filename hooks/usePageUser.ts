import type { User } from '../lib/session/schema';
import { useCurrentUser } from './useCurrentUser';

/**
 * Returns the user of a page as the store has them now: what they may do can have changed since the page came. Until
 * the store knows the page, and while it shows no user, they are as they came; another user is never returned.
 */
export function usePageUser(pageUser: User): User {
  const { user } = useCurrentUser();
  return user?.id === pageUser.id ? user : pageUser;
}
