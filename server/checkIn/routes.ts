import type { FastifyRequest } from 'fastify';
import { callRequestedRule } from '../../lib/checkIn/checkInAlarms';
import { redReadingsOf } from '../../lib/checkIn/redReadingsOf';
import type { CheckInLink } from '../../lib/checkIn/linkSchema';
import type { NewCheckIn, SentCheckIn, NewCallRequest } from '../../lib/checkIn/schema';
import { paths } from '../../lib/paths';
import { emergencyAdvice } from '../../lib/symptoms/emergencyAdvice';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { auditDone } from '../audit';
import { actorOf, type Actor } from '../audit/actor';
import { requireScope } from '../http/access';
import { createBudget } from '../http/budget';
import { HttpError } from '../http/httpError';
import { linkOrigin } from '../http/linkOrigin';
import { on } from '../http/on';
import { holdPatient } from '../patients/holdPatient';
import { requireActivePatient, requirePatient } from '../patients/requirePatient';
import { writerOf } from '../patients/writerOf';
import type { App, Server } from '../server';
import { createLink, listLinks, presentLinks, revokeLink, type LinkRow } from './links';
import { noteOpened, presentOpened } from './openLink';
import { requireHelpLink, requireLink, unusable, type HelpLink, type OpenedLink } from './requireLink';
import { takeReport } from './sendReport';
import { siteRow } from '../site/queries';

/** A request that follows so soon after its alert was raised joins it and does not sound again, in milliseconds. */
const joinsWithinMs = 5 * 60_000;
/** Of one link, so many requests of an hour get a row. Further ones join the open alert without. */
const mostRowsAnHour = 60;
const hourMs = 3_600_000;

/**
 * Stores that a patient asks for a call, and returns when they asked, epoch milliseconds. None is ever refused or
 * delayed. One that comes while the alert of an earlier one is open, within 5 min of its last raise, joins it. The same
 * request again, after a lost response, is the one that is there. `how` is added to the audit. Rejects with 404
 * `link_unusable` if the patient was discharged meanwhile.
 */
async function requestCall(
  { store, alerts, metrics }: Pick<Server, 'store' | 'alerts' | 'metrics'>,
  now: EpochMs,
  actor: Actor,
  { link, patient }: OpenedLink,
  { clientId }: Pick<NewCallRequest, 'clientId'>,
  how: Record<string, string | boolean> = {},
): Promise<EpochMs> {
  const open = alerts
    .listOpen(patient.site_id)
    .find(({ patientId, alert }) => patientId === patient.id && alert.rule === callRequestedRule.rule)?.alert;
  const joins = open?.condition === 'active' && now - open.lastRaisedAt < joinsWithinMs;
  return await store.db.transaction().execute(async (transaction) => {
    if ((await holdPatient(transaction, patient.id)) !== 'active') {
      throw unusable();
    }
    const ofLink = transaction
      .selectFrom('check_in_calls')
      .select(['client_id', 'requested_at'])
      .where('link_id', '=', link.id);
    const known = await ofLink.where('client_id', '=', clientId).executeTakeFirst();
    if (known !== undefined) {
      return known.requested_at;
    }
    const recent = await ofLink
      .where('requested_at', '>', now - hourMs)
      .orderBy('requested_at', 'desc')
      .limit(mostRowsAnHour)
      .execute();
    const [newest] = recent;
    if (joins) {
      metrics.checkInBudget.inc({ what: 'call_joined' });
    }
    if (joins && newest !== undefined && recent.length === mostRowsAnHour) {
      return newest.requested_at;
    }
    await transaction
      .insertInto('check_in_calls')
      .values({
        site_id: patient.site_id,
        patient_id: patient.id,
        link_id: link.id,
        client_id: clientId,
        requested_at: now,
        joined: joins ? 1 : 0,
      })
      .execute();
    await auditDone(transaction, now, actor, 'request_call', ['patient', patient.id], {
      link: link.id,
      for: link.for,
      ...how,
      ...(joins ? { joined: true } : {}),
    });
    return now;
  });
}

/**
 * Passes a check-in with a red flag by a locked link, or with a wrong year of birth, on to the ward. With the right
 * year it is stored and raises its red flag. With another one someone who holds the link asks for help, and that is a
 * request for a call. The response says nothing of the patient, and of a locked link nothing of the year.
 */
async function sendHelp(
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
  const { emergency_number } = await siteRow(store.db, patient.site_id);
  return {
    redFlags: redFlagsOf(report.answers, report.redFlags),
    redReadings: [],
    advice: emergencyAdvice(emergency_number),
    nextDueAt: null,
    yearTriesLeft: triesLeft,
  };
}

