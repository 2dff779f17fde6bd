import { useState } from 'react';
import type { ApiFailure } from '../../lib/browser/client';

export interface ActionState {
  isWaiting: boolean;
  /** Why the last action was refused. */
  failure: ApiFailure | null;
  /** Runs an action unless one is running, and `onDone` if it succeeded. Returns whether it did. */
  carryOut: (action: () => Promise<unknown>, onDone?: () => void) => Promise<boolean>;
}

/** Runs one action after another and keeps why the last one was refused. */
export function useAction(): ActionState {
  const [isWaiting, setIsWaiting] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const carryOut: ActionState['carryOut'] = async (action, onDone) => {
    if (isWaiting) {
      return false;
    }
    setIsWaiting(true);
    setFailure(null);
    const refused = await action().then(
      () => null,
      (problem: ApiFailure) => problem,
    );
    setFailure(refused);
    setIsWaiting(false);
    if (refused === null) {
      onDone?.();
    }
    return refused === null;
  };
  return { isWaiting, failure, carryOut };
}
