import { useId } from 'react';
import { placeOf } from '../../lib/assignments/holders';
import { assignmentRoleLabels, unitRoles } from '../../lib/assignments/roles';
import type { AssignmentsResponse } from '../../lib/assignments/schema';
import styles from './AssignmentsTable.module.css';
import { HolderCell } from './HolderCell';
import type { Assigning, Place } from './useAssigning';

interface UnitRolesProps extends Pick<AssignmentsResponse, 'roles' | 'staff'>, Pick<Assigning, 'drafts' | 'assign'> {
  ownId: number;
  canAssign: boolean;
  timeZone: string;
}

const places = unitRoles.map((role) => ({
  role,
  patientId: null,
  label: assignmentRoleLabels[role],
})) satisfies Place[];

/** The roles of the whole unit, to which unanswered alerts escalate. */
export function UnitRoles({ roles, drafts, assign, canAssign, ...shared }: UnitRolesProps) {
  const headingId = useId();
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h2 id={headingId}>For the whole unit</h2>
      <dl className={styles.roles}>
        {places.map((place) => (
          <div key={place.role}>
            <dt>{place.label}</dt>
            <dd>
              <HolderCell
                place={place}
                holder={roles[place.role]}
                draft={drafts.get(placeOf(place))}
                onAssign={canAssign ? assign : undefined}
                {...shared}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
