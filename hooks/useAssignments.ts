import { useCallback, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { asFailure, call, type ApiFailure, type CallInput } from '../lib/browser/client';
import { placeOf } from '../lib/assignments/holders';
import type { AssignmentsResponse, WhichShift } from '../lib/assignments/schema';
import { versionOf } from '../lib/assignments/versionOf';
import type { ReadState } from './readState';
import { poll } from './poll';
import { useReadState, withValue } from './useReadState';

export type NewAssignment = CallInput<'assign'>['body'];

const keyOf = (unitId: number, shift: WhichShift): string => `assignments ${unitId} ${shift}`;

/** Reads the assignments of a unit in a shift. `data` stays the same object while nothing changes. */
export function useAssignments(unitId: number, shift: WhichShift): ReadState<AssignmentsResponse> {
  return useReadState(keyOf(unitId, shift), async (held) => {
    const { data, serverTime } = await poll('getAssignments', { query: { unit: String(unitId), shift } });
    return { data: JSON.stringify(held) === JSON.stringify(data) ? (held ?? data) : data, serverTime };
  });
}

/** Failures of one line. Any other failure would also stop the lines after it. */
const ofOneLine = new Set(['patient_moved', 'changed_meanwhile']);

/**
 * Returns a function that sends assignments one after another and returns the failures of those that were refused, by
 * index. It never rejects.
 */
export function useAssign(): (wanted: readonly NewAssignment[]) => Promise<ReadonlyMap<number, ApiFailure>> {
  const { cache, mutate } = useSWRConfig();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  /** The version of a place after our own change, so that a second choice for it does not conflict with the first. */
  const own = useRef(new Map<string, number>());
  return useCallback(
    (wanted) => {
      /** The last response of each key: the assignments after it. */
      const answers = new Map<string, AssignmentsResponse>();
      const attempt = async (body: NewAssignment): Promise<ApiFailure | null> => {
        const place = `${body.unitId} ${body.shiftStart ?? body.shift} ${placeOf(body)}`;
        try {
          const answer = await call('assign', {
            body: { ...body, version: Math.max(body.version, own.current.get(place) ?? 0) },
          });
          own.current.set(place, versionOf(answer, body));
          answers.set(keyOf(answer.unit.id, answer.shift.which), answer);
          return null;
        } catch (problem) {
          return asFailure(problem);
        }
      };
      const sendAll = async (): Promise<ReadonlyMap<number, ApiFailure>> => {
        const refused = new Map<number, ApiFailure>();
        let common: ApiFailure | null = null;
        for (const [index, body] of wanted.entries()) {
          const failure: ApiFailure | null = common ?? (await attempt(body));
          if (failure !== null) {
            refused.set(index, failure);
            common = ofOneLine.has(failure.code) ? null : failure;
          }
        }
        for (const key of new Set(wanted.map(({ unitId, shift }) => keyOf(unitId, shift)))) {
          const answer = answers.get(key);
          const state = cache.get(key);
          const changed = answer === undefined || refused.size > 0 ? undefined : withValue(state, () => answer);
          await (changed === undefined
            ? mutate(key)
            : mutate(key, changed, { revalidate: state?.isValidating === true }));
        }
        return refused;
      };
      const sent = last.current.then(sendAll);
      last.current = sent.catch(() => undefined);
      return sent;
    },
    [cache, mutate],
  );
}
