import { Select } from 'antd';
import { useRef, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { newUuid } from '../../lib/browser/newUuid';
import { newSite } from '../../lib/site/schema';
import type { SecretLink } from '../../lib/users/schema';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { useTimeZones } from '../ui/useTimeZones';
import styles from './admin.module.css';
import { SiteLinkBox } from './SiteLinkBox';

const typedSite = newSite.omit({ clientId: true });

/**
 * Adds a site and invites its first administrator. The link is shown only once, so the drawer stays open until it is
 * closed. `timeZone` is that of the user's own site, likely the new one's too.
 */
export function AddSiteDrawer({ timeZone, onClose }: { timeZone: string; onClose: () => void }) {
  const add = useCall('addSite');
  const { zones } = useTimeZones();
  const [made, setMade] = useState<{ name: string; email: string; link: SecretLink } | null>(null);
  /** The same one until a site is there, so that an attempt after a lost response adds no second one. */
  const clientId = useRef<string | null>(null);
  return (
    <FormDrawer title="Add site" onClose={onClose}>
      <div className={styles.drawer}>
        <div role="status">
          {made === null ? null : (
            <SiteLinkBox name={made.name} email={made.email} link={made.link} timeZone={timeZone} />
          )}
        </div>
        <SchemaForm
          schema={typedSite}
          initial={{ name: '', timeZone, adminEmail: '' }}
          send={async (body) => {
            clientId.current ??= newUuid();
            const link = await add({ body: { ...body, clientId: clientId.current } });
            clientId.current = null;
            setMade({ name: body.name, email: body.adminEmail, link });
          }}
          done="added"
          submitLabel="Add site"
          isEmptiedWhenSent
        >
          <FormField name="name" label="Name" hint="The hospital or ward, as screens show it" />
          <FormField name="timeZone" label="Time zone" hint="All times of the site are shown in it">
            <Select
              showSearch={{ optionFilterProp: 'label' }}
              options={
                zones.some(({ value }) => value === timeZone)
                  ? [...zones]
                  : [{ value: timeZone, label: timeZone }, ...zones]
              }
            />
          </FormField>
          <FormField
            name="adminEmail"
            label="E-mail of its first administrator"
            hint="They see no patients, and invite everyone else"
            type="email"
          />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}
