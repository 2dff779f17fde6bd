import { useCallback, useState } from 'react';
import { useAssign, type NewAssignment } from '../../hooks/useAssignments';
import type { ApiFailure } from '../../lib/browser/client';
import { placeOf } from '../../lib/assignments/holders';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { AssignmentsResponse } from '../../lib/assignments/schema';
import { versionOf } from '../../lib/assignments/versionOf';

/** A place that a user can hold: a role of the unit or of one patient. */
export interface Place {
  role: AssignmentRole;
  patientId: number | null;
  /** Its name on the screen: "Nurse of Okafor, Ada". */
  label: string;
}

/** A choice for a place that the server has not accepted yet. */
export interface Draft extends Place {
  /** Null: not assigned. */
  userId: number | null;
  /** Why the server refused it; null while it is being sent. */
  failure: ApiFailure | null;
}

export interface Assigning {
  /** By place (`placeOf`). A refused choice stays, so that it can be tried again. */
  drafts: ReadonlyMap<string, Draft>;
  /** Assigns these places to a user, or to none, from the shown shift on. */
  assign: (places: readonly Place[], userId: number | null) => void;
  /** Sends the refused choices again, for the shift that is shown now. */
  tryAgain: () => void;
  /** Discards the refused choices. */
  drop: () => void;
}

/** Sends each choice at once, with the version that it replaces, and shows it until the server has accepted it. */
export function useAssigning(shown: AssignmentsResponse): Assigning {
  const { unit, shift } = shown;
  const send = useAssign();
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());

  const start = useCallback(
    async (wanted: readonly Draft[]) => {
      const put = (changed: readonly Draft[]): void => {
        setDrafts((held) => new Map([...held, ...changed.map((draft) => [placeOf(draft), draft] as const)]));
      };
      put(wanted);
      const refused = await send(
        wanted.map(({ role, patientId, userId }): NewAssignment => ({
          unitId: unit.id,
          shift: shift.which,
          shiftStart: shift.start,
          role,
          patientId,
          userId,
          version: versionOf(shown, { role, patientId }),
        })),
      );
      setDrafts((held) => {
        const left = new Map(held);
        for (const [index, draft] of wanted.entries()) {
          // The user may have made another choice for this place meanwhile.
          if (held.get(placeOf(draft)) === draft) {
            const failure = refused.get(index);
            if (failure === undefined) {
              left.delete(placeOf(draft));
            } else {
              left.set(placeOf(draft), { ...draft, failure });
            }
          }
        }
        return left;
      });
    },
    [send, unit.id, shift.which, shift.start, shown],
  );

  const refusedOf = (of: ReadonlyMap<string, Draft>): Draft[] =>
    [...of.values()].filter(({ failure }) => failure !== null);
  return {
    drafts,
    assign: useCallback(
      (places, userId) => {
        void start(places.map((place) => ({ ...place, userId, failure: null })));
      },
      [start],
    ),
    tryAgain: () => {
      void start(refusedOf(drafts).map((draft) => ({ ...draft, failure: null })));
    },
    drop: () => {
      setDrafts((held) => new Map([...held].filter(([, { failure }]) => failure === null)));
    },
  };
}
