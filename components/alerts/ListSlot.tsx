import { useMemo, useRef, type RefObject } from 'react';
import { useAlerts } from '../../hooks/useAlerts';
import { useAreAlertsOld } from '../../hooks/useAlertsOld';
import type { Freeze } from '../../hooks/useFreeze';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { AlertSlot } from './AlertSlot';
import { AlertValuesContext } from './AlertValues';
import { IgnoredClick } from './IgnoredClick';
import { OpenedAlertDialog } from './OpenedAlertDialog';
import styles from './OpenAlerts.module.css';
import { useAlertActs } from './useAlertActs';
import { useAlertDialog } from './useAlertDialog';
import { useAllValues } from './useAllValues';
import { useAnnouncement } from './useAnnouncement';
import { useMoveGuard } from './useMoveGuard';
import { useRowFocus } from './useRowFocus';
import { useSlotAlert } from './useSlotAlert';
import { useUnlisted } from './useUnlisted';

export interface ListSlotProps {
  user: User;
  /** The patients on the page of the list. */
  patients: readonly Patient[];
  freeze: Pick<Freeze, 'frozen' | 'renew'>;
  /** Has the focus when what had it goes. */
  heading: RefObject<HTMLElement | null>;
  /** Shows the list with the alerts of these patients in it. */
  onShow: (patientIds: readonly number[]) => void;
  /** The server's time when the page was made, epoch milliseconds. */
  initialNow: number;
}

/**
 * The worst new alert that a list of patients does not show yet, as a row with its actions, over the place that the
 * list keeps for it (screens.md section 2).
 */
export function ListSlot({ user, patients, freeze, heading, onShow, initialNow }: ListSlotProps) {
  const { data, error } = useAlerts();
  const isOld = useAreAlertsOld(error);
  const patientIds = useMemo(() => new Set(patients.map(({ id }) => id)), [patients]);
  const { news, isUpgrade } = useUnlisted(data, { openedAt: initialNow, patientIds, frozen: freeze.frozen });
  const slot = useSlotAlert(news, data, freeze.frozen);
  const { shown } = slot;
  const guard = useMoveGuard(String(shown?.id ?? ''));
  const place = useRef<HTMLDivElement>(null);
  const { onFocus, onBlur, moveOn } = useRowFocus(place, heading, guard.noteFocusMoved);
  const { onAct, stateOf, said } = useAlertActs(user, moveOn);
  const { dialog, onDialog, onClose } = useAlertDialog(place, heading);
  const announced = useAnnouncement(data?.items);
  const values = useMemo(
    () => ({ patients: new Map(patients.map((patient) => [patient.id, patient])), sparks: undefined }),
    [patients],
  );
  const allValues = useAllValues(
    values,
    useMemo(() => (shown === null ? [] : [shown]), [shown]),
  );
  return (
    <AlertValuesContext value={allValues}>
      <div
        ref={place}
        className={styles.place}
        data-old={isOld ? '' : undefined}
        onClickCapture={guard.onClickCapture}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        <AlertSlot
          user={user}
          isLost={isOld}
          stateOf={stateOf}
          onAct={onAct}
          onDialog={onDialog}
          initialNow={initialNow}
          slot={slot}
          tag={shown !== null && isUpgrade(shown.id) ? 'More urgent' : 'New'}
          onShowAll={() => {
            freeze.renew();
            onShow(news.flatMap(({ patientId }) => patientId ?? []));
            heading.current?.focus({ preventScroll: true });
          }}
        />
        <p role="status" className="visually-hidden">
          {said}
        </p>
        <p aria-live={announced.priority === 'high' ? 'assertive' : 'polite'} className="visually-hidden">
          {announced.text}
        </p>
      </div>
      <IgnoredClick ignored={guard.ignored} />
      <OpenedAlertDialog dialog={dialog} page={data} user={user} onClose={onClose} />
    </AlertValuesContext>
  );
}
