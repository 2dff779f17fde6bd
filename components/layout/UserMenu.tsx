import Link from 'next/link';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { can } from '../../lib/session/can';
import { askForReport } from '../../hooks/issueReporting';
import { askForTour } from '../../hooks/tourSignals';
import { beginTourAgain } from '../../lib/browser/tourRecord';
import { canTour } from '../../lib/tour/canTour';
import { BreakGlassButton, canBreakGlass } from '../breakGlass/BreakGlassOffer';
import { Icon } from '../ui/Icon';
import { useSlashKey } from '../patients/useSlashKey';
import { SignOut } from '../session/SignOut';
import { themeChoices, useThemeChoice, type ThemeChoice } from './useThemeChoice';
import header from '../ui/headerButton.module.css';
import styles from './UserMenu.module.css';

const menuId = 'user-menu';
const themeLabels = { system: 'Match system', light: 'Day', dark: 'Night' } as const satisfies Record<
  ThemeChoice,
  string
>;

/** Locks the screen while the user is away. */
function LockEntry() {
  const { lock } = useCurrentUser();
  return (
    <button
      type="button"
      className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
      onClick={() => void lock()}
    >
      <Icon name="lock" />
      <span>Lock screen</span>
    </button>
  );
}

/** The user, the appearance, and lock and sign-out. The browser's popover closes on Escape and on a click outside. */
export function UserMenu({ user }: { user: User }) {
  const [theme, chooseTheme] = useThemeChoice();
  const [isSlashOn, switchSlash] = useSlashKey();
  const name = `${user.fname} ${user.lname}`;
  return (
    <>
      <button type="button" className={`${header.button} ${styles.opener}`} popoverTarget={menuId}>
        {user.userImage === null ? (
          <Icon name="person" />
        ) : (
          <img src={user.userImage} alt="" className={styles.picture} />
        )}
        {name}
      </button>
      <div id={menuId} popover="auto" className={styles.menu}>
        <div>
          <strong>{name}</strong>
          <div className={styles.quiet}>{userTypeLabels[user.type]}</div>
          <div className={styles.quiet}>{user.email}</div>
          <Link href={paths.profile} prefetch={false}>
            Profile
          </Link>
        </div>
        <fieldset className={styles.themes}>
          <legend>Appearance</legend>
          {themeChoices.map((choice) => (
            <label key={choice}>
              <input type="radio" name="theme" checked={theme === choice} onChange={() => chooseTheme(choice)} />
              {themeLabels[choice]}
            </label>
          ))}
        </fieldset>
        <fieldset className={styles.themes}>
          <legend>Keyboard</legend>
          <label>
            <input type="checkbox" checked={isSlashOn} onChange={({ target }) => switchSlash(target.checked)} />
            <span>
              <kbd>/</kbd> finds a patient (<kbd>Ctrl</kbd> <kbd>K</kbd> always does)
            </span>
          </label>
        </fieldset>
        {canBreakGlass(user) ? <BreakGlassButton /> : null}
        {can(user, 'fileReports') ? (
          <button
            type="button"
            className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
            // The menu is above everything, and would cover the form.
            popoverTarget={menuId}
            popoverTargetAction="hide"
            onClick={() => askForReport({})}
          >
            <Icon name="addReport" />
            <span>Report issue</span>
          </button>
        ) : null}
        {canTour(user) ? (
          <button
            type="button"
            className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
            popoverTarget={menuId}
            popoverTargetAction="hide"
            onClick={() => {
              beginTourAgain(user.id);
              askForTour();
            }}
          >
            <span>Show the walkthrough</span>
          </button>
        ) : null}
        <LockEntry />
        {can(user, 'readAlerts') && !can(user, 'proposeAlertSettings') ? (
          <Link href={paths.alertSettings} prefetch={false}>
            Alert settings
          </Link>
        ) : null}
        {can(user, 'readAudit') ? (
          <Link href={paths.adminAudit} prefetch={false}>
            Audit log
          </Link>
        ) : null}
        <SignOut />
      </div>
    </>
  );
}
