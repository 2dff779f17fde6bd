import { remember } from '../../lib/remember';

/** The server has about a hundred. Those with a list of any length (`in (?, ?)`) must not keep all lengths. */
const mostKept = 200;

/**
 * Returns a `prepare` that compiles each text once: SQLite takes longer to compile a short statement than to run it.
 * SQLite itself compiles a kept one again after the schema has changed. No statement may run while it runs already; so
 * rows are never read one by one here.
 */
export function keptStatements<Statement extends NonNullable<unknown>>(
  prepare: (text: string) => Statement,
): (text: string) => Statement {
  return remember(prepare, mostKept);
}
