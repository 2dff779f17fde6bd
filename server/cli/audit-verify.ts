import { isSigned } from '../audit/headKey';
import { verifyAudit } from '../audit/verify';
import { readArgs } from './readArgs';
import { readSettings, runCommand } from './runCommand';
import { UsageError } from './UsageError';
import { withStore } from './withStore';

const help = `Proves that the audit log was not changed, or names the first row that is not what was written.

  npm run audit:verify [-- --head HASH [--row ID --signature SIGNATURE --key KEY]]

  --head       the hash of an "audit head" from the log or from a backup's manifest. Only with it does the command
               notice that all rows were rewritten or the newest were cut off
  --signature  with --row, the id in the same line: proves that the line was written by the server that has --key
  --key        the key of an "audit head" that was kept elsewhere, not the one of the line to be proved
`;

const text = { type: 'string' } as const;
const options = { head: text, row: text, signature: text, key: text } as const;

async function verify(): Promise<0> {
  const { values } = readArgs(process.argv.slice(2), options, { takesWords: false });
  if (values.head !== undefined && !/^[0-9a-f]{64}$/.test(values.head)) {
    throw new UsageError('--head is not a hash of 64 digits 0-9 and a-f');
  }
  const { head: hash, row, signature, key } = values;
  if (row !== undefined || signature !== undefined || key !== undefined) {
    if (hash === undefined || row === undefined || signature === undefined || key === undefined) {
      throw new UsageError('--row, --signature and --key go together, with --head');
    }
    if (!isSigned(key, { id: Number(row), hash }, signature)) {
      throw new Error('This head was not signed with this key: it is not one that the server wrote to its log.');
    }
    process.stdout.write('The head was signed with this key.\n');
  }
  return await withStore(readSettings(), async (db) => {
    const { head, fault } = await verifyAudit(db, values.head ?? null);
    if (fault !== null) {
      throw new Error(
        fault.row === null
          ? `The audit is not whole. ${fault.why}.`
          : `The audit is not whole: row ${fault.row} ${fault.why}.`,
      );
    }
    process.stdout.write(`The audit is whole: ${head.id} rows. Head: ${head.hash === '' ? 'none yet' : head.hash}\n`);
    if (values.head === undefined) {
      process.stdout.write('Without --head it cannot show that all rows were rewritten or the newest cut off.\n');
    }
  });
}

runCommand('audit:verify', help, verify);
