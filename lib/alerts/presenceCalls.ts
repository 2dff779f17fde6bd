import { z } from 'zod';
import type { Calls } from '../api/declaration';
import { signedInOrLocked } from '../session/policy';
import { alertSound } from '../sound/soundSchema';
import { alertStrip } from './stripSchema';

/** What every page asks about alerts, the lock screen included. Their schemas are few, so that each page has them. */
export const presenceCalls = {
  checkAlertPath: {
    method: 'GET',
    path: '/api/v2/alert-path',
    status: 204,
    who: signedInOrLocked,
    description:
      'For a page that only has to know whether the server answers: like every response it carries X-Alert-Path, ' +
      'when the clock evaluation and the heartbeat last succeeded, in epoch milliseconds.',
    response: z.null(),
  },
  readAlertStrip: {
    method: 'GET',
    path: '/api/v2/alerts/strip',
    status: 200,
    who: signedInOrLocked,
    description:
      'The open alerts within the reach of the user, also of a locked session: place, priority, time and whether ' +
      'somebody has accepted them. Empty for users who see no alerts.',
    response: alertStrip,
  },
  readAlertSound: {
    method: 'GET',
    path: '/api/v2/alerts/sound',
    status: 200,
    who: signedInOrLocked,
    description:
      'What the browser of the user sounds, also of a locked session: the most urgent priority that has asked them, ' +
      'all alerts that sound for them, and until when somebody paused the sound.',
    response: alertSound,
  },
} as const satisfies Calls;
