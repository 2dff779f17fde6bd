import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';

/** Shown to users who do not read alerts: administrators, too, have no part in these settings. */
export function NoAlertSettings({ user }: { user: User }) {
  return (
    <>
      <h1>Alert settings</h1>
      <p>
        You are signed in as {user.fname} {user.lname}, {userTypeLabels[user.type]}. This page is for people who look
        after patients: physicians and ward leads propose changes, and ward leads approve them.
      </p>
    </>
  );
}