/** How many secrets that open nothing one network may send in a minute. A ward's patients share none. */
const missesAMinute = 20;

/** Check-in from home: the links that staff make, and what patients send with one, without an account. */
export function checkInRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, auditView, env, now } = server;

  const present = async (row: LinkRow): Promise<CheckInLink> => {
    const [link] = await presentLinks(store.db, [row], now());
    if (link === undefined) {
      throw new Error('The link is not there');
    }
    return link;
  };

  on(app, 'listCheckInLinks', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'sendCheckInLinks', now()));
    await auditView(request, { action: 'read_check_in_links', patientId: patient.id });
    const rows = await listLinks(store.db, patient.id);
    const { out_of_hours_text: outOfHoursText } = await siteRow(store.db, patient.site_id);
    return { patientId: patient.id, items: await presentLinks(store.db, rows, now()), outOfHoursText };
  });

  on(app, 'createCheckInLink', async (request) => {
    const writer = writerOf(server, request, 'sendCheckInLinks');
    const patient = requireActivePatient(liveState, request.params.id, writer.scope);
    const { row, secret } = await createLink(writer, alerts, patient, request.body);
    // From now on check-ins are due at the times of the site.
    await alerts.reconsider(patient.id);
    return { link: await present(row), secret, address: `${linkOrigin(request, env)}${paths.checkIn}#${secret}` };
  });

  on(app, 'revokeCheckInLink', async (request) => {
    const row = await revokeLink(writerOf(server, request, 'sendCheckInLinks'), request.params.id);
    await alerts.reconsider(row.patient_id);
    return await present(row);
  });

  const mayMiss = createBudget(missesAMinute, now);

  const doors = { mayMiss, onLocked: ({ id }: { id: number }) => alerts.reconsider(id) };

  /** Opens the link of a call by `require`; its body holds the secret. Its session, if there is one, does not count. */
  const openedBy = async <Link extends OpenedLink>(
    request: FastifyRequest,
    body: { secret: string; yearOfBirth: number },
    require: (...given: Parameters<typeof requireLink>) => Promise<Link>,
  ): Promise<{ actor: Actor; opened: Link }> => {
    const anonymous: Actor = { ...actorOf(request), actor: 'anonymous', actorId: null, session: null };
    const opened = await require(server, anonymous, body, doors);
    return { opened, actor: { ...anonymous, siteId: opened.patient.site_id } };
  };

  on(app, 'openCheckIn', async (request) => {
    const { actor, opened } = await openedBy(request, request.body, requireLink);
    const isFirst = await noteOpened(server, now(), actor, opened, request.headers['user-agent']);
    if (isFirst) {
      // A locked link is news until another one of the same person opens.
      await alerts.reconsider(opened.patient.id);
    }
    return await presentOpened(server, opened, now());
  });

  on(app, 'sendCheckIn', async (request) => {
    const { answers, redFlags: ticked, readings: typed } = request.body;
    const redFlags = redFlagsOf(answers, ticked);
    const { actor, opened } = await openedBy<OpenedLink | HelpLink>(
      request,
      request.body,
      redFlags.length > 0 ? requireHelpLink : requireLink,
    );
    if ('isLocked' in opened && (opened.isLocked || !opened.isYearRight)) {
      return await sendHelp(server, now(), actor, opened, request.body);
    }
    const { patient } = opened;
    await takeReport(server, now(), actor, opened, request.body);
    // A discharge closes all alerts: what came just before it is on record, and no one is asked about it.
    if (liveState.patients.get(patient.id)?.state !== 'active') {
      throw unusable();
    }
    const { emergencyNumber, red, nextDueAt } = await presentOpened(server, opened, now());
    const redReadings = redReadingsOf(typed, red);
    const isRed = redFlags.length + redReadings.length > 0;
    return {
      redFlags,
      redReadings,
      advice: isRed ? emergencyAdvice(emergencyNumber) : null,
      nextDueAt,
      yearTriesLeft: null,
    };
  });

  on(app, 'requestCall', async (request) => {
    const { actor, opened } = await openedBy(request, request.body, requireHelpLink);
    const { isLocked, triesLeft: yearTriesLeft } = opened;
    const how: Record<string, true> = isLocked ? { locked: true } : yearTriesLeft === null ? {} : { wrongYear: true };
    const requestedAt = await requestCall(server, now(), actor, opened, request.body, how);
    await alerts.reconsider(opened.patient.id);
    return { requestedAt: toInstant(requestedAt), yearTriesLeft };
  });
}
