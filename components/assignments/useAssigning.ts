import { useCallback, useState } from 'react';
import { useAssign, type NewAssignment } from '../../hooks/useAssignments';
import type { ApiFailure } from '../../lib/browser/client';
import { placeOf } from '../../lib/assignments/holders';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { AssignmentsResponse } from '../../lib/assignments/schema';
import { versionOf } from '../../lib/assignments/versionOf';

/** One place that somebody can hold: a role of the unit, or of one patient. */
export interface Place {
  role: AssignmentRole;
  patientId: number | null;
  /** What people call it: "Nurse of Okafor, Ada". */
  label: string;
}

/** What was chosen for a place and does not hold yet. */
export interface Draft extends Place {
  /** Null: nobody. */
  userId: number | null;
  /** Why the server refused it; null while it is on its way. */
  failure: ApiFailure | null;
}

export interface Assigning {
  /** By place (`placeOf`). A choice that was refused stays, so that it can be tried again. */
  drafts: ReadonlyMap<string, Draft>;
  /** Has somebody, or nobody, hold these places from the shift on that is on the screen. */
  assign: (places: readonly Place[], userId: number | null) => void;
  /** Tries what was refused again, in the shift that is on the screen now. */
  tryAgain: () => void;
  /** Forgets what was refused. */
  drop: () => void;
}

/** Sends each choice at once, with the version of what it replaces, and keeps it on the screen until it holds. */
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
          // Somebody may have chosen anew for this place meanwhile.
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
