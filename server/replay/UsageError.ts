/** The command is not valid; the message says which part and what would be right. */
export class UsageError extends Error {
  override name = 'UsageError';
}
