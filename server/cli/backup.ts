import { takeBackup } from '../backup/takeBackup';
import { readArgs } from './readArgs';
import { readSettings, runCommand } from './runCommand';

const help = `Takes a backup of everything in the database, also while the server runs, and checks it.

  npm run backup

With BACKUP_KEY_FILE it is encrypted. Each backup has a folder in DATA_DIR/backups; the last 14 are kept.
The server takes one every day by itself.
`;

async function backUp(): Promise<0> {
  readArgs(process.argv.slice(2), {}, { takesWords: false });
  const { folder, manifest } = await takeBackup(readSettings(), Date.now());
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `${folder}\n${rows} rows, checked. Audit head: ${manifest.auditHead.id} ${manifest.auditHead.hash}\n` +
      (manifest.encryption === undefined ? 'It is not encrypted: see BACKUP_KEY_FILE in docs/operations.md.\n' : ''),
  );
  return 0;
}

runCommand('backup', help, backUp, 'The backup failed: ');
