import { useMemo, useRef, type RefObject, useState } from 'react';
import { useAlerts } from '../../hooks/useAlerts';
import { useAreAlertsOld } from '../../hooks/useAlertsOld';
import type { Freeze } from '../../hooks/useFreeze';
import { isMoreUrgent, priorities, type Priority } from '../../lib/alerts/priority';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { AlertSlot } from './AlertSlot';
import { AlertValuesContext } from './AlertValues';
import { IgnoredClick } from './IgnoredClick';
import styles from './OpenAlerts.module.css';
import { OpenedAlertDialog } from './OpenedAlertDialog';
import { useAlertActs } from './useAlertActs';
import { useAlertDialog } from './useAlertDialog';
import { useAllValues } from './useAllValues';
import { useAnnouncement } from './useAnnouncement';
import { useMoveGuard } from './useMoveGuard';
import { useRowFocus } from './useRowFocus';
import { useSlotAlert } from './useSlotAlert';

interface List {
  /** When the page of the list was made. What is older than that is no news. */
  openedAt: EpochMs;
  /** The patients on it. */
  patientIds: ReadonlySet<number>;
  /** While it holds still (`useFreeze`). */
  frozen: number | null;
}

interface Unlisted {
  /** The most urgent first. */
  news: readonly AlertItem[];
  /** Whether the list has shown an alert at a lower priority. */
  isUpgrade: (alertId: number) => boolean;
}

/**
 * Returns the alerts that a list of patients does not show yet, and that no one has acknowledged or accepted: all that
 * came or became more urgent while it holds still, and otherwise HIGH and MEDIUM ones of patients who are not on it, so
 * that no filter and no page hides them.
 */
function useUnlisted(page: AlertsPage | undefined, { openedAt, patientIds, frozen }: List): Unlisted {
  const [last, setLast] = useState<{ frozen: number | null; known: ReadonlyMap<number, Priority> } | null>(null);
  const isRenewed = last !== null && last.frozen !== null && frozen !== null && last.frozen !== frozen;
  const isListed = ({ patientId, priority, lastRaisedAt }: AlertItem): boolean =>
    last === null
      ? Date.parse(lastRaisedAt) <= openedAt
      : isRenewed || (frozen === null && (priority === 'low' || (patientId !== null && patientIds.has(patientId))));
  const learned = (page?.items ?? []).filter(
    (alert) => isListed(alert) && last?.known.get(alert.id) !== alert.priority,
  );
  const isChanged = page !== undefined && (last === null || last.frozen !== frozen || learned.length > 0);
  const known = isChanged
    ? new Map([...(last?.known ?? []), ...learned.map(({ id, priority }) => [id, priority] as const)])
    : (last?.known ?? new Map<number, Priority>());
  if (isChanged) {
    setLast({ frozen, known });
  }
  const isNews = ({ id, priority, acknowledged, accepted }: AlertItem): boolean => {
    const before = known.get(id);
    return acknowledged === null && accepted === null && (before === undefined || isMoreUrgent(priority, before));
  };
  return {
    news: (page?.items ?? [])
      .filter(isNews)
      .sort((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority)),
    isUpgrade: (alertId) => known.has(alertId),
  };
}

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
