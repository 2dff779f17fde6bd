import { HttpError } from '../http/httpError';
import type { Session } from './session';

/** How long a password that was given counts, in milliseconds (security.md A11). */
export const proofLastsMs = 5 * 60_000;

/**
 * Throws 403 `password_needed` if the user of a session gave their password more than 5 minutes ago, at sign-in or
 * since, or before the process started. `elapsed` is the clock of `Session.provedAt`.
 */
export function requireRecentProof({ provedAt }: Session, elapsed: number): void {
  if (provedAt === null || elapsed - provedAt > proofLastsMs) {
    throw new HttpError(403, 'password_needed', 'Confirm your password first.');
  }
}
