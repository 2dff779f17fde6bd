import Link from 'next/link';
import { useRouter } from 'next/router';
import { paths } from '../../lib/paths';
import type { Permission } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import styles from './AdminNavigation.module.css';

const pages = [
  { label: 'Users', href: paths.adminUsers, permission: 'manageUsers' },
  { label: 'Units', href: paths.adminUnits, permission: 'manageSite' },
  { label: 'Devices', href: paths.adminDevices, permission: 'readDevices' },
  { label: 'Interfaces', href: paths.adminInterfaces, permission: 'readMessages' },
  { label: 'Mappings', href: paths.adminMappings, permission: 'readMappings' },
  { label: 'Site', href: paths.adminSite, permission: 'manageSite' },
  { label: 'Emergency access', href: paths.adminEmergencyAccess, permission: 'manageUsers' },
  { label: 'Errors', href: paths.adminErrors, permission: 'manageSite' },
  { label: 'Sites', href: paths.adminSites, permission: 'addSites' },
  { label: 'Audit log', href: paths.adminAudit, permission: 'readAudit' },
] as const satisfies readonly {
  label: string;
  href: string;
  permission: Permission;
}[];

/** Links to the pages of administration that the user may open. It is shown above each of them. */
export function AdminNavigation({ user }: { user: User }) {
  const { pathname } = useRouter();
  return (
    <nav aria-label="Administration">
      <ul className={styles.pages}>
        {pages
          .filter(({ permission }) => can(user, permission))
          .map(({ label, href }) => (
            <li key={href}>
              <Link
                href={href}
                prefetch={false}
                className={styles.page}
                aria-current={pathname === href ? 'page' : undefined}
              >
                {label}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}
