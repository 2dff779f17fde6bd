import { useDeferredValue, type ReactNode } from 'react';
import { useNotedArrivals, useNotedSamples } from '../../hooks/PageValuesProvider';
import { useFrozenValue } from '../../hooks/useFrozenValue';
import { useNow } from '../../hooks/useNow';
import type { Sparks } from '../../hooks/useSparks';
import { arrangementOf, countMoves, keepArrangement } from '../../lib/patients/arrangement';
import { groupByReporting, type ReportingGroups } from '../../lib/patients/groupByReporting';
import type { Patient } from '../../lib/patients/schema';
import { VitalLabel } from '../ui/VitalLabel';
import { SparkLegend } from '../vitals/SparkLegend';
import styles from './LatestValues.module.css';
import { ReportingTable } from './ReportingTable';

interface HeldGroups {
  shown: ReportingGroups;
  /** What would move if the list were released; null while it is not held. */
  moves: { toOtherGroup: number; inGroup: number } | null;
}

/** Keeps every patient in place while the lists of the screen hold still (`useFreeze`). Values stay new. */
function useHeldGroups(groups: ReportingGroups, frozen: number | null): HeldGroups {
  const before = useFrozenValue(groups, frozen);
  if (frozen === null) {
    return { shown: groups, moves: null };
  }
  const arrangement = arrangementOf(before);
  return { shown: keepArrangement(groups, arrangement), moves: countMoves(groups, arrangement) };
}

interface LatestValuesProps {
  patients: readonly Patient[];
  sparks: Sparks['byPatient'] | undefined;
  /** How many the query found; one response holds 500 of them. */
  total: number;
  /** While the lists of the screen hold still, and what shows the new order. */
  frozen: number | null;
  onShowNow: () => void;
  /** Which patients are shown. */
  filter: ReactNode;
  initialNow: number;
  timeZone: string;
}

/** How many rows a group shows at first: few if a nurse has to go and look, more if values are shown. */
const shownSilent = 8;
const shownReporting = 30;

const reasons = [
  {
    state: 'noSignal',
    title: 'No signal',
    why: 'No signal. Check the patient, then the sensor.',
  },
  {
    state: 'silent',
    title: 'No data',
    why: 'Data stopped. Check the patient, then the monitor and its connection.',
  },
  {
    state: 'never',
    title: 'Never reported',
    why: 'No value so far. Connect a device, or check which MRN it sends.',
  },
] as const;

/**
 * The patients who do not report SpO2, by the reason, and below them all others, lowest value first; beside them on a
 * wide screen. Evaluates no value.
 */
export function LatestValues(props: LatestValuesProps) {
  const { total, frozen, onShowNow, filter, initialNow, timeZone } = props;
  // In slices that give way to a click, as every row changes with a response: on a slow computer all of them at once
  // are a task of 60 to 100 ms. Alerts are not deferred; a mark of one in a row comes with its value.
  const patients = useDeferredValue(props.patients);
  const sparks = useDeferredValue(props.sparks);
  const now = useNow(initialNow);
  useNotedSamples(props.patients);
  useNotedArrivals(patients);
  const { shown, moves } = useHeldGroups(groupByReporting(patients, now), frozen);
  const missing = shown.noSignal.length + shown.silent.length + shown.never.length;
  const rest = total - props.patients.length;
  return (
    <>
      <section className={styles.silent} aria-labelledby="not-reporting">
        <h2 id="not-reporting" className={missing === 0 ? 'visually-hidden' : undefined}>
          Not reporting <VitalLabel kind="spo2" /> <span className={styles.count}>{missing}</span>
        </h2>
        {missing === 0 ? (
          <p className={styles.none}>
            All patients are reporting <VitalLabel kind="spo2" />.
          </p>
        ) : (
          reasons.map(({ state, title, why }) =>
            shown[state].length === 0 ? null : (
              <ReportingTable
                key={state}
                title={title}
                why={why}
                patients={shown[state]}
                sparks={sparks}
                atFirst={shownSilent}
                initialNow={initialNow}
                timeZone={timeZone}
              />
            ),
          )
        )}
      </section>
      <section className={styles.reporting} aria-labelledby="latest-values">
        <div className={styles.head}>
          <h2 id="latest-values">
            Latest <VitalLabel kind="spo2" /> and heart rate
          </h2>
          {filter}
          <Moves moves={moves} onShow={onShowNow} />
        </div>
        {shown.reporting.length === 0 ? (
          <p className={styles.none}>None. No value on this page is current.</p>
        ) : (
          <ReportingTable
            title="Lowest first"
            why={whyText(rest)}
            patients={shown.reporting}
            sparks={sparks}
            atFirst={shownReporting}
            initialNow={initialNow}
            timeZone={timeZone}
          />
        )}
        <SparkLegend />
        <p role="status" className="visually-hidden">
          {`${missing} of ${patients.length} patients do not report SpO2.`}
        </p>
      </section>
    </>
  );
}

/** How the table is sorted, and how many patients are not in it. */
function whyText(rest: number): string {
  const more = rest > 0 ? `. ${rest} more patients do not fit; find them under Patients.` : '';
  return `Sorted by lowest SpO2${more}`;
}

/** Says what would move, in a reserved place, so that the message itself moves nothing. */
function Moves({ moves, onShow }: { moves: HeldGroups['moves']; onShow: () => void }) {
  const isMoving = moves !== null && moves.toOtherGroup + moves.inGroup > 0;
  return (
    <div className={styles.moves}>
      <span role="status">{isMoving ? movesText(moves) : null}</span>
      {isMoving ? (
        <button type="button" className={styles.show} onClick={onShow}>
          Show the new order
        </button>
      ) : null}
    </div>
  );
}

function movesText({ toOtherGroup, inGroup }: NonNullable<HeldGroups['moves']>): string {
  const patients = (count: number): string => (count === 1 ? '1 patient' : `${count} patients`);
  return toOtherGroup > 0
    ? `Held still: ${patients(toOtherGroup)} now in another group.`
    : `Held still: ${patients(inGroup)} now at another place.`;
}
