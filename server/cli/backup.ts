import { takeBackup } from '../backup/takeBackup';
import { readArgs } from './readArgs';
import { printHelp, readSettings, runCommand } from './runCommand';

const help = `Takes a backup of everything in the database, also while the server runs, and checks it.

  npm run backup

With BACKUP_KEY_FILE it is encrypted. Each backup has a folder in DATA_DIR/backups; the last 14 are kept.
The server takes one every day by itself.
`;

const options = { help: { type: 'boolean', short: 'h' } } as const;

async function backUp(): Promise<0> {
  const { values } = readArgs(process.argv.slice(2), options, { takesWords: false });
  if (values.help === true) {
    return printHelp(help);
  }
  const { folder, manifest } = await takeBackup(readSettings(), Date.now());
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `${folder}\n${rows} rows, checked. Audit head: ${manifest.auditHead.id} ${manifest.auditHead.hash}\n` +
      (manifest.encryption === undefined ? 'It is not encrypted: see BACKUP_KEY_FILE in docs/operations.md.\n' : ''),
  );
  return 0;
}

runCommand('backup', backUp, 'The backup failed: ');
