import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import {
  accept,
  acknowledge,
  answerContact,
  pauseAudio,
  reassign,
  reject,
  resolve,
  settleSource,
  take,
  type ActionFault,
} from '../../lib/alerts/actions';
import type { Alert, AlertChange, AlertEvent } from '../../lib/alerts/alert';
import { conflictWords } from '../../lib/alerts/conflictWords';
import { onVersion } from '../../lib/alerts/onVersion';
import type { AlertConflict, AlertItem } from '../../lib/alerts/schema';
import type { AuditAction } from '../../lib/audit/actions';
import type { Permission } from '../../lib/session/permissions';
import type { EpochMs } from '../../lib/time/epochMs';
import type { App, Server } from '../server';
import { shiftOf } from '../assignments/shiftOf';
import { auditDone } from '../audit';
import { actorOf } from '../audit/actor';
import type { Database } from '../db/schema';
import { sessionOf } from '../http/access';
import { HttpError, notFound } from '../http/httpError';
import { on } from '../http/on';
import type { AlertRecord } from './alertWrites';
import type { Done, Handled } from './handleActions';
import { knownAlert } from './knownAlert';
import { endReportAlarms } from '../reports/endReportAlarms';
import { choicesOf, presentAlerts, readLastAct } from './queries';
import { unitOfReports } from './reportSubject';
import { sourceName } from '../vitals/shownSource';

/** The audit's action for each line that a user writes into the log of an alert. */
const auditedAs: Partial<Record<AlertEvent['is'], AuditAction>> = {
  acknowledged: 'acknowledge_alert',
  accepted: 'accept_alert',
  rejected: 'reject_alert',
  contact_answered: 'answer_contact',
  acknowledgement_withdrawn: 'withdraw_acknowledgement',
  acceptance_withdrawn: 'withdraw_acceptance',
  reassigned: 'reassign_alert',
  audio_paused: 'pause_alert_audio',
  settled: 'settle_source',
  resolved: 'resolve_alert',
};

/** An action, and the permission that it needs. `is`: the same again by the same user succeeds and changes nothing. */
interface Act {
  permission: Permission;
  is: Parameters<typeof onVersion>[1]['is'];
  /** `unitId` is the alert's unit now; null: none. */
  change: (alert: Alert, by: number, at: EpochMs, unitId: number | null) => AlertChange | ActionFault;
}

