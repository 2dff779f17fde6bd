import type { User } from '../lib/session/schema';
import { useCurrentUser } from './useCurrentUser';

/**
 * Returns the user of a page as the store has them now, because their permissions may have changed since the page was
 * rendered. Until the store knows the page, and while it shows no user, that is `pageUser`. It is never another user.
 */
export function usePageUser(pageUser: User): User {
  const { user } = useCurrentUser();
  return user?.id === pageUser.id ? user : pageUser;
}
