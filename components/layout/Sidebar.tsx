import Link from 'next/link';
import { useRouter } from 'next/router';
import { useChat } from '../../hooks/useChat';
import { useSidebar } from '../../hooks/useSidebar';
import { paths } from '../../lib/paths';
import type { Permission } from '../../lib/session/permissions';
import { Unread } from '../chat/Unread';
import { Icon, type IconName } from '../ui/Icon';
import styles from './Sidebar.module.css';

interface Section {
  label: string;
  icon: IconName;
  href: string;
  /** The routes, or the starts of routes ("/admin/"), that belong to it. */
  pages: readonly string[];
  /** Shown to whoever may do this alone; left out where everybody sees it. */
  act?: Permission;
  /** Left out for whoever may do this, because they find it elsewhere. */
  unless?: Permission;
}

const sections: readonly Section[] = [
  { label: 'Dashboard', icon: 'dashboard', href: paths.dashboard, pages: ['/dashboard'] },
  { label: 'Patients', icon: 'patients', href: paths.patients, pages: ['/patients', '/patient_details'] },
  {
    label: 'Assignments',
    icon: 'assignments',
    href: paths.assignments,
    pages: ['/assignments'],
    act: 'readAssignments',
  },
  { label: 'Chat', icon: 'chat', href: paths.chat, pages: ['/chat'], act: 'chat' },
  {
    label: 'Devices',
    icon: 'device',
    href: paths.adminDevices,
    pages: ['/admin/devices'],
    act: 'readDevices',
    unless: 'manageUsers',
  },
  { label: 'Admin', icon: 'admin', href: paths.adminUsers, pages: ['/admin/'], act: 'manageUsers' },
];

/** Without a key of the chat service the chat's page is for those who can set it up. */
const neededFor = ({ href, act }: Section, hasChat: boolean): Permission | undefined =>
  href === paths.chat && !hasChat ? 'manageSite' : act;

/**
 * The way from one section to another. Folded it shows pictures alone, with their names for screen readers and
 * pointers.
 */
export function Sidebar({ permissions, hasChat }: { permissions: readonly Permission[]; hasChat: boolean }) {
  const { collapsed, toggle } = useSidebar();
  const { pathname } = useRouter();
  const { unread } = useChat();
  return (
    <nav className={collapsed ? styles.collapsed : styles.open} aria-label="Sections" data-tour="sidebar">
      <button
        type="button"
        className={styles.entry}
        aria-expanded={!collapsed}
        title={collapsed ? 'Open the sidebar' : 'Fold the sidebar'}
        onClick={toggle}
      >
        <Icon name="expand" />
        <span className={collapsed ? 'visually-hidden' : undefined}>{collapsed ? 'Open the sidebar' : 'Fold'}</span>
      </button>
      <ul className={styles.sections}>
        {sections
          .filter((section) => {
            const act = neededFor(section, hasChat);
            return (
              (act === undefined || permissions.includes(act)) &&
              (section.unless === undefined || !permissions.includes(section.unless))
            );
          })
          .map(({ label, icon, href, pages }) => (
            <li key={label}>
              <Link
                href={href}
                prefetch={false}
                className={styles.entry}
                title={collapsed ? label : undefined}
                aria-current={
                  pages.some((page) => page === pathname || (page.endsWith('/') && pathname.startsWith(page)))
                    ? 'page'
                    : undefined
                }
              >
                <Icon name={icon} />
                <span className={collapsed ? 'visually-hidden' : undefined}>{label}</span>
                {href === paths.chat ? <Unread count={unread} isOnPicture={collapsed} /> : null}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}
