import { useCallback, useRef, useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { parameterLabels } from '../../lib/alerts/parameters';
import type { AlertItem } from '../../lib/alerts/schema';
import type { ApiFailure } from '../../lib/browser/client';
import type { User } from '../../lib/session/schema';
import type { QuickAct } from './alertChoices';
import { alertSubject } from './alertSubject';

export interface AlertActState {
  /** The act whose response is awaited. */
  running: QuickAct | undefined;
  /**
   * Why the last act is not known to be done: the server refused it, it was not sent, or no response to it could be
   * read.
   */
  problem: { act: QuickAct; outcome: 'refused' | 'not sent' | 'unknown'; version: number; message: string } | undefined;
  /** What the last act left to be undone; the alert itself may be closed by it and no longer be listed. */
  undo: AlertItem['undo'];
}

interface AlertActs {
  stateOf: (alertId: number) => AlertActState | undefined;
  /** Runs an act unless one of this alert is running, and moves the keyboard on in its row once it is done. */
  onAct: (alert: AlertItem, act: QuickAct) => void;
  /** What was done last, in words, to be read out. */
  said: string;
}

const pastWords = {
  take: 'You have taken it',
  acknowledge: 'Acknowledged',
  pause: 'Sound paused',
  undo: 'Undone',
} as const satisfies Record<QuickAct, string>;

const idle: AlertActState = { running: undefined, problem: undefined, undo: null };

/**
 * Runs the acts of a user on the alerts of a list, and keeps what became of each for as long as the list is there: the
 * slot above the list and the row show the same. An act that did not reach the server is never sent later by itself.
 */
export function useAlertActs({ id: userId }: User, moveOn: (row: Element | null) => void): AlertActs {
  const send = useSend(userId);
  const [states, setStates] = useState<ReadonlyMap<number, AlertActState>>(new Map());
  const [said, setSaid] = useState('');
  const running = useRef(new Set<number>());
  const undoable = useRef(new Map<number, AlertItem['undo']>());
  const run = useCallback(
    async (alert: AlertItem, act: QuickAct): Promise<boolean> => {
      const { id, version } = alert;
      const change = (part: Partial<AlertActState>): void => {
        setStates((last) => new Map(last).set(id, { ...(last.get(id) ?? idle), ...part }));
      };
      if (running.current.has(id)) {
        return false;
      }
      running.current.add(id);
      change({ running: act, problem: undefined });
      try {
        const undo = alert.undo ?? undoable.current.get(id) ?? null;
        const left = (await send(alert, act, undo))?.undo ?? null;
        undoable.current.set(id, left);
        change({ running: undefined, undo: left });
        setSaid(`${pastWords[act]}: ${parameterLabels[alert.parameter]} alert of ${alertSubject(alert)}`);
        return true;
      } catch (problem) {
        const { status, message, isOutcomeUnknown } = problem as ApiFailure;
        const outcome = isOutcomeUnknown ? 'unknown' : status === null ? 'not sent' : 'refused';
        change({ running: undefined, problem: { act, outcome, version, message } });
        return false;
      } finally {
        running.current.delete(id);
      }
    },
    [send],
  );
  const onAct = useCallback(
    (alert: AlertItem, act: QuickAct): void => {
      const row = document.activeElement?.closest('[data-alert]') ?? null;
      void run(alert, act).then((isDone) => {
        if (isDone) {
          moveOn(row);
        }
      });
    },
    [run, moveOn],
  );
  return { stateOf: (alertId) => states.get(alertId), onAct, said };
}

/** How long the sound is paused, in seconds. */
const pauseSeconds = 120;

/**
 * Returns what sends an act and resolves with the alert after it. Each carries the version that the user saw, so that
 * an act on an alert that has changed meanwhile is refused. Rejects with `ApiFailure`.
 */
function useSend(userId: number) {
  const take = useCall('takeAlerts');
  const acknowledge = useCall('acknowledgeAlert');
  const pause = useCall('pauseAlertAudio');
  const withdraw = useCall('undoAlertAction');
  return useCallback(
    async (
      { id, version, accepted }: AlertItem,
      act: QuickAct,
      undo: AlertItem['undo'],
    ): Promise<AlertItem | undefined> => {
      const params = { id };
      switch (act) {
        case 'take': {
          const takeOver = accepted !== null && accepted.by.id !== userId;
          return (await take({ body: { alerts: [{ id, version }], takeOver } })).items[0];
        }
        case 'acknowledge':
          return await acknowledge({ params, body: { version } });
        case 'pause':
          return await pause({ params, body: { seconds: pauseSeconds, version } });
        case 'undo':
          return undo === null ? undefined : await withdraw({ params, body: { eventId: undo.eventId } });
        default:
          return act satisfies never;
      }
    },
    [take, acknowledge, pause, withdraw, userId],
  );
}
