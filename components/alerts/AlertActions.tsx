import type { ReactNode } from 'react';
import { useHasChat } from '../../hooks/useChat';
import { useNow } from '../../hooks/useNow';
import { parameterLabels } from '../../lib/alerts/parameters';
import type { AlertItem } from '../../lib/alerts/schema';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatTime } from '../../lib/time/formatTime';
import styles from './AlertActions.module.css';
import { alertChoices, canCall, type AlertDialog, type QuickAct } from './alertChoices';
import { AlertMenu, type AlertMenuItem } from './AlertMenu';
import { alertSubject } from './alertSubject';
import { LiveAge } from './LiveAge';
import type { AlertActState } from './useAlertActs';

interface AlertActionsProps {
  alert: AlertItem;
  isClosed: boolean;
  user: User;
  /** The list is not live: nothing is sent by what may not be true any more. */
  isLost: boolean;
  state: AlertActState | undefined;
  onAct: (alert: AlertItem, act: QuickAct) => void;
  onDialog: (dialog: AlertDialog, alert: AlertItem) => void;
  initialNow: number;
  timeZone: string;
}

const dialogLabels = {
  contact: 'Help outside: called, or not needed …',
  reject: 'I can’t come …',
  source: 'Settle which source counts …',
  resolve: 'Resolve …',
  reassign: 'Hand over to …',
  chat: 'Send to chat …',
  phone: 'Call the patient …',
} as const satisfies Record<AlertDialog, string>;
const lostWords = 'Not live: nothing can be sent now';

/** Who has an alert, and what the user may do about it. */
export function AlertActions(props: AlertActionsProps) {
  const { alert, isClosed, user, isLost, state, onAct, onDialog, initialNow, timeZone } = props;
  const choices = alertChoices(alert, user, isClosed);
  const hasChat = useHasChat();
  const about = `${parameterLabels[alert.parameter]} alert of ${alertSubject(alert)}`;
  const press = (act: QuickAct, label: string, isPrimary: boolean, hidden: string) => (
    <button
      type="button"
      className={`ant-btn wardlight ${isPrimary ? primaryLook : defaultLook}`}
      // The pressed button stays enabled: a disabled one loses the keyboard.
      aria-disabled={isLost || (state?.running ?? act) !== act}
      aria-busy={state?.running === act}
      title={isLost ? lostWords : undefined}
      data-next={act === 'undo' ? undefined : ''}
      data-act={act}
      onClick={() => {
        if (!isLost) {
          onAct(alert, act);
        }
      }}
    >
      {state?.running === act ? 'Sending …' : label}
      <span className="visually-hidden">{` ${hidden} ${about}`}</span>
    </button>
  );
  const opens = (dialog: AlertDialog): AlertMenuItem => ({
    label: dialogLabels[dialog],
    goes: () => onDialog(dialog, alert),
    isOff: isLost && dialog !== 'phone',
  });
  const { unitId } = alert;
  const isToCall = canCall(alert, user);
  const items: AlertMenuItem[] = [
    ...(alert.parameter === 'report' && can(user, 'readReports')
      ? [
          {
            label: 'Open issue reports',
            goes: paths.reports({ severity: 'S1', ...(unitId === null ? {} : { unit: String(unitId) }) }),
          },
        ]
      : []),
    ...(choices.acknowledge === 'menu'
      ? [{ label: 'Acknowledge', goes: () => onAct(alert, 'acknowledge'), isOff: isLost }]
      : []),
    ...(choices.canPause ? [{ label: 'Pause sound for 2 min', goes: () => onAct(alert, 'pause') }] : []),
    ...(isToCall ? [opens('phone')] : []),
    ...choices.dialogs.map(opens),
    ...(hasChat ? [opens('chat')] : []),
    ...(alert.patientId === null || alert.patient === null
      ? []
      : [
          { label: 'Patient details', goes: paths.patientDetails([alert.patientId]) },
          { label: 'History', goes: paths.alertHistory({ patient: String(alert.patientId) }) },
        ]),
  ];
  // The name of the patient is the way to the details; a menu with that alone would only be another button.
  const hasMore = choices.acknowledge === 'menu' || choices.canPause || choices.dialogs.length > 0 || isToCall;
  const owner = alert.accepted?.by.name ?? '';
  const undo = isClosed ? (state?.undo ?? null) : alert.undo;
  return (
    <div className={styles.cell}>
      <WhoHasIt alert={alert} user={user} initialNow={initialNow} timeZone={timeZone} />
      {undo === null ? null : (
        <Until instant={undo.until} initialNow={initialNow}>
          {press('undo', 'Undo', false, 'my last act on the')}
        </Until>
      )}
      {choices.take === null
        ? null
        : press(
            'take',
            choices.take.label,
            choices.take.isPrimary,
            choices.take.isTakeOver ? `from ${owner} the` : 'with the',
          )}
      {choices.acknowledge === 'button' ? press('acknowledge', 'Acknowledge', false, 'the') : null}
      {hasMore ? <AlertMenu subject={alertSubject(alert)} items={items} /> : null}
    </div>
  );
}

const primaryLook = 'ant-btn-primary ant-btn-color-primary ant-btn-variant-solid';
const defaultLook = 'ant-btn-default ant-btn-color-default ant-btn-variant-outlined';

/** Shows its children until an instant. */
function Until({ instant, initialNow, children }: { instant: string; initialNow: number; children: ReactNode }) {
  return useNow(initialNow) < Date.parse(instant) ? children : null;
}

type WhoProps = Pick<AlertActionsProps, 'alert' | 'user' | 'initialNow' | 'timeZone'>;

/** "Taken by Nia Newcomer, 6 min ago", or who acknowledged it. */
function WhoHasIt({ alert: { accepted, acknowledged }, user, ...shared }: WhoProps) {
  const done = accepted ?? acknowledged;
  if (done === null) {
    return can(user, 'acknowledgeAlerts') ? null : <span className={styles.who}>Not taken, not acknowledged</span>;
  }
  return (
    <span className={styles.who}>
      {accepted === null ? 'Acknowledged' : 'Taken'} by {done.by.id === user.id ? 'you' : done.by.name},{' '}
      <LiveAge instant={done.at} {...shared} />
      {accepted?.notSeenSince === undefined
        ? null
        : `, not seen since ${formatTime(Date.parse(accepted.notSeenSince), shared.timeZone)}`}
      {accepted !== null && acknowledged === null ? ', not acknowledged' : null}
    </span>
  );
}
