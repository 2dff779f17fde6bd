import { setupBody } from '../../lib/session/schema';
import type { NewSite } from '../../lib/site/schema';
import { readOptions } from './readOptions';

const { siteName, timeZone, email } = setupBody.shape;

const text = { type: 'string' } as const;
const options = { name: text, 'time-zone': text, admin: text, help: { type: 'boolean' } } as const;

/** Returns the site that the arguments of `site:add` describe, "help", or what is wrong with them. */
export function parseSiteOptions(args: string[]): Omit<NewSite, 'clientId'> | 'help' | { fault: string } {
  const texts = readOptions(args, options);
  if (texts === null) {
    return { fault: 'These options are not known, or one lacks its value' };
  }
  if (texts.help === true) {
    return 'help';
  }
  const [name, zone, admin] = [
    siteName.safeParse(texts.name),
    timeZone.safeParse(texts['time-zone']),
    email.safeParse(texts.admin),
  ];
  if (!name.success) {
    return { fault: '--name must be one line of at most 100 characters' };
  }
  if (!zone.success) {
    return { fault: '--time-zone must be a time zone such as Europe/London' };
  }
  if (!admin.success) {
    return { fault: '--admin must be an e-mail address' };
  }
  return { name: name.data, timeZone: zone.data, adminEmail: admin.data };
}
