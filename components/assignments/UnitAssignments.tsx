import Link from 'next/link';
import { useNow } from '../../hooks/useNow';
import type { AssignmentsResponse } from '../../lib/assignments/schema';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { formatDate, formatTimeWithSeconds, zoneLabel } from '../../lib/time/formatTime';
import { can } from '../../lib/session/can';
import { EmptyState } from '../ui/EmptyState';
import { FormFailure } from '../ui/FormFailure';
import { NativeButton } from '../ui/NativeButton';
import styles from './AssignmentsScreen.module.css';
import { AssignmentsTable } from './AssignmentsTable';
import { shiftText } from './AssignmentsToolbar';
import { UnitRoles } from './UnitRoles';
import { useAssigning, type Assigning } from './useAssigning';

interface UnitAssignmentsProps {
  assignments: AssignmentsResponse;
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
}

/** The assignments of one unit in one shift. The caller sets a key of both. */
export function UnitAssignments({ assignments, user, now }: UnitAssignmentsProps) {
  const { drafts, assign, tryAgain, drop } = useAssigning(assignments);
  const { timeZone } = user.site;
  const canAssign = can(user, 'writeAssignments');
  const shared = { staff: assignments.staff, drafts, assign, canAssign, ownId: user.id, timeZone };
  return (
    <div className={styles.screen}>
      <PrintHeading assignments={assignments} user={user} initialNow={now} />
      {canAssign ? null : <p className={styles.text}>Your role can view assignments but not change them.</p>}
      <Refusals drafts={drafts} tryAgain={tryAgain} drop={drop} />
      <UnitRoles roles={assignments.roles} {...shared} />
      {assignments.patients.length === 0 ? (
        <EmptyState title={`No patient is in ${assignments.unit.name}.`}>
          <Link href={paths.patients} prefetch={false}>
            Go to Patients
          </Link>
        </EmptyState>
      ) : (
        <AssignmentsTable patients={assignments.patients} {...shared} />
      )}
    </div>
  );
}

/** Lists refused choices. They stay in their places until they are sent again or discarded. */
function Refusals({ drafts, tryAgain, drop }: Pick<Assigning, 'drafts' | 'tryAgain' | 'drop'>) {
  const refused = [...drafts.values()].filter(({ failure }) => failure !== null);
  const reasons = [...new Set(refused.map(({ failure }) => failure?.message))];
  return (
    <FormFailure>
      {refused.length === 0 ? null : (
        <div className={styles.refusals}>
          <span>
            Not saved: {refused.map(({ label }) => label).join('; ')}. {reasons.join(' ')}
          </span>
          <NativeButton onClick={tryAgain}>Try again</NativeButton>
          <NativeButton onClick={drop}>Discard</NativeButton>
        </div>
      )}
    </FormFailure>
  );
}

/** Only on paper: the unit, the shift and the time of printing, because paper does not show later changes. */
function PrintHeading({
  assignments,
  user,
  initialNow,
}: {
  assignments: AssignmentsResponse;
  user: User;
  initialNow: number;
}) {
  const now = useNow(initialNow);
  const { timeZone } = user.site;
  return (
    <div className={styles.printHeading} aria-hidden="true">
      <p>
        <strong>
          {user.site.name}: assignments of {assignments.unit.name}, {shiftText(assignments.shift, timeZone)}
        </strong>
      </p>
      <p>
        Printed {formatDate(now, timeZone)}, {formatTimeWithSeconds(now, timeZone)} {zoneLabel(now, timeZone)}. Later
        changes appear only on the screen.
      </p>
    </div>
  );
}
