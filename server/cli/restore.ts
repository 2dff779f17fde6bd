import { restoreBackup } from '../backup/restoreBackup';
import type { Settled } from '../backup/settleRestored';
import { readArgs } from './readArgs';
import { readSettings, runCommand } from './runCommand';
import { UsageError } from './UsageError';

const help = `Restores a backup into an empty target.

  npm run restore -- BACKUP [--to TARGET]

  BACKUP  the folder of a backup, such as data/backups/2026-05-01T10-00-00Z
  --to    an empty data folder, or the postgres:// URL of an empty database; without it DATA_DIR
          or DATABASE_URL decides

An encrypted backup needs the key file that BACKUP_KEY_FILE names. All sessions, invitations and reset links of the
backup end; devices and users whose state may have changed after it are listed.

Nothing is ever overwritten: move the old wardlight.db away first, or create a new database.
`;

/** Says what has ended, and whom and what to look at, because nothing is known of the time after the backup. */
function settledText(settled: Settled): string {
  const { sessions, accountTokens, devices, senders, mappings, users, checkInLinks } = settled;
  const list = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
  return (
    `Ended: ${sessions} sessions, and ${accountTokens} invitations and reset links. Everyone signs in again.\n` +
    'What happened after the backup is not known. Look at these, if anything was changed since:\n' +
    list(
      'Devices whose tokens work again, also those that were revoked or renewed since:',
      devices.map(({ id, name }) => `${id}  ${name}`),
    ) +
    list(
      'HL7 senders whose messages are taken again, also those that were revoked since:',
      senders.map(({ id, name }) => `${id}  ${name}`),
    ) +
    list(
      'Beds and codes of HL7 senders, to be confirmed again at Admin, Mappings, because patients may have moved since:',
      mappings === 0 ? [] : [`${mappings}, whose values are not taken until then`],
    ) +
    list(
      'Users who can sign in, with the password, the role and the units of that time:',
      users.map(({ id, email, role }) => `${id}  ${email}  ${role}`),
    ) +
    list(
      'Check-in links of patients at home that work again, also those that were revoked since:',
      checkInLinks === 0 ? [] : [`${checkInLinks}, to see on the patients’ pages`],
    )
  );
}

const options = { to: { type: 'string' } } as const;

async function restore(): Promise<0> {
  const { values, positionals } = readArgs(process.argv.slice(2), options, { takesWords: true });
  const [folder, ...more] = positionals;
  if (folder === undefined) {
    throw new UsageError('Name the folder of a backup');
  }
  if (more.length > 0) {
    throw new UsageError(`Name one backup: ${more.join(' ')} is too much`);
  }
  const env = readSettings();
  const to = values.to ?? env.databaseUrl ?? env.dataDir;
  const { manifest, settled } = await restoreBackup(
    folder,
    /^postgres(ql)?:\/\//.test(to) ? { databaseUrl: to } : { dataDir: to },
    { now: Date.now(), backupKeyFile: env.backupKeyFile },
  );
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `Restored ${rows} rows of ${new Date(manifest.takenAt).toISOString()}.\n\n${settledText(settled)}\n` +
      'The server can be started on it.\n',
  );
  return 0;
}

runCommand('restore', help, restore, 'Nothing was restored: ');
