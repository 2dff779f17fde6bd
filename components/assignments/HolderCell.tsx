import { memo } from 'react';
import type { AssignmentsResponse, Holder } from '../../lib/assignments/schema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { nativeControl } from '../ui/nativeControl';
import styles from './AssignmentsTable.module.css';
import type { Draft, Place } from './useAssigning';

interface HolderCellProps {
  place: Place;
  holder: Holder | null;
  draft: Draft | undefined;
  staff: AssignmentsResponse['staff'];
  /** The signed-in user, who is the first choice of the list. */
  ownId: number;
  timeZone: string;
  /** Omitted if the user may only read. */
  onAssign?: (places: readonly Place[], userId: number | null) => void;
}

/** Shows who holds one place and since when; users with the right to assign change it here. */
export const HolderCell = memo(function HolderCell({
  place,
  holder,
  draft,
  staff,
  ownId,
  timeZone,
  onAssign,
}: HolderCellProps) {
  const shownId = draft === undefined ? (holder?.userId ?? null) : draft.userId;
  const fitting = staff.filter(({ roles }) => roles.includes(place.role));
  const shownName = fitting.find(({ id }) => id === shownId)?.name ?? holder?.name ?? 'Not assigned';
  const isRefused = draft !== undefined && draft.failure !== null;
  return (
    <div className={styles.holder}>
      {onAssign === undefined ? (
        <span className={shownId === null ? styles.nobody : undefined}>{shownName}</span>
      ) : (
        <>
          <select
            className={nativeControl}
            aria-label={place.label}
            aria-invalid={isRefused}
            data-nobody={shownId === null ? '' : undefined}
            value={shownId ?? ''}
            onChange={({ target }) => onAssign([place], target.value === '' ? null : Number(target.value))}
          >
            <option value="">Not assigned</option>
            {[...fitting.filter(({ id }) => id === ownId), ...fitting.filter(({ id }) => id !== ownId)].map(
              ({ id, name }) => (
                <option key={id} value={id}>
                  {id === ownId ? `${name} (you)` : name}
                </option>
              ),
            )}
          </select>
          <span className={styles.printed} aria-hidden="true">
            {shownName}
          </span>
        </>
      )}
      <span className={styles.since}>
        {draft === undefined
          ? sinceText(holder, timeZone)
          : isRefused
            ? `Not saved. Now: ${holder?.name ?? 'not assigned'}`
            : 'Saving …'}
      </span>
    </div>
  );
});

/** Returns since when an assignment holds that was not made for this shift; null for one that was. */
export function sinceText(holder: Holder | null, timeZone: string): string | null {
  if (holder === null) {
    return null;
  }
  const since = formatDayAndTime(Date.parse(holder.since), timeZone);
  if (holder.formerName !== null) {
    return `${holder.formerName} was assigned on ${since} and is no longer available`;
  }
  if (!holder.isCarriedOver) {
    return null;
  }
  return holder.userId === null ? `Not assigned since ${since}` : `Carried over from ${since}`;
}
