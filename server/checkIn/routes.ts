import type { FastifyRequest } from 'fastify';
import { redReadingsOf } from '../../lib/checkIn/redReadingsOf';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { emergencyAdvice } from '../../lib/symptoms/emergencyAdvice';
import { paths } from '../../lib/paths';
import { toInstant } from '../../lib/time/schema';
import { actorOf, type Actor } from '../audit/actor';
import { requireScope, sessionOf } from '../http/access';
import { createBudget } from '../http/budget';
import { linkOrigin } from '../http/linkOrigin';
import { on } from '../http/on';
import { requireActivePatient, requirePatient } from '../patients/requirePatient';
import type { App, Server } from '../server';
import { createLink, listLinks, presentLinks, revokeLink } from './links';
import { noteOpened, presentOpened } from './openLink';
import { requestCall } from './requestCall';
import { requireHelpLink, requireLink, unusable, type HelpLink, type OpenedLink } from './requireLink';
import { sendHelp } from './sendHelp';
import { takeReport } from './sendReport';

/** How many secrets that open nothing one network may send in a minute. A ward's patients share none. */
const missesAMinute = 20;

/** Check-in from home: the links that staff make, and what patients send with one, without an account. */
export function checkInRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, auditView, env, now } = server;

  on(app, 'listCheckInLinks', async (request) => {
    const patient = requirePatient(liveState, request.params.id, requireScope(request, 'sendCheckInLinks', now()));
    await auditView(request, { action: 'read_check_in_links', patientId: patient.id });
    const rows = await listLinks(store.db, patient.id);
    const { out_of_hours_text: outOfHoursText } = await store.db
      .selectFrom('sites')
      .select('out_of_hours_text')
      .where('id', '=', patient.site_id)
      .executeTakeFirstOrThrow();
    return { patientId: patient.id, items: await presentLinks(store.db, rows, now()), outOfHoursText };
  });

  on(app, 'createCheckInLink', async (request) => {
    const scope = requireScope(request, 'sendCheckInLinks', now());
    const patient = requireActivePatient(liveState, request.params.id, scope);
    const { id: userId } = sessionOf(request).user;
    const { row, secret } = await createLink(server, now(), actorOf(request), userId, patient, request.body);
    // From now on check-ins are due at the times of the site.
    await alerts.reconsider(patient.id);
    const [link] = await presentLinks(store.db, [row], now());
    if (link === undefined) {
      throw new Error('The link is not there');
    }
    return { link, secret, address: `${linkOrigin(request, env)}${paths.checkIn}#${secret}` };
  });

  on(app, 'revokeCheckInLink', async (request) => {
    const scope = requireScope(request, 'sendCheckInLinks', now());
    const row = await revokeLink(server, now(), actorOf(request), scope, request.params.id);
    await alerts.reconsider(row.patient_id);
    const [link] = await presentLinks(store.db, [row], now());
    if (link === undefined) {
      throw new Error('The link is not there');
    }
    return link;
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
