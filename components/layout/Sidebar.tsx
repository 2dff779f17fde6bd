import Link from 'next/link';
import { useRouter } from 'next/router';
import { askForReport } from '../../hooks/issueReporting';
import { useChat } from '../../hooks/useChat';
import { useSidebar } from '../../hooks/useSidebar';
import { paths } from '../../lib/paths';
import type { Permission } from '../../lib/session/permissions';
import { Unread } from '../chat/Unread';
import { Icon, type IconName } from '../ui/Icon';
import { AlertBadge } from './AlertBadge';
import styles from './Sidebar.module.css';

interface Section {
  label: string;
  icon: IconName;
  href: string;
  /** Its routes, or the start of its routes ("/admin/"). */
  pages: readonly string[];
  /** Only users with this permission see it; undefined: all users. */
  permission?: Permission;
  /** Users with this permission do not see it, because they find it elsewhere. */
  unless?: Permission;
}

const sections: readonly Section[] = [
  {
    label: 'Dashboard',
    icon: 'dashboard',
    href: paths.dashboard,
    pages: ['/dashboard'],
    permission: 'readPatients',
  },
  {
    label: 'Patients',
    icon: 'patients',
    href: paths.patients,
    pages: ['/patients', '/patient_details', '/patient_chart'],
    permission: 'readPatients',
  },
  {
    label: 'Alert history',
    icon: 'history',
    href: paths.alertHistory(),
    pages: ['/alerts'],
    permission: 'readAlerts',
  },
  {
    label: 'Assignments',
    icon: 'assignments',
    href: paths.assignments,
    pages: ['/assignments'],
    permission: 'readAssignments',
  },
  {
    label: 'Handoffs',
    icon: 'handoffs',
    href: paths.handovers,
    pages: ['/handovers'],
    permission: 'readNotes',
  },
  {
    label: 'Issue reports',
    icon: 'report',
    href: paths.reports(),
    pages: ['/reports'],
    permission: 'readReports',
  },
  { label: 'Chat', icon: 'chat', href: paths.chat, pages: ['/chat'], permission: 'chat' },
  {
    label: 'Devices',
    icon: 'device',
    href: paths.adminDevices,
    pages: ['/admin/devices', '/admin/interfaces', '/admin/mappings'],
    permission: 'readDevices',
    unless: 'manageUsers',
  },
  {
    label: 'Alert settings',
    icon: 'settings',
    href: paths.alertSettings,
    pages: ['/alert_settings'],
    permission: 'proposeAlertSettings',
  },
  { label: 'Admin', icon: 'admin', href: paths.adminUsers, pages: ['/admin/'], permission: 'manageUsers' },
];

/** Without a key of the chat service only users who can set chat up see its page. */
const neededFor = ({ href, permission }: Section, hasChat: boolean): Permission | undefined =>
  href === paths.chat && !hasChat ? 'manageSite' : permission;

/** Links to the sections. Folded, it shows only icons, with their names as tooltips and for screen readers. */
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
        title={collapsed ? 'Open the sidebar' : 'Collapse the sidebar'}
        onClick={toggle}
      >
        <Icon name="expand" />
        <span className={collapsed ? 'visually-hidden' : undefined}>{collapsed ? 'Open the sidebar' : 'Collapse'}</span>
      </button>
      <ul className={styles.sections}>
        {sections
          .filter((section) => {
            const permission = neededFor(section, hasChat);
            return (
              (permission === undefined || permissions.includes(permission)) &&
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
                {href === paths.dashboard ? <AlertBadge isOnPicture={collapsed} /> : null}
                {href === paths.chat ? <Unread count={unread} isOnPicture={collapsed} /> : null}
              </Link>
            </li>
          ))}
      </ul>
      {permissions.includes('fileReports') ? (
        <button
          type="button"
          className={`${styles.entry} ${styles.last}`}
          title={collapsed ? 'Report issue' : undefined}
          onClick={() => askForReport({})}
        >
          <Icon name="addReport" />
          <span className={collapsed ? 'visually-hidden' : undefined}>Report issue</span>
        </button>
      ) : null}
    </nav>
  );
}
