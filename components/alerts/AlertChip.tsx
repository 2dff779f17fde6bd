import { memo, useContext } from 'react';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import type { Priority } from '../../lib/alerts/priority';
import type { AlertItem } from '../../lib/alerts/schema';
import { isVitalKind } from '../../lib/vitals/kinds';
import { PriorityShape } from '../ui/PriorityShape';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './AlertChip.module.css';
import { alertReading } from './alertReading';
import { AlertValuesContext, useAlertWords } from './AlertValues';

interface AlertChipProps {
  alert: AlertItem;
  isClosed: boolean;
  /** 44 px in the row of a patient, 36 px in a line. */
  size: 'row' | 'line';
  initialNow: number;
  timeZone: string;
}

/** The priority of an alert as a shape, with the present value of its own patient and parameter, and its age. */
export function AlertChip({ alert, isClosed, size, initialNow, timeZone }: AlertChipProps) {
  const now = useNow(initialNow);
  const serverLost = useServerLost();
  const { patients } = useContext(AlertValuesContext);
  const patient = alert.patientId === null ? undefined : patients.get(alert.patientId);
  const { values } = useAlertWords(alert);
  const { label, ...shown } = alertReading(alert, values, patient, { now, serverLost, timeZone });
  const isActive = alert.condition === 'active' && !isClosed;
  const isSeen = alert.acknowledged !== null;
  return (
    <ChipFace
      {...shown}
      label={typeof label === 'string' ? label : label.kind}
      unit={typeof label === 'string' ? '' : label.unit}
      priority={alert.priority}
      // A value that is back within its limit calls less than one that is not (A11).
      look={!isActive ? 'over' : isSeen || alert.accepted !== null || alert.isRecovering ? 'outlined' : 'filled'}
      isFlashing={isActive && !isSeen && alert.priority !== 'low'}
      isStruck={serverLost !== null || shown.state === 'stale'}
      size={size}
    />
  );
}

interface ChipFaceProps {
  priority: Priority;
  look: 'filled' | 'outlined' | 'over';
  isFlashing: boolean;
  /** The number is not of now. */
  isStruck: boolean;
  size: 'row' | 'line';
  number: string | null;
  label: string;
  unit: string;
  note: string;
  state: string;
  isQuestionable: boolean;
}

/** Takes texts only, so that it renders again only if one of them changes. */
const ChipFace = memo(function ChipFace({
  priority,
  look,
  isFlashing,
  isStruck,
  size,
  number,
  label,
  unit,
  note,
  state,
  isQuestionable,
}: ChipFaceProps) {
  const name = isVitalKind(label) ? <VitalLabel kind={label} /> : label;
  return (
    <span className={styles.place} data-size={size}>
      <span
        className={styles.chip}
        data-chip={look}
        data-priority={priority}
        data-flash={isFlashing ? '' : undefined}
        data-state={state}
      >
        <span className={styles.shape}>
          <PriorityShape priority={priority} look={look === 'outlined' ? 'filled' : 'inherited'} size={22} />
          {isFlashing ? <PriorityShape priority={priority} look="inverse" size={22} /> : null}
        </span>
        {number === null ? (
          <b className={styles.word}>{name}</b>
        ) : (
          <b className={styles.number}>
            {isStruck && number !== '--' ? <s>{number}</s> : number}
            {isQuestionable ? <span className={styles.doubt}>?</span> : null}
          </b>
        )}
      </span>
      {number === null ? null : (
        <span className={styles.side} data-current="">
          <span>
            {name} {unit}
          </span>
          <span data-note="" title={note}>
            <Note text={note} />
          </span>
        </span>
      )}
    </span>
  );
});

/** A note that breaks after "uncertain,", and never between a number and its unit. */
function Note({ text }: { text: string }) {
  const last = text.lastIndexOf(', ') + 1;
  return (
    <>
      {text.slice(0, last)}
      {last === 0 ? null : ' '}
      <span className={styles.unbroken}>{text.slice(last).trimStart()}</span>
    </>
  );
}
