import type { User } from '../../lib/session/schema';
import { SignOut } from './SignOut';

/** Shown to a signed-in user on a page for people without a session. `title` is that of the page. */
export function AlreadySignedIn({ title, user }: { title: string; user: User }) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        You are signed in as {user.fname} {user.lname}. Sign out first; if a link brought you here, open it again
        afterwards: it has not been used up.
      </p>
      <SignOut />
    </>
  );
}
