import { parseArgs } from 'node:util';
import { restoreBackup } from '../backup/restoreBackup';
import { parseEnv } from '../env';

const help = `Restores a backup into an empty target.

  npm run restore -- BACKUP [--to TARGET]

  BACKUP  the folder of a backup, such as data/backups/2026-05-01T10-00-00Z
  --to    an empty data folder, or the postgres:// URL of an empty database; without it DATA_DIR
          or DATABASE_URL decides

Nothing is ever overwritten: move the old wardlight.db away first, or create a new database.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [folder] = positionals;
  if (values.help === true || folder === undefined || positionals.length > 1) {
    process.stdout.write(help);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const to = values.to ?? parsed.env.databaseUrl ?? parsed.env.dataDir;
  const manifest = await restoreBackup(folder, /^postgres(ql)?:\/\//.test(to) ? { databaseUrl: to } : { dataDir: to });
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `Restored ${rows} rows of ${new Date(manifest.takenAt).toISOString()}. The server can be started on it.\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`Nothing was restored: ${error instanceof Error ? error.message : 'unknown fault'}\n`);
  process.exitCode = 1;
});
