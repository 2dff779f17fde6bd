import Link from 'next/link';
import { useRouter } from 'next/router';
import { paths } from '../../lib/paths';
import type { Permission } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import styles from './AdminNavigation.module.css';

const pages = [
  { label: 'Users', href: paths.adminUsers, act: 'manageUsers' },
  { label: 'Units', href: paths.adminUnits, act: 'manageSite' },
  { label: 'Devices', href: paths.adminDevices, act: 'manageDevices' },
  { label: 'Site', href: paths.adminSite, act: 'manageSite' },
  { label: 'Emergency access', href: paths.adminEmergencyAccess, act: 'manageUsers' },
  { label: 'Errors', href: paths.adminErrors, act: 'manageSite' },
  { label: 'Audit log', href: paths.adminAudit, act: 'readAudit' },
] as const satisfies readonly {
  label: string;
  href: string;
  act: Permission;
}[];

/** The pages of the administration, above each of them. */
export function AdminNavigation({ user }: { user: User }) {
  const { pathname } = useRouter();
  return (
    <nav aria-label="Administration">
      <ul className={styles.pages}>
        {pages
          .filter(({ act }) => can(user, act))
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
