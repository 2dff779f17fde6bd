import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { ApiFailure, call, clientFailure, type CallInput } from '../lib/api/client';
import type { AssignmentsAnswer, WhichShift } from '../lib/assignments/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer } from './useAnswer';

export type NewAssignment = CallInput<'assign'>['body'];

const keyOf = (unitId: number, shift: WhichShift): string => `assignments ${unitId} ${shift}`;

/** Who holds what in a unit during a shift. While nothing has changed `data` stays the same object. */
export function useAssignments(unitId: number, shift: WhichShift): Answer<AssignmentsAnswer> {
  return useAnswer(keyOf(unitId, shift), async (held) => {
    const { data, serverTime } = await poll('getAssignments', { query: { unit: String(unitId), shift } });
    return { value: JSON.stringify(held) === JSON.stringify(data) ? (held ?? data) : data, asOf: serverTime };
  });
}

/** Returns what assigns one after another and says why which were refused, each under its place in the list. Never rejects. */
export function useAssign(): (wanted: readonly NewAssignment[]) => Promise<ReadonlyMap<number, ApiFailure>> {
  const { mutate } = useSWRConfig();
  return useCallback(
    async (wanted) => {
      const refused = new Map<number, ApiFailure>();
      let common: ApiFailure | null = null;
      for (const [index, body] of wanted.entries()) {
        const failure: ApiFailure | null = common ?? (await attempt(body));
        if (failure !== null) {
          refused.set(index, failure);
          // Only a patient who has moved is a fault of one line; every other one would be that of the next lines too.
          common = failure.code === 'patient_moved' ? null : failure;
        }
      }
      await Promise.all([...new Set(wanted.map(({ unitId, shift }) => keyOf(unitId, shift)))].map((key) => mutate(key)));
      return refused;
    },
    [mutate],
  );
}

async function attempt(body: NewAssignment): Promise<ApiFailure | null> {
  try {
    await call('assign', { body });
    return null;
  } catch (problem) {
    return problem instanceof ApiFailure ? problem : clientFailure('unreadable_answer');
  }
}
