import { dequal } from 'dequal/lite';
import { memo } from 'react';
import { parameterLabels } from '../../lib/alerts/parameters';
import type { AlertItem } from '../../lib/alerts/schema';
import { sentenceAsOf } from '../../lib/alerts/sentenceAsOf';
import type { User } from '../../lib/session/schema';
import { formatTime } from '../../lib/time/formatTime';
import { PatientName } from '../ui/PatientName';
import { ActProblem, problemWords } from './ActProblem';
import { AlertActions } from './AlertActions';
import { AlertChip } from './AlertChip';
import type { AlertDialog, QuickAct } from './alertChoices';
import { AlertAsked, AlertDetail, AlertPause } from './AlertDetail';
import styles from './AlertRow.module.css';
import { AlertSpark } from './AlertSpark';
import { alertPlace, alertSubject, placeWords } from './alertSubject';
import { useAlertWords } from './AlertValues';
import { ClosedWords } from './ClosedWords';
import type { AlertActState } from './useAlertActs';
import { useWordsAsOf } from './useWordsAsOf';

export interface AlertLineProps {
  alert: AlertItem;
  /** It is no longer open and only keeps its place. */
  isClosed: boolean;
  /** What it says is of an earlier response (`useHeldRows`). */
  isOld?: boolean;
  /** It was over, keeps its place among what is over, and is an alert again. */
  isAgain?: boolean;
  /**
   * `row`, 72 px: a patient with their worst alert. 48 px each: `short`, what is over; `further`, another alert of the
   * patient above it; `strip`, on a page that names its patient.
   */
  look: 'row' | 'short' | 'further' | 'strip';
  user: User;
  isLost: boolean;
  state: AlertActState | undefined;
  onAct: (alert: AlertItem, act: QuickAct) => void;
  onDialog: (dialog: AlertDialog, alert: AlertItem) => void;
  initialNow: number;
}

/** One alert with what it is about, its present value, who was asked, and what can be done. */
export const AlertLine = memo(function AlertLine(props: AlertLineProps) {
  const {
    alert,
    isClosed,
    isOld = false,
    isAgain = false,
    look,
    user,
    isLost,
    state,
    onAct,
    onDialog,
    initialNow,
  } = props;
  const { timeZone } = user.site;
  const shared = { alert, initialNow, timeZone };
  const isSeen = alert.acknowledged !== null || alert.accepted !== null;
  const problem = state?.problem;
  const shownProblem = problem !== undefined && problemWords(alert, user.id, problem) !== '' ? problem : undefined;
  return (
    <div
      // The keyboard moves from row to row, and stays here when the button that has it goes.
      tabIndex={-1}
      role="group"
      aria-label={`${alert.priority} priority, ${parameterLabels[alert.parameter]}, ${alertSubject(alert)}`}
      className={styles.line}
      data-alert={alert.id}
      data-look={look}
      data-priority={alert.priority}
      data-bar={alert.condition === 'active' && !isSeen && !isClosed ? '' : undefined}
      data-closed={isClosed ? '' : undefined}
      data-earlier={isOld ? '' : undefined}
      data-parameter={alert.parameter}
    >
      <span className={styles.bar} />
      <AlertChip {...shared} isClosed={isClosed} size={look === 'row' ? 'row' : 'line'} />
      {look === 'strip' ? null : <Who {...shared} isFurther={look === 'further'} />}
      <div className={styles.what}>
        <Headline {...shared} isAgain={isAgain} isOver={isClosed || isOld} />
        {shownProblem !== undefined ? (
          <ActProblem alert={alert} userId={user.id} problem={shownProblem} />
        ) : isClosed ? (
          <ClosedWords alertId={alert.id} />
        ) : (
          <>
            <AlertDetail {...shared} isOld={isOld} />
            {look === 'row' ? <AlertAsked {...shared} /> : null}
          </>
        )}
      </div>
      {look === 'strip' ? null : <AlertSpark alert={alert} initialNow={initialNow} />}
      <AlertActions
        {...shared}
        isClosed={isClosed}
        user={user}
        isLost={isLost}
        state={state}
        onAct={onAct}
        onDialog={onDialog}
      />
    </div>
  );
}, isSameLine);

interface HeadlineProps {
  alert: AlertItem;
  isAgain: boolean;
  isOver: boolean;
  initialNow: number;
  timeZone: string;
}

/** What the alert is about, in bold. In an outage, and once it is over, it says nothing of now. */
function Headline({ alert, isAgain, isOver, initialNow, timeZone }: HeadlineProps) {
  const asOf = useWordsAsOf(isOver, initialNow);
  const { headline } = useAlertWords(alert);
  const shown = sentenceAsOf(headline, asOf === null ? null : formatTime(asOf, timeZone));
  return (
    <span className={styles.headline} title={shown} data-current="">
      {isAgain ? <span className={styles.again}>Alert again</span> : null}
      {shown}
    </span>
  );
}

interface WhoProps {
  alert: AlertItem;
  initialNow: number;
  timeZone: string;
  isFurther: boolean;
}

/** Two identifiers beside every alert; in a further line of a patient they are in the row above, and read out here. */
function Who({ alert, initialNow, timeZone, isFurther }: WhoProps) {
  const { patient, patientId } = alert;
  const place = alertPlace(alert);
  if (isFurther) {
    return (
      <span className={styles.also}>
        <span className="visually-hidden">{`${alertSubject(alert)}, ${place}`}</span>
      </span>
    );
  }
  return (
    <div className={styles.who}>
      {patient === null || patientId === null ? (
        <strong>{alertSubject(alert)}</strong>
      ) : (
        <PatientName patient={{ id: patientId, ...patient }} />
      )}
      <span className={styles.quiet} title={place}>
        {patient === null ? place : placeWords(patient)}
      </span>
      <span className={styles.ids}>
        {patient === null ? null : (
          <span className={styles.quiet} title={`MRN ${patient.mrn}`}>
            <span className="visually-hidden"> · </span>MRN {patient.mrn}
          </span>
        )}
        <AlertPause alert={alert} initialNow={initialNow} timeZone={timeZone} />
      </span>
    </div>
  );
}

/** A poll makes new objects of alerts that are the same. What they say comes by the context (`useAlertWords`). */
function isSameLine({ alert, ...rest }: AlertLineProps, next: AlertLineProps): boolean {
  return (
    rest.isClosed === next.isClosed &&
    rest.isOld === next.isOld &&
    rest.isAgain === next.isAgain &&
    rest.look === next.look &&
    rest.user === next.user &&
    rest.isLost === next.isLost &&
    rest.state === next.state &&
    rest.onAct === next.onAct &&
    rest.onDialog === next.onDialog &&
    (alert === next.alert || dequal(withoutWords(alert), withoutWords(next.alert)))
  );
}

function withoutWords(alert: AlertItem): AlertItem {
  return { ...alert, headline: '', sentence: '', values: {} };
}
