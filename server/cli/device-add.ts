import { addDevice } from '../devices/commands';
import { system } from '../audit/actor';
import { parseDeviceOptions } from './parseDeviceOptions';
import { readSettings, runCommand } from './runCommand';
import { withStore } from './withStore';

const help = `Adds a device and prints its token once.

  npm run device:add -- --site 1 --name gateway [--expected-every SECONDS] [--days N] [--any-patient N]

  --site            the number of the site whose patients it may report: 1 is the first one
  --name            what screens call it
  --expected-every  how often it sends a value, in seconds; without it the kind of value decides (1 s on a monitor)
  --any-patient     for so many days it may send for any patient of the site: two persons confirm it as a gateway
                    before, on the page Devices; without it, for the patient it is assigned to
  --days            the token ends after this many days; without it, when it is revoked
`;

async function addOne(): Promise<0> {
  const options = parseDeviceOptions(process.argv.slice(2));
  const { siteId, name, expectedEveryMs, lastsMs, anyPatientMs } = options;
  return await withStore(readSettings(), async (db) => {
    const now = Date.now();
    const { id, token } = await addDevice(db, now, system, {
      siteId,
      name,
      expectedEveryMs,
      expiresAt: lastsMs === null ? null : now + lastsMs,
      gatewayUntil: anyPatientMs === null ? undefined : now + anyPatientMs,
    });
    process.stdout.write(`Device ${id} "${name}" was added. Its token is shown this once:\n\n${token}\n`);
  });
}

runCommand('device:add', help, addOne);
