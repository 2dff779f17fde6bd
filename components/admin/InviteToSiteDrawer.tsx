import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { siteInvitation, type ListedSite } from '../../lib/site/schema';
import type { SecretLink } from '../../lib/users/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './admin.module.css';
import { SiteLinkBox } from './SiteLinkBox';

interface InviteToSiteDrawerProps {
  /** One that has no user. */
  site: ListedSite;
  timeZone: string;
  onClose: () => void;
}

const typedInvitation = siteInvitation.omit({ siteId: true });

/** Invites the first administrator of a site again. */
export function InviteToSiteDrawer({ site: { id, name }, timeZone, onClose }: InviteToSiteDrawerProps) {
  const invite = useCall('inviteToSite');
  const [made, setMade] = useState<{ email: string; link: SecretLink } | null>(null);
  return (
    <FormDrawer title={`Invite to ${name}`} onClose={onClose}>
      <div className={styles.drawer}>
        <div role="status">
          {made === null ? null : <SiteLinkBox name={name} email={made.email} link={made.link} timeZone={timeZone} />}
        </div>
        <p className={styles.text}>No one has taken up the invitation to this site. A new one ends it.</p>
        <SchemaForm
          schema={typedInvitation}
          initial={{ adminEmail: '' }}
          send={async (body) => {
            setMade({ email: body.adminEmail, link: await invite({ body: { ...body, siteId: id } }) });
          }}
          done="invited"
          submitLabel="Create invitation"
          isEmptiedWhenSent
        >
          <FormField name="adminEmail" label="E-mail of its first administrator" type="email" />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}
