import { formatDayAndTime, zoneLabel } from '../../lib/time/formatTime';
import type { SecretLink } from '../../lib/users/schema';
import { CopyBox } from '../ui/CopyBox';
import styles from './admin.module.css';

interface SecretLinkBoxProps {
  /** What the link is, "Invitation for ines@ward.test". */
  title: string;
  link: SecretLink;
  timeZone: string;
  /** Says who has to confirm the account. */
  confirmation?: string;
}

const siteConfirms =
  'If you do not see all patients yourself, a ward lead, a physician or another administrator has to confirm the ' +
  'account before it can do anything.';

/**
 * Says that a link was mailed. Where no mail server is configured it shows the link, which the server sends only once,
 * to be copied and passed on.
 */
export function SecretLinkBox({ title, link: made, timeZone, confirmation = siteConfirms }: SecretLinkBoxProps) {
  const { link, expiresAt, mailed } = made;
  const expires = Date.parse(expiresAt);
  const until = `works once, and is valid until ${formatDayAndTime(expires, timeZone)} ${zoneLabel(expires, timeZone)}`;
  if (link === null) {
    return (
      <div className={styles.said}>
        <strong>{title}</strong>
        <p className={styles.text}>
          {mailed
            ? `It was sent by mail, ${until}.`
            : 'The mail could not be sent. Try again later, or ask the operator: it is in the server’s outbox.'}
        </p>
      </div>
    );
  }
  return (
    <CopyBox title={title} noun="link" secret={link}>
      No mail was sent. Give it to this person yourself. It is shown only once, {until}. {confirmation}
    </CopyBox>
  );
}
