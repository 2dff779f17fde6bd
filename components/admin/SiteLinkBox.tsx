import type { SecretLink } from '../../lib/users/schema';
import { SecretLinkBox } from './SecretLinkBox';

interface SiteLinkBoxProps {
  /** That of the site. */
  name: string;
  email: string;
  link: SecretLink;
  timeZone: string;
}

/** The invitation of a site's first administrator. */
export function SiteLinkBox({ name, email, link, timeZone }: SiteLinkBoxProps) {
  return (
    <SecretLinkBox
      title={`Invitation for ${email} as administrator of ${name}`}
      link={link}
      timeZone={timeZone}
      confirmation="The person who opens it administers the new site. It gives no access to patients."
    />
  );
}
