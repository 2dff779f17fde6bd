import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';

/** For signed-in people whose type gives no sight of patients; `title` is that of the page they asked for. */
export function NoPatientAccess({ title, user }: { title: string; user: User }) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        You are signed in as {user.fname} {user.lname}, {userTypeLabels[user.type]}. People of this type do not see
        patients.
      </p>
      <p>
        Patients are seen by nurses, physicians, respiratory therapists, ward leads and viewers. A ward lead can ask for
        another type for you.
      </p>
    </>
  );
}
