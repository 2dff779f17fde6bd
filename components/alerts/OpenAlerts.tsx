import { useRouter } from 'next/router';
import { useDeferredValue, useRef } from 'react';
import { useSingleKeysChoice } from '../../hooks/useSingleKeysChoice';
import { useAlerts } from '../../hooks/useAlerts';
import { useAreAlertsOld } from '../../hooks/useAlertsOld';
import type { Freeze } from '../../hooks/useFreeze';
import { awaitedText, rulesOffText } from '../../lib/alerts/awaitedAlerts';
import { isMoreUrgent } from '../../lib/alerts/priority';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { FailureNotice } from '../ui/AsyncView';
import { alertChoices } from './alertChoices';
import { AlertGroups } from './AlertGroups';
import { AlertSlot, type SlotTag } from './AlertSlot';
import { AlertValuesContext, type PatientValues } from './AlertValues';
import { IgnoredClick } from './IgnoredClick';
import { OpenedAlertDialog } from './OpenedAlertDialog';
import styles from './OpenAlerts.module.css';
import { useAlertActs } from './useAlertActs';
import { useAlertDialog } from './useAlertDialog';
import { useAlertKeys } from './useAlertKeys';
import { useAllValues } from './useAllValues';
import { useAnnouncement } from './useAnnouncement';
import { useHeldRows, type HeldRow } from './useHeldRows';
import { useMoveGuard } from './useMoveGuard';
import { useRowFocus } from './useRowFocus';
import { useSlotAlert } from './useSlotAlert';

interface OpenAlertsProps {
  user: User;
  /** The alerts that came with the page. */
  firstAlerts: AlertsPage;
  /** The values of the patients of the screen; those of other patients with alerts are read. */
  values: PatientValues;
  /** While the lists of the screen hold still. The screen has its handlers, because one list moves the other. */
  freeze: Pick<Freeze, 'frozen' | 'renew'>;
  initialNow: number;
}

/**
 * Every alert within the user's reach that is not closed, in groups, whichever patients the screen shows. Nothing moves
 * under the pointer or the keyboard: the slot keeps its height, and a failure is said below the list.
 */
