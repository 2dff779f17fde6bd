/** Whether an error says that a unique constraint would be broken. Both engines name it; 23505 is PostgreSQL's. */
export function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === '23505';
}
