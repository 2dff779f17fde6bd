import { useState } from 'react';
import type { ApiFailure } from '../../lib/browser/client';

export interface ActState {
  isWaiting: boolean;
  /** Why the last act was refused. */
  failure: ApiFailure | null;
  /** Carries an act out unless one is under way; returns whether it was done. */
  carryOut: (act: () => Promise<unknown>) => Promise<boolean>;
}

/** One act after another, and why the last one was refused. */
export function useAct(): ActState {
  const [isWaiting, setIsWaiting] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const carryOut = async (act: () => Promise<unknown>): Promise<boolean> => {
    if (isWaiting) {
      return false;
    }
    setIsWaiting(true);
    setFailure(null);
    const refused = await act().then(
      () => null,
      (problem: ApiFailure) => problem,
    );
    setFailure(refused);
    setIsWaiting(false);
    return refused === null;
  };
  return { isWaiting, failure, carryOut };
}
