import Link from 'next/link';
import { useRouter } from 'next/router';
import { useAssignments } from '../../hooks/useAssignments';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { storeText, useStoredText } from '../../hooks/useStoredText';
import type { WhichShift, AssignmentsResponse } from '../../lib/assignments/schema';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatDate, formatTimeWithSeconds, zoneLabel, formatTime } from '../../lib/time/formatTime';
import type { Unit } from '../../lib/units/schema';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { NativeButton } from '../ui/NativeButton';
import { PrintButton } from '../ui/PrintButton';
import bar from '../ui/ViewBar.module.css';
import { nativeControl } from '../ui/nativeControl';
import type { ScreenProps } from '../ui/screenPage';
import styles from './AssignmentsScreen.module.css';
import { AssignmentsTable } from './AssignmentsTable';
import { UnitRoles } from './UnitRoles';
import { useAssigning, type Assigning } from './useAssigning';

interface AssignmentsToolbarProps {
  unitId: number;
  units: readonly Unit[];
  which: WhichShift;
  /** Start and end of the shift; undefined before the response. */
  shift: AssignmentsResponse['shift'] | undefined;
  onChoose: (unitId: number, shift: WhichShift) => void;
  timeZone: string;
}

const shiftLabels = { current: 'This shift', next: 'Next shift' } as const satisfies Record<WhichShift, string>;
const shifts = ['current', 'next'] as const satisfies readonly WhichShift[];

/** Chooses the unit and the shift, and shows the shift's hours. */
function AssignmentsToolbar({ unitId, units, which, shift, onChoose, timeZone }: AssignmentsToolbarProps) {
  return (
    <div className={styles.toolbar}>
      <label className={styles.unit}>
        Unit
        <select
          className={nativeControl}
          value={unitId}
          onChange={({ target }) => onChoose(Number(target.value), which)}
        >
          {units.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div role="group" aria-label="Shift" className={bar.views}>
        {shifts.map((one) => (
          <button
            key={one}
            type="button"
            className={bar.view}
            aria-pressed={one === which}
            onClick={() => onChoose(unitId, one)}
          >
            {shiftLabels[one]}
          </button>
        ))}
      </div>
      <span className={styles.when}>{shift === undefined ? null : shiftText(shift, timeZone)}</span>
      <PrintButton className={styles.print} />
    </div>
  );
}

/** Returns the hours of a shift: "21 Nov 2026, 07:30 to 19:30 GMT". */
function shiftText({ start, end }: Pick<AssignmentsResponse['shift'], 'start' | 'end'>, timeZone: string): string {
  const from = Date.parse(start);
  const hours = `${formatTime(from, timeZone)} to ${formatTime(Date.parse(end), timeZone)}`;
  return `${formatDate(from, timeZone)}, ${hours} ${zoneLabel(from, timeZone)}`;
}

interface UnitAssignmentsProps {
  assignments: AssignmentsResponse;
  user: User;
  /** The server's time when the page was made, epoch milliseconds. */
  now: number;
}

/** The assignments of one unit in one shift. The caller sets a key of both. */
function UnitAssignments({ assignments, user, now }: UnitAssignmentsProps) {
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

/** Assignments of a unit in a shift. Both are in the address; without them the unit of the last visit is shown. */
export function AssignmentsScreen({ user, now }: ScreenProps) {
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

interface ShiftProps extends ScreenProps {
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
        skeleton={<ListSkeleton rows={5} label="Assignments are loading" />}
        timeZone={user.site.timeZone}
      >
        {(assignments) => <UnitAssignments assignments={assignments} user={user} now={now} />}
      </AsyncView>
    </div>
  );
}
