import { setupBody } from '../../lib/session/schema';
import type { NewSite } from '../../lib/site/schema';
import { optionOf, readArgs } from './readArgs';

const { siteName, timeZone, email } = setupBody.shape;

const text = { type: 'string' } as const;
const options = { name: text, 'time-zone': text, admin: text } as const;

/** Returns the site that the arguments of `site:add` describe. Throws UsageError. */
export function parseSiteOptions(args: readonly string[]): Omit<NewSite, 'clientId'> {
  const texts = readArgs(args, options, { takesWords: false }).values;
  return {
    name: optionOf(siteName, texts.name, '--name must be one line of at most 100 characters'),
    timeZone: optionOf(timeZone, texts['time-zone'], '--time-zone must be a time zone such as Europe/London'),
    adminEmail: optionOf(email, texts.admin, '--admin must be an e-mail address'),
  };
}
