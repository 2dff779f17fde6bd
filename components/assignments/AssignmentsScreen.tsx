import Link from 'next/link';
import { useRouter } from 'next/router';
import { useAssignments } from '../../hooks/useAssignments';
import { storeText, useStoredText } from '../../hooks/useStoredText';
import { useRead } from '../../hooks/useRead';
import type { WhichShift } from '../../lib/assignments/schema';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import type { Unit } from '../../lib/units/schema';
import { can } from '../../lib/session/can';
import { ListSkeleton } from '../ui/ListSkeleton';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import styles from './AssignmentsScreen.module.css';
import { AssignmentsToolbar } from './AssignmentsToolbar';
import { UnitAssignments } from './UnitAssignments';

interface AssignmentsScreenProps {
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
}

/** Assignments of a unit in a shift. Both are in the address; without them the unit of the last visit is shown. */
export function AssignmentsScreen({ user, now }: AssignmentsScreenProps) {
  const router = useRouter();
  const units = useRead('listUnits', {});
  const rememberedKey = `wardlight-assignments-unit-${user.id}`;
  const remembered = useStoredText(rememberedKey);
  const shift: WhichShift = router.query.shift === 'next' ? 'next' : 'current';
  const choose = (unitId: number, which: WhichShift): void => {
    storeText(rememberedKey, String(unitId));
    void router.replace(paths.assignmentsOf(unitId, which), undefined, { shallow: true, scroll: false });
  };
  return (
    <div className={styles.screen}>
      <h1>Assignments</h1>
      <AsyncView
        answer={units}
        isEmpty={({ items }) => items.every(({ isOpen }) => !isOpen)}
        skeleton={<ListSkeleton rows={5} label="Units are loading" />}
        empty={() => (
          <EmptyState title="There is no unit yet.">
            {can(user, 'manageSite') ? (
              <Link href={paths.adminUnits} prefetch={false}>
                Add the first unit
              </Link>
            ) : (
              <p>
                A unit is created with its first patient, under{' '}
                <Link href={paths.patients} prefetch={false}>
                  Patients
                </Link>
                , or by an administrator.
              </p>
            )}
          </EmptyState>
        )}
        timeZone={user.site.timeZone}
      >
        {({ items }) => {
          const open = items.filter(({ isOpen }) => isOpen);
          const unit = chosenUnit(open, [router.query.unit, remembered], user);
          return unit === undefined ? null : (
            <Shift
              key={`${unit.id} ${shift}`}
              unit={unit}
              units={open}
              shift={shift}
              onChoose={choose}
              user={user}
              now={now}
            />
          );
        }}
      </AsyncView>
    </div>
  );
}

/** Returns the unit of the address, else of the last visit, else one of the user's own, else the first. */
function chosenUnit(units: readonly Unit[], wanted: readonly unknown[], user: User): Unit | undefined {
  const found = wanted.map((text) => units.find(({ id }) => String(id) === text)).find((unit) => unit !== undefined);
  return found ?? units.find(({ id }) => user.units.some((own) => own.id === id)) ?? units[0];
}

interface ShiftProps extends AssignmentsScreenProps {
  unit: Unit;
  units: readonly Unit[];
  shift: WhichShift;
  onChoose: (unitId: number, shift: WhichShift) => void;
}

function Shift({ unit, units, shift, onChoose, user, now }: ShiftProps) {
  const answer = useAssignments(unit.id, shift);
  return (
    <div className={styles.screen}>
      <AssignmentsToolbar
        unitId={unit.id}
        units={units}
        which={shift}
        shift={answer.data?.shift}
        onChoose={onChoose}
        timeZone={user.site.timeZone}
      />
      <AsyncView
        answer={answer}
        isEmpty={() => false}
        skeleton={<ListSkeleton rows={5} label="Assignments are loading" />}
        empty={() => null}
        timeZone={user.site.timeZone}
      >
        {(assignments) => <UnitAssignments assignments={assignments} user={user} now={now} />}
      </AsyncView>
    </div>
  );
}
