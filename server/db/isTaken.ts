/** Returns whether an error reports a violated unique constraint, on either engine. 23505 is PostgreSQL's code. */
export function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === '23505';
}
