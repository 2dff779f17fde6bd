import { parseInstant } from '../../lib/time/parseInstant';
import { toInstant } from '../../lib/time/schema';
import { listRefusalReaders } from '../audit/refusalReaders';
import { readArgs } from './readArgs';
import { readSettings, runCommand } from './runCommand';
import { UsageError } from './UsageError';
import { withStore } from './withStore';

const help = `Lists the users who may have read, in the audit log of an earlier release, names of patients out of reach.

  npm run audit:readers [-- --until 2026-12-01T08:00:00Z]

  --until  when this release was installed: since then the audit log shows no such names. Without it: now
`;

const options = { until: { type: 'string' } } as const;

async function list(): Promise<0> {
  const { values } = readArgs(process.argv.slice(2), options, { takesWords: false });
  const until = values.until === undefined ? Date.now() : parseInstant(values.until);
  if (until === null) {
    throw new UsageError('--until must be a time like 2026-12-01T08:00:00Z');
  }
  return await withStore(readSettings(), async (db) => {
    const readers = await listRefusalReaders(db, until);
    for (const { siteId, userId, fname, lname, otherSites, ownSite, first, last } of readers) {
      process.stdout.write(
        `Site ${siteId}, user ${userId} (${fname} ${lname}): ${otherSites} patients of other sites, ${ownSite} of ` +
          `their own; looked from ${toInstant(first)} to ${toInstant(last)}\n`,
      );
    }
    process.stdout.write(`${readers.length} users.\n`);
  });
}

runCommand('audit:readers', help, list);
