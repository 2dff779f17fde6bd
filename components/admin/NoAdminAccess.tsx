import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';

interface NoAdminAccessProps {
  /** That of the page. */
  title: string;
  user: User;
  /** The page is about all sites. */
  isOfInstallation?: boolean;
}

function installationText({ site }: User): string {
  return site.isDemo
    ? 'This installation is a demo ward, which gets no further sites.'
    : 'This page is for administrators of the first site of this installation.';
}

/** Shown to users without the permission for a page of administration. */
export function NoAdminAccess({ title, user, isOfInstallation = false }: NoAdminAccessProps) {
  return (
    <>
      <h1>{title}</h1>
      <p>
        You are signed in as {user.fname} {user.lname}, {userTypeLabels[user.type]}.{' '}
        {isOfInstallation ? installationText(user) : 'This page is for administrators of the site.'}
      </p>
      {isOfInstallation ? null : <p>Another administrator can give you this right in addition to your role.</p>}
    </>
  );
}
