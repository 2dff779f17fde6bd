import { useMemo } from 'react';
import { useCall } from '../../hooks/useCall';
import type { AlertItem } from '../../lib/alerts/schema';
import type { CallInput } from '../../lib/browser/client';

/** How long the sound is paused, in seconds. */
const pauseSeconds = 120;

/**
 * Returns the calls about one alert. Each carries the version that the user saw, so that an act on an alert that has
 * changed meanwhile is refused, and resolves with the alert after it.
 */
export function useAlertCalls() {
  const take = useCall('takeAlerts');
  const acknowledge = useCall('acknowledgeAlert');
  const pause = useCall('pauseAlertAudio');
  const undo = useCall('undoAlertAction');
  const reject = useCall('rejectAlert');
  const answerContact = useCall('answerContact');
  const settle = useCall('settleAlertSource');
  const resolve = useCall('resolveAlert');
  const reassign = useCall('reassignAlert');
  return useMemo(
    () => ({
      take: async ({ id, version }: AlertItem, takeOver: boolean): Promise<AlertItem | undefined> =>
        (await take({ body: { alerts: [{ id, version }], takeOver } })).items[0],
      acknowledge: ({ id, version }: AlertItem) => acknowledge({ params: { id }, body: { version } }),
      pause: ({ id, version }: AlertItem) => pause({ params: { id }, body: { seconds: pauseSeconds, version } }),
      undo: ({ id }: AlertItem, eventId: number) => undo({ params: { id }, body: { eventId } }),
      reject: (id: number, body: CallInput<'rejectAlert'>['body']) => reject({ params: { id }, body }),
      answerContact: (id: number, body: CallInput<'answerContact'>['body']) => answerContact({ params: { id }, body }),
      settle: (id: number, body: CallInput<'settleAlertSource'>['body']) => settle({ params: { id }, body }),
      resolve: (id: number, body: CallInput<'resolveAlert'>['body']) => resolve({ params: { id }, body }),
      reassign: (id: number, body: CallInput<'reassignAlert'>['body']) => reassign({ params: { id }, body }),
    }),
    [take, acknowledge, pause, undo, reject, answerContact, settle, resolve, reassign],
  );
}
