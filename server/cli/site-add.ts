import { toInstant } from '../../lib/time/schema';
import { paths } from '../../lib/paths';
import { addSite } from '../site/addSite';
import { parseSiteOptions } from './parseSiteOptions';
import { readSettings, runCommand } from './runCommand';
import { withStore } from './withStore';

const help = `Adds a site and prints the link by which its first administrator makes an account.

  npm run site:add -- --name "North ward" --time-zone Europe/London --admin ann@example.org

  --name       what screens call the site
  --time-zone  the time zone of its clocks
  --admin      the e-mail address of its first administrator, who sees no patients and invites everyone else
`;

async function addOne(): Promise<0> {
  const options = parseSiteOptions(process.argv.slice(2));
  const env = readSettings();
  return await withStore(env, async (db) => {
    const { id, secret, expiresAt } = await addSite(db, Date.now(), options, null);
    const origin = env.publicUrl ?? `http://127.0.0.1:${env.port}`;
    process.stdout.write(
      `Site ${id} "${options.name}" was added. This link is shown once and works until ${toInstant(expiresAt)}:\n\n` +
        `${origin}${paths.signUp}#invitation=${secret}\n` +
        (env.publicUrl === null
          ? `\nIf browsers reach the server under another address than ${origin}, put that in its place.\n`
          : ''),
    );
  });
}

runCommand('site:add', help, addOne);
