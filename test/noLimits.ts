import type { ConnectionLimits } from '../server/http/connections';

/** Limits that no test reaches. */
export const noLimits: ConnectionLimits = {
  most: 10_000,
  mostOf: () => 10_000,
  onTooMany: () => undefined,
  elapsed: () => 0,
};
