import { formatDayAndTime, zoneLabel } from '../../lib/time/formatTime';
import type { SecretLink } from '../../lib/users/schema';
import { CopyBox } from '../ui/CopyBox';

interface SecretLinkBoxProps {
  /** What the link is, "Invitation for ines@ward.test". */
  title: string;
  link: SecretLink;
  timeZone: string;
}

/** Shows a link that the server sends only once, to be copied and passed on, unless a mail has brought it already. */
export function SecretLinkBox({ title, link: { link, expiresAt, mailed }, timeZone }: SecretLinkBoxProps) {
  const expires = Date.parse(expiresAt);
  return (
    <CopyBox title={title} noun="link" secret={link}>
      {mailed ? 'It was also sent by mail.' : 'No mail was sent. Give it to this person yourself.'} It is shown only
      once, works once, and is valid until {formatDayAndTime(expires, timeZone)} {zoneLabel(expires, timeZone)}.
    </CopyBox>
  );
}
