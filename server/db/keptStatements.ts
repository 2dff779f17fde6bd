/** The server has about a hundred. Those with a list of any length (`in (?, ?)`) must not keep all lengths. */
const mostKept = 200;

/**
 * Returns a `prepare` that compiles each text once: SQLite takes longer to compile a short statement than to run it.
 * SQLite itself compiles a kept one again after the schema has changed. No statement may run while it runs already; so
 * rows are never read one by one here.
 */
export function keptStatements<Statement>(prepare: (text: string) => Statement): (text: string) => Statement {
  const kept = new Map<string, Statement>();
  return (text) => {
    const before = kept.get(text);
    if (before !== undefined) {
      return before;
    }
    const statement = prepare(text);
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) {
      kept.delete(oldest);
    }
    kept.set(text, statement);
    return statement;
  };
}
