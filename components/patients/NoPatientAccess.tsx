import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';

/** For signed-in users whose type may not see patients. `title` is that of the page they opened. */
export function NoPatientAccess({ title, user }: { title: string; user: User }) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        You are signed in as {user.fname} {user.lname}, {userTypeLabels[user.type]}. This type of user does not see
        patients.
      </p>
      <p>
        Nurses, physicians, respiratory therapists, ward leads and viewers see patients. A ward lead can request another
        type for you.
      </p>
    </>
  );
}
