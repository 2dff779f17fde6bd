import { parseArgs } from 'node:util';
import { openStoreForCommand } from '../db/open';
import { verifyAudit } from '../audit/verify';
import { parseEnv } from '../env';

const help = `Proves that the audit log was not changed, or names the first row that is not what was written.

  npm run audit:verify [-- --head HASH]

  --head  the hash of an "audit head" from the log or from a backup's manifest. Only with it does the command
          notice that all rows were rewritten or the newest were cut off
`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { head: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help === true) {
    process.stdout.write(help);
    return;
  }
  if (values.head !== undefined && !/^[0-9a-f]{64}$/.test(values.head)) {
    throw new Error(`--head is not a hash of 64 digits 0-9 and a-f\n\n${help}`);
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
