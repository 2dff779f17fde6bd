import { parseArgs } from 'node:util';
import { openStoreForCommand } from '../db/open';
import { isSigned } from '../audit/headKey';
import { verifyAudit } from '../audit/verify';
import { parseEnv } from '../env';

const help = `Proves that the audit log was not changed, or names the first row that is not what was written.

  npm run audit:verify [-- --head HASH [--row ID --signature SIGNATURE --key KEY]]

  --head       the hash of an "audit head" from the log or from a backup's manifest. Only with it does the command
               notice that all rows were rewritten or the newest were cut off
  --signature  with --row, the id in the same line: proves that the line was written by the server that has --key
  --key        the key of an "audit head" that was kept elsewhere, not the one of the line to be proved
`;

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { head: text, row: text, signature: text, key: text, help: { type: 'boolean' } },
  });
  if (values.help === true) {
    process.stdout.write(help);
    return;
  }
  if (values.head !== undefined && !/^[0-9a-f]{64}$/.test(values.head)) {
    throw new Error(`--head is not a hash of 64 digits 0-9 and a-f\n\n${help}`);
  }
  const { head: hash, row, signature, key } = values;
  if (row !== undefined || signature !== undefined || key !== undefined) {
    if (hash === undefined || row === undefined || signature === undefined || key === undefined) {
      throw new Error(`--row, --signature and --key go together, with --head\n\n${help}`);
    }
    if (!isSigned(key, { id: Number(row), hash }, signature)) {
      throw new Error('This head was not signed with this key: it is not one that the server wrote to its log.');
    }
    process.stdout.write('The head was signed with this key.\n');
  }
  const parsed = parseEnv(process.env);
  if ('faults' in parsed) {
    throw new Error(parsed.faults.join('; '));
  }
  const db = await openStoreForCommand(parsed.env);
  try {
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
  } finally {
    await db.destroy();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'unknown fault'}\n`);
  process.exitCode = 1;
});
