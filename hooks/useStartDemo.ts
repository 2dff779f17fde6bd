import { useCallback, useState } from 'react';
import { ApiFailure, call, clientFailure, type CallResponse, type CallInput } from '../lib/browser/client';

export type DemoPeople = CallResponse<'startDemo'>['people'];

export interface StartDemo {
  start: (body: CallInput<'startDemo'>['body']) => Promise<void>;
  isWaiting: boolean;
  /** Why the last attempt was refused. */
  failure: ApiFailure | null;
  /** Who may sign in to the demo ward, with their passwords, which the server tells this once. */
  people: DemoPeople | null;
}

/** Makes the demo ward on an installation that has nobody yet. */
export function useStartDemo(): StartDemo {
  const [isWaiting, setIsWaiting] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [people, setPeople] = useState<DemoPeople | null>(null);
  const start = useCallback(async (body: CallInput<'startDemo'>['body']) => {
    setIsWaiting(true);
    setFailure(null);
    try {
      setPeople((await call('startDemo', { body })).people);
    } catch (problem) {
      setFailure(problem instanceof ApiFailure ? problem : clientFailure('unreadable_answer'));
    }
    setIsWaiting(false);
  }, []);
  return { start, isWaiting, failure, people };
}
