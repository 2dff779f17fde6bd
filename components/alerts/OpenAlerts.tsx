import { useRouter } from 'next/router';
import { useDeferredValue, useRef, Fragment, useState, type RefObject } from 'react';
import { useAlerts } from '../../hooks/useAlerts';
import { useAreAlertsOld } from '../../hooks/useAlertsOld';
import type { Freeze } from '../../hooks/useFreeze';
import { useSingleKeysChoice } from '../../hooks/useSingleKeysChoice';
import { awaitedText, rulesOffText } from '../../lib/alerts/awaitedAlerts';
import { isMoreUrgent } from '../../lib/alerts/priority';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { FailureNotice } from '../ui/AsyncView';
import { useSingleKeys } from '../ui/useSingleKeys';
import { AlertRow, type RowContext } from './AlertRow';
import { AlertSlot, type SlotTag } from './AlertSlot';
import { AlertValuesContext, type PatientValues } from './AlertValues';
import { IgnoredClick } from './IgnoredClick';
import styles from './OpenAlerts.module.css';
import { OpenedAlertDialog } from './OpenedAlertDialog';
import { alertChoices } from './alertChoices';
import { alertGroupNames, alertGroups, groupOf, type AlertGroup } from './groupedRows';
import { useAlertActs } from './useAlertActs';
import { useAlertDialog } from './useAlertDialog';
import { useAllValues } from './useAllValues';
import { useAnnouncement } from './useAnnouncement';
import { useHeldRows, type HeldRow } from './useHeldRows';
import { useMoveGuard } from './useMoveGuard';
import { useRowFocus, alertRowsIn } from './useRowFocus';
import { useSlotAlert } from './useSlotAlert';

const alertKeys = ['j', 'k', 'enter', 'a', 't'] as const;

interface KeyActs {
  acknowledge: (alertId: number) => void;
  take: (alertId: number) => void;
  open: (alertId: number) => void;
}

/**
 * J and K move from row to row of a list of alerts, Enter opens the patient, A acknowledges and T takes the alert that
 * has the keyboard (`useSingleKeys` says when a key counts).
 */
function useAlertKeys(list: RefObject<HTMLElement | null>, isOn: boolean, acts: KeyActs): void {
  const press = (key: string, row: HTMLElement | null): void => {
    const rows = alertRowsIn(list.current);
    if (key === 'j' || key === 'k') {
      const at = rows.findIndex((each) => each === row);
      rows[Math.min(rows.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)))]?.focus();
      return;
    }
    // Only the row that has the keyboard now, and had it when the key was pressed.
    if (row === null || rowOf(document.activeElement, list.current) !== row) {
      return;
    }
    const id = Number(row.dataset.alert);
    if (key === 'a') {
      acts.acknowledge(id);
    } else if (key === 't') {
      acts.take(id);
    } else if (document.activeElement === row) {
      acts.open(id);
    }
  };
  useSingleKeys(
    isOn,
    alertKeys,
    (key) => {
      const row = rowOf(document.activeElement, list.current);
      return () => {
        press(key, row);
      };
    },
    (event, before) => {
      const { target, key } = event;
      const inList = target instanceof Element && list.current?.contains(target) === true;
      // The Enter of a scanner, after what it typed, must not press the button that has the keyboard.
      if (inList && before.length === 1 && (key === 'Enter' || key === ' ')) {
        event.preventDefault();
      }
    },
  );
}

function rowOf(focused: Element | null, list: Element | null): HTMLElement | null {
  const row = focused?.closest<HTMLElement>('[data-alert]') ?? null;
  return row !== null && list?.contains(row) === true ? row : null;
}

/** How many rows of what is over are shown at first, beside every HIGH one. */
const endedAtFirst = 3;

/** The rows in their groups, each with its caption and its count. */
function AlertGroups({ rows, ...shared }: RowContext & { rows: readonly HeldRow[] }) {
  return alertGroupNames.map((group) => {
    const ofGroup = rows.filter((row) => row.group === group);
    return ofGroup.length === 0 ? null : <Group key={group} group={group} rows={ofGroup} {...shared} />;
  });
}

interface GroupProps extends RowContext {
  group: AlertGroup;
  rows: readonly HeldRow[];
}

function Group({ group, rows, ...shared }: GroupProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = group === 'ended' && !showsAll ? rows.filter(isShownAtFirst) : rows;
  const hidden = rows.length - rows.filter(isShownAtFirst).length;
  return (
    <div className={styles.group} data-group={group}>
      <h3 id={`alerts-${group}`}>
        {headingParts(group, rows).map(({ words, count }, index) => (
          <Fragment key={words}>
            {index === 0 ? null : ' · '}
            {words} <span className={styles.count}>{index === 0 ? counted(rows, count) : count}</span>
          </Fragment>
        ))}
      </h3>
      {group === 'ended' && hidden > 0 ? (
        <button
          type="button"
          className={styles.showAll}
          aria-expanded={showsAll}
          onClick={() => {
            setShowsAll(!showsAll);
          }}
        >
          {showsAll ? 'Show fewer' : `Show ${hidden} more`}
        </button>
      ) : null}
      <ol aria-labelledby={`alerts-${group}`} className={styles.list}>
        {shown.map((row) => (
          <AlertRow key={row.key} {...shared} row={row} isShort={group === 'ended'} />
        ))}
      </ol>
    </div>
  );
}

/**
 * What is counted: a row is a patient, who may have several alerts. The head of the list counts the alerts. Among
 * gateways and the issue reports of units the number has no word.
 */
function counted(rows: readonly HeldRow[], count: number): string {
  const arePatients = rows.every(({ alerts }) => alerts.every(({ alert }) => alert.patientId !== null));
  return arePatients ? `${count} ${count === 1 ? 'patient' : 'patients'}` : String(count);
}

/** What has become of a row that keeps its place in another group. */
const movedWords = {
  untaken: 'Not taken',
  taken: 'Taken',
  ended: 'Ended',
  equipment: 'Equipment',
  closed: 'Closed',
} as const satisfies Record<AlertGroup | 'closed', string>;

/**
 * Returns what the rows of a group are now, so that no heading is false above a row that only keeps its place:
 * "Ended, not acknowledged 2 · Alert again 1".
 */
function headingParts(group: AlertGroup, rows: readonly HeldRow[]): { words: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const now = groupNow(row);
    const isAgain = group === 'ended' && now !== 'ended' && row.alerts.some((each) => each.isAgain);
    const words = now === group ? alertGroups[group] : isAgain ? 'Alert again' : movedWords[now];
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts]
    .map(([words, count]) => ({ words, count }))
    .sort((a, b) => Number(b.words === alertGroups[group]) - Number(a.words === alertGroups[group]));
}

function groupNow({ alerts }: HeldRow): AlertGroup | 'closed' {
  const groups = alerts.filter(({ isClosed }) => !isClosed).map(({ alert }) => groupOf(alert));
  return alertGroupNames.find((name) => groups.includes(name)) ?? 'closed';
}

/**
 * By the priority when the list was frozen: no row comes into a list that holds still. What came late and asks people
 * is latched.
 */
function isShownAtFirst({ alerts }: HeldRow, index: number): boolean {
  return (
    index < endedAtFirst || alerts.some(({ before, alert }) => before === 'high' || (before !== 'low' && alert.latched))
  );
}

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