export function OpenAlerts({ user, firstAlerts, values, freeze, initialNow }: OpenAlertsProps) {
  const response = useAlerts(firstAlerts);
  const { data, error } = response;
  const isOld = useAreAlertsOld(error);
  const { frozen, renew } = freeze;
  const { rows, news } = useHeldRows(data, frozen);
  const slot = useSlotAlert(news, data, frozen);
  const guard = useMoveGuard(orderOf(rows, slot.shown));
  const place = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { onFocus, onBlur, moveOn } = useRowFocus(place, heading, guard.noteFocusMoved);
  const { onAct, stateOf, said } = useAlertActs(user, moveOn);
  const { dialog, onDialog, onClose } = useAlertDialog(place, heading);
  const [areKeysOn] = useSingleKeysChoice(user.id);
  const router = useRouter();
  const announced = useAnnouncement(data?.items);
  // In slices that give way to a click: hundreds of values and sentences change each second.
  const allValues = useDeferredValue(useAllValues(values, data?.items));

  const shown = (id: number): AlertItem | undefined => data?.items.find((alert) => alert.id === id);
  const actByKey = (id: number, act: 'take' | 'acknowledge'): void => {
    const alert = shown(id);
    if (alert === undefined || isOld) {
      return;
    }
    const { take, acknowledge } = alertChoices(alert, user, false);
    // A single key takes an alert from no one else.
    if (act === 'take' ? take !== null && !take.isTakeOver : acknowledge !== null) {
      onAct(alert, act);
    }
  };
  useAlertKeys(place, areKeysOn, {
    acknowledge: (id) => actByKey(id, 'acknowledge'),
    take: (id) => actByKey(id, 'take'),
    open: (id) => {
      const patientId = shown(id)?.patientId ?? null;
      if (patientId !== null) {
        void router.push(paths.patientDetails([patientId]));
      }
    },
  });

  const context = { user, isLost: isOld, stateOf, onAct, onDialog, initialNow };
  return (
    <AlertValuesContext value={allValues}>
      <section className={styles.section} aria-labelledby="open-alerts">
        <div
          ref={place}
          className={styles.place}
          data-old={isOld ? '' : undefined}
          onClickCapture={guard.onClickCapture}
          onFocus={onFocus}
          onBlur={onBlur}
        >
          <AlertSlot
            {...context}
            slot={slot}
            tag={slot.shown === null ? 'New' : tagOf(slot.shown, rows)}
            onShowAll={() => {
              renew();
              // The button goes, and with it the keyboard would be at the top of the page.
              heading.current?.focus({ preventScroll: true });
            }}
          >
            <div className={slot.shown === null ? styles.calm : 'visually-hidden'}>
              <h2 id="open-alerts" ref={heading} tabIndex={-1}>
                Open alerts
              </h2>
              {isOld && data !== undefined ? <strong className={styles.notLive}>Not live</strong> : null}
              {data === undefined || data.total === 0 ? null : (
                <span className={styles.counts}>{countsText(data.items)}</span>
              )}
              {areKeysOn && can(user, 'acknowledgeAlerts') && rows.length > 0 ? <KeysHint /> : null}
            </div>
          </AlertSlot>
          {data === undefined && error === undefined ? <p className={styles.none}>Loading alerts …</p> : null}
          {data?.total === 0 && rows.length === 0 ? (
            <p className={styles.none}>{user.site.rulesAreOn ? 'None' : rulesOffText}</p>
          ) : null}
          <AlertGroups {...context} rows={rows} />
        </div>
        {data === undefined || data.items.length === data.total ? null : (
          <p className={styles.none}>{`${data.total - data.items.length} more open alerts, less urgent than these`}</p>
        )}
        <FailureNotice answer={response} timeZone={user.site.timeZone} />
        <p role="status" className="visually-hidden">
          {data === undefined ? null : countText(data)}
        </p>
        <p role="status" className="visually-hidden">
          {said}
        </p>
        <IgnoredClick ignored={guard.ignored} />
        <p aria-live={announced.priority === 'high' ? 'assertive' : 'polite'} className="visually-hidden">
          {announced.text}
        </p>
      </section>
      <OpenedAlertDialog dialog={dialog} page={data} user={user} onClose={onClose} />
    </AlertValuesContext>
  );
}

/** The keys of the list, for users who work without a mouse. */
function KeysHint() {
  return (
    <span className={styles.keys}>
      <kbd>J</kbd> <kbd>K</kbd> move · <kbd>Enter</kbd> opens · <kbd>A</kbd> acknowledges · <kbd>T</kbd> takes
    </span>
  );
}

/** Returns what an alert is to a list that holds still and may have it already. */
function tagOf({ id, priority }: AlertItem, rows: readonly HeldRow[]): SlotTag {
  const known = rows.flatMap(({ alerts }) => alerts).find(({ alert }) => alert.id === id);
  return known === undefined ? 'New' : isMoreUrgent(priority, known.before) ? 'More urgent' : 'Alert again';
}

/** Names the rows in their places: a change means that something has moved. */
function orderOf(rows: readonly HeldRow[], inSlot: AlertItem | null): string {
  const places = rows.map(({ group, alerts }) => `${group} ${alerts.map(({ alert }) => alert.id).join()}`);
  return [inSlot?.id ?? '', ...places].join(';');
}

/**
 * "3 alerts need someone · 1 taken · 2 more of low priority": all open alerts, as they are now, also while the list
 * holds still. It counts what the chip in the header counts, by the same words; "more", because none counts twice.
 */
function countsText(items: readonly AlertItem[]): string {
  const taken = items.filter(({ accepted }) => accepted !== null).length;
  const low = items.filter(({ accepted, priority }) => accepted === null && priority === 'low').length;
  return [
    awaitedText(items.length - taken - low),
    ...(taken === 0 ? [] : [`${taken} taken`]),
    ...(low === 0 ? [] : [`${low}${low === items.length ? '' : ' more'} of low priority`]),
  ].join(' · ');
}

/** "3 open alerts, 1 high": read out whenever it changes. */
function countText({ items, total }: AlertsPage): string {
  const high = items.filter(({ priority }) => priority === 'high').length;
  return `${total} ${total === 1 ? 'open alert' : 'open alerts'}${high === 0 ? '' : `, ${high} high`}`;
}