/** What users do with alerts. Each action carries the version of the alert that its user saw. */
export function alertActionRoutes(app: App, server: Server): void {
  const { store, liveState, alerts, auditView, now } = server;

  /** Runs a user's action on alerts, all or none, with its audit in the same transaction, and returns them after it. */
  const carryOut = async (
    request: FastifyRequest,
    given: readonly { id: number; version: number }[],
    { permission, is, change }: Act,
  ): Promise<AlertItem[]> => {
    const known = new Map<number, AlertRecord>();
    for (const { id } of given) {
      known.set(id, await knownAlert(server, request, id, permission));
    }
    const by = sessionOf(request).user.id;
    const handled = await alerts.handle(
      given.map(({ id, version }) => ({
        id,
        action: (alert, at) =>
          onVersion(alert, { version, by, is }, at, () => change(alert, by, at, unitOf(known.get(id)))),
      })),
      auditOf(request),
    );
    return await presented(request, handled, known);
  };

  /** Returns the unit of an alert now; null: none. */
  const unitOf = (record: AlertRecord | undefined): number | null =>
    record === undefined || record.patientId === null
      ? unitOfReports(record?.deviceId ?? null)
      : (liveState.patients.get(record.patientId)?.unit_id ?? null);

  const auditOf =
    (request: FastifyRequest) =>
    async (transaction: Kysely<Database>, done: readonly Done[]): Promise<void> => {
      for (const { id, events } of done) {
        const record = alerts.find(id);
        if (record?.alert.parameter === 'report' && events.some(({ is }) => is === 'resolved')) {
          const place = { siteId: record.siteId, unitId: unitOfReports(record.deviceId) };
          await endReportAlarms(transaction, place, sessionOf(request).user.id, now());
        }
        for (const { is } of events) {
          const action = auditedAs[is];
          if (action !== undefined) {
            await auditDone(transaction, now(), actorOf(request), action, ['alert', id]);
          }
        }
      }
    };

  /** Resolves with alerts as the caller sees them. Rejects with the alert that has changed. */
  const presented = async (
    request: FastifyRequest,
    handled: Handled,
    known: ReadonlyMap<number, AlertRecord>,
  ): Promise<AlertItem[]> => {
    const { user } = sessionOf(request);
    if ('records' in handled) {
      return await presentAlerts(server, handled.records, user, now());
    }
    const { id, fault } = handled.refused;
    const record = alerts.find(id) ?? known.get(id);
    const [alert] = record === undefined ? [] : await presentAlerts(server, [record], user, now());
    if (alert === undefined) {
      throw notFound();
    }
    await auditView(request, { action: 'list_alerts', patientIds: alert.patientId === null ? [] : [alert.patientId] });
    const lastAct = await readLastAct(store.db, id, user);
    throw errorOf(fault ?? 'alert_closed', { alert, lastAct });
  };

  /** Does the same with one alert. */
  const carryOutOne = async (
    request: FastifyRequest & { params: { id: number }; body: { version: number } },
    act: Act,
  ): Promise<AlertItem> => {
    const given = { id: request.params.id, version: request.body.version };
    return first(await carryOut(request, [given], act));
  };

  /** Does the same with what is another act each time. */
  const handleOne = (request: Parameters<typeof carryOutOne>[0], change: Act['change']): Promise<AlertItem> =>
    carryOutOne(request, { permission: 'handleAlerts', is: null, change });

  on(app, 'acknowledgeAlert', (request) =>
    carryOutOne(request, { permission: 'acknowledgeAlerts', is: 'acknowledged', change: acknowledge }),
  );

  on(app, 'acceptAlert', (request) =>
    carryOutOne(request, {
      permission: 'handleAlerts',
      is: 'accepted',
      change: (alert, by, at, unitId) => accept(alert, by, unitId, at),
    }),
  );

  on(app, 'takeAlerts', async (request) => {
    const { alerts: given, comment, takeOver } = request.body;
    return {
      items: await carryOut(request, given, {
        permission: 'handleAlerts',
        is: 'taken',
        change: (alert, by, at, unitId) => take(alert, by, { unitId, comment, takeOver }, at),
      }),
    };
  });

  on(app, 'undoAlertAction', async (request) => {
    const { id } = request.params;
    const record = await knownAlert(server, request, id, 'acknowledgeAlerts');
    const what = { id, userId: sessionOf(request).user.id, eventId: request.body.eventId };
    const handled = await alerts.undo(what, auditOf(request));
    return first(await presented(request, handled, new Map([[id, record]])));
  });

  on(app, 'reassignAlert', async (request) => {
    const { userId } = request.body;
    const record = await knownAlert(server, request, request.params.id, 'handleAlerts');
    const isOnDuty = alerts.candidates(record).some(({ id }) => id === userId);
    return await handleOne(request, (alert, by, at) =>
      isOnDuty ? reassign(alert, by, userId, at) : 'cannot_be_asked',
    );
  });

  on(app, 'rejectAlert', (request) =>
    handleOne(request, (alert, by, at) => reject(alert, by, request.body.reason, at)),
  );

  on(app, 'answerContact', (request) =>
    handleOne(request, (alert, by, at) => answerContact(alert, by, request.body, at)),
  );

  on(app, 'pauseAlertAudio', (request) =>
    handleOne(request, (alert, by, at) => pauseAudio(alert, by, request.body.seconds * 1_000, at)),
  );

  on(app, 'settleAlertSource', (request) => {
    const { deviceId, reason } = request.body;
    return carryOutOne(request, {
      permission: 'handleAlerts',
      is: ({ settled }) => (settled?.counts ?? 0) === deviceId,
      change: (alert, by, at) => {
        const found = choicesOf(server, alerts.find(request.params.id), at).find(({ counts }) => counts === deviceId);
        const { end: until } = shiftOf(sessionOf(request).user.site, 'current', at);
        const choice = found && { ...found, source: sourceName(liveState, deviceId), until };
        return deviceId === (choice?.counts ?? 0) ? settleSource(alert, by, choice, reason, at) : 'source_uncertain';
      },
    });
  });

  on(app, 'resolveAlert', (request) => {
    const { outcome, note } = request.body;
    return handleOne(request, (alert, by, at) => resolve(alert, by, { is: outcome, note }, at));
  });
}

function first([item]: readonly AlertItem[]): AlertItem {
  if (item === undefined) {
    throw notFound();
  }
  return item;
}

function errorOf(code: ActionFault, conflict: AlertConflict): HttpError {
  const conflicting = (message: string): HttpError => new HttpError(409, code, message, { conflict });
  switch (code) {
    case 'alert_changed':
    case 'alert_closed':
    case 'accepted_by_somebody_else':
      return conflicting(conflictWords(code, conflict));
    case 'cannot_be_asked':
      return conflicting('This user cannot be asked. They are not on duty for this patient, or have it already.');
    case 'source_uncertain':
      return conflicting(
        'You can choose only one of two monitors that disagree, and only while its values are reliable.',
      );
    case 'undo_too_late':
      return conflicting('It is too late to take this back.');
    case 'undo_by_somebody_else':
      return new HttpError(403, 'forbidden', 'Only the user who did it can take it back.');
    case 'pause_too_long':
      return new HttpError(422, 'invalid', 'The sound cannot be paused for so long.', {
        fields: { seconds: 'is longer than 120' },
      });
    default:
      return code satisfies never;
  }
}
