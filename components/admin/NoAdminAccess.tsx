import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';

/** Shown to users without the permission for a page of administration. `title` is that of the page. */
export function NoAdminAccess({ title, user }: { title: string; user: User }) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        You are signed in as {user.fname} {user.lname}, {userTypeLabels[user.type]}. This page is for administrators of
        the site.
      </p>
      <p>Another administrator can give you this right in addition to your role.</p>
    </>
  );
}
