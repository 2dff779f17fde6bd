import { setupBody } from '../../lib/session/schema';
import type { NewSite } from '../../lib/site/schema';
import { readArgs } from './readArgs';
import { UsageError } from './UsageError';

const { siteName, timeZone, email } = setupBody.shape;

const text = { type: 'string' } as const;
const options = { name: text, 'time-zone': text, admin: text, help: { type: 'boolean', short: 'h' } } as const;

/** Returns the site that the arguments of `site:add` describe, or 'help'. Throws UsageError. */
export function parseSiteOptions(args: readonly string[]): Omit<NewSite, 'clientId'> | 'help' {
  const texts = readArgs(args, options, { takesWords: false }).values;
  if (texts.help === true) {
    return 'help';
  }
  const [name, zone, admin] = [
    siteName.safeParse(texts.name),
    timeZone.safeParse(texts['time-zone']),
    email.safeParse(texts.admin),
  ];
  if (!name.success) {
    throw new UsageError('--name must be one line of at most 100 characters');
  }
  if (!zone.success) {
    throw new UsageError('--time-zone must be a time zone such as Europe/London');
  }
  if (!admin.success) {
    throw new UsageError('--admin must be an e-mail address');
  }
  return { name: name.data, timeZone: zone.data, adminEmail: admin.data };
}
