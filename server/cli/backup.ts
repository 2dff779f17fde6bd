import { takeBackup } from '../backup/takeBackup';
import { parseEnv } from '../env';

const help = `Takes a backup of everything in the database, also while the server runs, and checks it.

  npm run backup

With BACKUP_KEY_FILE it is encrypted. Each backup has a folder in DATA_DIR/backups; the last 14 are kept.
The server takes one every day by itself.
`;

async function main(): Promise<void> {
  if (process.argv.length > 2) {
    process.stdout.write(help);
    process.exitCode = process.argv[2] === '--help' ? 0 : 2;
    return;
  }
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const { folder, manifest } = await takeBackup(parsed.env, Date.now());
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `${folder}\n${rows} rows, checked. Audit head: ${manifest.auditHead.id} ${manifest.auditHead.hash}\n` +
      (manifest.encryption === undefined ? 'It is not encrypted: see BACKUP_KEY_FILE in docs/operations.md.\n' : ''),
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`The backup failed: ${error instanceof Error ? error.message : 'unknown fault'}\n`);
  process.exitCode = 1;
});
