import { useMemo, useRef, useState } from 'react';
import { useAlerts } from '../../hooks/useAlerts';
import { useAreAlertsOld } from '../../hooks/useAlertsOld';
import { useFreeze } from '../../hooks/useFreeze';
import { usePatient } from '../../hooks/usePatient';
import type { AlertsPage } from '../../lib/alerts/schema';
import type { User } from '../../lib/session/schema';
import { AlertLine } from './AlertLine';
import { AlertValuesContext, wordsOf } from './AlertValues';
import { IgnoredClick } from './IgnoredClick';
import { OpenedAlertDialog } from './OpenedAlertDialog';
import styles from './PatientAlerts.module.css';
import { useAlertActs } from './useAlertActs';
import { useAlertDialog } from './useAlertDialog';
import { useHeldRows } from './useHeldRows';
import { useMoveGuard } from './useMoveGuard';
import { useRowFocus } from './useRowFocus';

interface PatientAlertsProps {
  patientId: number;
  user: User;
  initialNow: number;
}

/**
 * The open alerts of one patient, for the page of the patient, in rows of 48 px: the worst one, the others behind
 * "+1 alert". Nothing if there are none. It holds still under the pointer like the list of all alerts.
 */
export function PatientAlerts({ patientId, user, initialNow }: PatientAlertsProps) {
  const { data, error } = useAlerts();
  const { data: patient } = usePatient(patientId);
  const isOld = useAreAlertsOld(error);
  const { frozen, renew, handlers } = useFreeze();
  const { rows, news } = useHeldRows(
    useMemo(() => alertsOf(data, patientId), [data, patientId]),
    frozen,
  );
  const [row] = rows;
  const guard = useMoveGuard(row?.alerts.map(({ alert }) => alert.id).join() ?? '');
  const strip = useRef<HTMLElement>(null);
  const { onFocus, onBlur, moveOn } = useRowFocus(strip, strip, guard.noteFocusMoved);
  const { onAct, stateOf, said } = useAlertActs(user, moveOn);
  const [showsAll, setShowsAll] = useState(false);
  const { dialog, onDialog, onClose } = useAlertDialog(strip, strip);
  const values = useMemo(
    () => ({
      patients: new Map(patient === undefined ? [] : [[patient.id, patient]]),
      sparks: undefined,
      words: wordsOf(data?.items),
    }),
    [patient, data],
  );
  const added = news.filter(({ id }) => row?.alerts.every(({ alert }) => alert.id !== id) !== false).length;
  if (row === undefined && added === 0) {
    return null;
  }
  const alerts = row?.alerts ?? [];
  const folded = Math.max(0, alerts.length - 1);
  return (
    <AlertValuesContext value={values}>
      <section
        {...handlers}
        ref={strip}
        tabIndex={-1}
        className={styles.strip}
        aria-label="Open alerts of this patient"
        data-old={isOld ? '' : undefined}
        onClickCapture={guard.onClickCapture}
        onFocus={(event) => {
          handlers.onFocus(event);
          onFocus(event);
        }}
        onBlur={(event) => {
          handlers.onBlur(event);
          onBlur(event);
        }}
      >
        <div className={styles.rows}>
          {(showsAll ? alerts : alerts.slice(0, 1)).map(({ alert, isClosed, isAgain }) => (
            <AlertLine
              key={alert.id}
              alert={alert}
              isClosed={isClosed}
              isAgain={isAgain}
              look="strip"
              user={user}
              isLost={isOld}
              state={stateOf(alert.id)}
              onAct={onAct}
              onDialog={onDialog}
              initialNow={initialNow}
            />
          ))}
        </div>
        {added > 0 ? (
          <button type="button" className={styles.more} onClick={renew}>
            {`+${added} new ${added === 1 ? 'alert' : 'alerts'}`}
          </button>
        ) : folded > 0 ? (
          <button type="button" className={styles.more} aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show the first only' : `+${folded} ${folded === 1 ? 'alert' : 'alerts'}`}
          </button>
        ) : null}
        <p role="status" className="visually-hidden">
          {said}
        </p>
        <IgnoredClick ignored={guard.ignored} />
      </section>
      <OpenedAlertDialog dialog={dialog} page={data} user={user} onClose={onClose} />
    </AlertValuesContext>
  );
}

/** Returns the alerts of one patient as a page of their own, which is whole if the page of all is. */
function alertsOf(page: AlertsPage | undefined, patientId: number): AlertsPage | undefined {
  if (page === undefined) {
    return undefined;
  }
  const items = page.items.filter((alert) => alert.patientId === patientId);
  return { ...page, items, total: items.length + page.total - page.items.length };
}
