import Link from 'next/link';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';

/**
 * For signed-in users whose role may not see patients, or whose account waits for confirmation. `title` is that of the
 * page they opened.
 */
export function NoPatientAccess({ title, user }: { title: string; user: User }) {
  return (
    <>
      <h1>{title}</h1>
      {user.awaitsConfirmation ? <AwaitsConfirmation user={user} /> : <OtherRole user={user} />}
    </>
  );
}

function AwaitsConfirmation({ user }: { user: User }) {
  return (
    <>
      <p>
        You are signed in as {user.fname} {user.lname}, {userTypeLabels[user.type]}.{' '}
        <strong>Your account waits for confirmation.</strong>
      </p>
      <p>
        An administrator opened it. Ask a ward lead, a physician or another administrator to confirm it on their start
        page or in the list of users. Then reload this page.
      </p>
    </>
  );
}

function OtherRole({ user }: { user: User }) {
  return (
    <>
      <p>
        You are signed in as {user.fname} {user.lname}, {userTypeLabels[user.type]}. This role does not see patients.
      </p>
      <p>
        Nurses, physicians, respiratory therapists, ward leads and viewers see patients. A ward lead can request another
        role for you.
      </p>
      {can(user, 'manageUsers') ? (
        <p>
          <Link href={paths.adminUsers} prefetch={false}>
            Administration
          </Link>
        </p>
      ) : null}
    </>
  );
}
