import type { NewCheckIn, SentCheckIn } from '../../lib/checkIn/schema';
import { emergencyAdvice } from '../../lib/symptoms/emergencyAdvice';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Actor } from '../audit/actor';
import { HttpError } from '../http/httpError';
import type { Server } from '../server';
import { requestCall } from './requestCall';
import type { HelpLink } from './requireLink';
import { takeReport } from './sendReport';

/**
 * Passes a check-in with a red flag by a locked link, or with a wrong year of birth, on to the ward. With the right
 * year it is stored and raises its red flag. With another one someone who holds the link asks for help, and that is a
 * request for a call. The response says nothing of the patient, and of a locked link nothing of the year.
 */
export async function sendHelp(
  server: Pick<Server, 'store' | 'liveState' | 'alerts' | 'metrics' | 'recorder' | 'faults' | 'now'>,
  now: EpochMs,
  actor: Actor,
  help: HelpLink,
  report: NewCheckIn,
): Promise<SentCheckIn> {
  const { alerts, store } = server;
  const { patient, isYearRight, isLocked, triesLeft } = help;
  if (isYearRight) {
    await takeReport(server, now, actor, help, report).catch((error: unknown) => {
      if (!(error instanceof HttpError && error.code === 'report_exists')) {
        throw error;
      }
    });
  } else {
    await requestCall(server, now, actor, help, report, isLocked ? { locked: true } : { wrongYear: true });
    await alerts.reconsider(patient.id);
  }
  const { emergency_number } = await store.db
    .selectFrom('sites')
    .select('emergency_number')
    .where('id', '=', patient.site_id)
    .executeTakeFirstOrThrow();
  return {
    redFlags: redFlagsOf(report.answers, report.redFlags),
    redReadings: [],
    advice: emergencyAdvice(emergency_number),
    nextDueAt: null,
    yearTriesLeft: triesLeft,
  };
}
