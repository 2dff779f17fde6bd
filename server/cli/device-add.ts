import { openStoreForCommand } from '../db/open';
import { parseEnv } from '../env';
import { addDevice } from '../devices/commands';
import { system } from '../audit/actor';
import { parseDeviceOptions } from './parseDeviceOptions';

const help = `Adds a device and prints its token once.

  npm run device:add -- --site 1 --name gateway [--expected-every SECONDS] [--days N]

  --site            the site whose patients it may report
  --name            what screens call it
  --expected-every  how often it sends a value, in seconds; without it the kind of value decides (1 s on a monitor)
  --days            the token ends after this many days; without it, when it is revoked
`;

async function main(): Promise<void> {
  const options = parseDeviceOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(help);
    return;
  }
  if ('fault' in options) {
    throw new Error(`${options.fault}\n\n${help}`);
  }
  const { siteId, name, expectedEveryMs, lastsMs } = options;
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const db = await openStoreForCommand(parsed.env);
  try {
    const now = Date.now();
    const { id, token } = await addDevice(db, now, system, {
      siteId,
      name,
      expectedEveryMs,
      expiresAt: lastsMs === null ? null : now + lastsMs,
    });
    process.stdout.write(`Device ${id} "${name}" was added. Its token is shown this once:\n\n${token}\n`);
  } finally {
    await db.destroy();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'unknown fault'}\n`);
  process.exitCode = 1;
});
