import { useMemo } from 'react';
import { useNotedArrivals, useNotedSamples } from '../../hooks/PageValuesProvider';
import { useNow } from '../../hooks/useNow';
import { useSparks } from '../../hooks/useSparks';
import { groupByReporting } from '../../lib/patients/groupByReporting';
import type { Patient } from '../../lib/patients/schema';
import { VitalLabel } from '../ui/VitalLabel';
import { SparkLegend } from '../vitals/SparkLegend';
import { useHeldGroups, type HeldGroups } from './useHeldGroups';
import styles from './LatestValues.module.css';
import { ReportingTable } from './ReportingTable';

interface LatestValuesProps {
  patients: readonly Patient[];
  /** How many the query found; one response holds 500 of them. */
  total: number;
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
    why: 'The newest sample has no signal. Check the probe and the patient.',
  },
  {
    state: 'silent',
    title: 'Silent',
    why: 'Values have stopped. Check the patient, the monitor and the network.',
  },
  {
    state: 'never',
    title: 'Never reported',
    why: 'No value so far. Connect a device, or check which MRN it sends.',
  },
] as const;

/** The patients who do not report SpO2, by the reason, and all others, lowest value first. Evaluates no value. */
export function LatestValues({ patients, total, initialNow, timeZone }: LatestValuesProps) {
  const now = useNow(initialNow);
  useNotedSamples(patients);
  useNotedArrivals(patients);
  const ids = useMemo(() => patients.map(({ id }) => id), [patients]);
  const sparks = useSparks(ids).data?.byPatient;
  const { shown, moves, showNow, handlers } = useHeldGroups(groupByReporting(patients, now), now);
  const missing = shown.noSignal.length + shown.silent.length + shown.never.length;
  const rest = total - patients.length;
  return (
    <section className={styles.section} aria-labelledby="latest-values">
      <div className={styles.head}>
        <h2 id="latest-values">
          Latest <VitalLabel kind="spo2" /> and heart rate
        </h2>
        <p className={styles.note}>
          Sorted by lowest SpO2
          {rest > 0 ? ` ${rest} more patients do not fit; find them under Patients.` : null}
        </p>
        <Moves moves={moves} onShow={showNow} />
      </div>
      <div className={styles.columns} {...handlers}>
        <div className={styles.column}>
          <h3>
            Not reporting <VitalLabel kind="spo2" />
          </h3>
          {missing === 0 ? (
            <p className={styles.none}>None. Every patient has a current value.</p>
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
        </div>
        <div className={styles.column}>
          <h3>
            Reporting <VitalLabel kind="spo2" />
          </h3>
          {shown.reporting.length === 0 ? (
            <p className={styles.none}>None. No value on this page is current.</p>
          ) : (
            <ReportingTable
              title="Lowest first"
              why="By the newest value shown."
              patients={shown.reporting}
              sparks={sparks}
              atFirst={shownReporting}
              initialNow={initialNow}
              timeZone={timeZone}
            />
          )}
        </div>
      </div>
      <SparkLegend />
      <p role="status" className="visually-hidden">
        {`${missing} of ${patients.length} patients do not report SpO2.`}
      </p>
    </section>
  );
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
