import type { AlertItem } from '../../lib/alerts/schema';
import { can } from '../../lib/session/can';
import { reachesUnit } from '../../lib/session/reachesUnit';
import type { User } from '../../lib/session/schema';

/** What a user does with one press. */
export type QuickAct = 'take' | 'acknowledge' | 'pause' | 'undo';

/** What needs more than a press. */
export type AlertDialog = 'contact' | 'reject' | 'source' | 'resolve' | 'reassign' | 'chat' | 'phone';

interface AlertChoices {
  /** The main button. */
  take: { label: string; isPrimary: boolean; isTakeOver: boolean } | null;
  acknowledge: 'button' | 'menu' | null;
  canPause: boolean;
  dialogs: readonly AlertDialog[];
}

/** Returns whether a user reaches the patient by phone, and may see the numbers of the chart. */
export function canCall({ parameter, patient }: AlertItem, user: Pick<User, 'permissions'>): boolean {
  const isAway = parameter === 'callRequest' || patient?.profile === 'home';
  return isAway && patient !== null && can(user, 'readChart');
}

const none: AlertChoices = { take: null, acknowledge: null, canPause: false, dialogs: [] };

/** Returns what a user may do about an alert now. Emergency access opens acknowledging alone. */
export function alertChoices(
  alert: AlertItem,
  user: Pick<User, 'id' | 'permissions' | 'type' | 'isAdmin' | 'units'>,
  isClosed: boolean,
): AlertChoices {
  const { accepted, acknowledged, condition, escalation, patient, reassigned } = alert;
  const canHandle = can(user, 'handleAlerts') && reachesUnit(user, patient?.unit ?? null);
  const isMeant = reassigned?.to.id === user.id;
  const heardAt = acknowledged === null ? null : Date.parse(acknowledged.at);
  // What was acknowledged before sounds again for the user who is asked by name, by another one or by a step.
  const isAsked = (heard: number): boolean =>
    (isMeant && heard <= Date.parse(reassigned.at)) ||
    escalation.asked.some(({ at, users }) => Date.parse(at) > heard && users.some(({ id }) => id === user.id));
  const isHeard = heardAt !== null && !isAsked(heardAt);
  const isUnseen = (!isHeard || alert.remindedAt !== null) && can(user, 'acknowledgeAlerts');
  if (isClosed || (!canHandle && !isUnseen)) {
    return none;
  }
  const isOver = condition === 'ended';
  const source = alert.sources === undefined ? [] : (['source'] as const);
  if (isOver || !canHandle) {
    const dialogs = canHandle ? ([...source, 'resolve'] as const) : [];
    return { take: null, acknowledge: isUnseen ? 'button' : null, canPause: false, dialogs };
  }
  const isMine = accepted?.by.id === user.id;
  const isOthers = accepted !== null && !isMine;
  const take = isOthers
    ? { label: isMeant ? 'I’m on it' : 'Take over', isPrimary: isMeant, isTakeOver: !isMeant }
    : accepted === null
      ? { label: 'I’m on it', isPrimary: true, isTakeOver: false }
      : escalation.answerBy === null
        ? null
        : { label: 'I’m still on it', isPrimary: true, isTakeOver: false };
  return {
    take,
    // The cell has room for one button beside who has the alert.
    acknowledge: !isUnseen ? null : accepted !== null && take !== null ? 'menu' : 'button',
    canPause: isUnseen,
    dialogs: [
      ...(escalation.asked.some(({ contact }) => contact !== null) ? (['contact'] as const) : []),
      ...(isOthers ? [] : (['reject'] as const)),
      ...source,
      ...(['resolve', 'reassign'] as const),
    ],
  };
}
