import type { FastifyRequest } from 'fastify';
import { isOfEquipment, parameters } from '../../lib/alerts/parameters';
import type { HistoryFilter } from '../../lib/alerts/historySchema';
import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { audit } from '../audit';
import { actorOf } from '../audit/actor';
import { sessionOf } from '../http/access';
import { createBudget } from '../http/budget';
import { HttpError } from '../http/httpError';
import { on } from '../http/on';
import { openedUntil } from '../http/scope';
import { sendCsv } from '../http/sendCsv';
import { createAlarmBudgets } from './alarmBudget';
import { isShown, placeOf, presentHistory, spanOf, visibleRows, type HistoryPlace, type HistoryRow } from './history';
import { budgetCsv, historyCsv } from './historyCsv';
import { alertsInReach } from './listAlerts';

/** A file has every alert of three months: more a minute is no reader. */
const filesPerMinute = 10;

/** The history of alerts and the alarm budget: in pages, in numbers, and as files. */
export function alertHistoryRoutes(app: App, server: Server): void {
  const { store, auditView, now } = server;
  const readBudget = createAlarmBudgets(server);
  const mayExport = createBudget(filesPerMinute, now);
  const dayOfFile = (): string => toInstant(now()).slice(0, 10);

  on(app, 'listAlertHistory', async (request) => {
    const { before, pageSize, from, to, unitId, ...filter } = request.query;
    const span = spanOf({ from, to }, now());
    const shown = visible(request, unitId);
    const rows: HistoryRow[] = [];
    const { siteId } = sessionOf(request).user;
    for await (const part of visibleRows(server, siteId, { ...filter, ...span }, shown, parsePlace(before))) {
      rows.push(...part);
      if (rows.length > pageSize) {
        break;
      }
    }
    const ofPage = rows.slice(0, pageSize);
    await auditHistory(
      request,
      filter.patientId ?? null,
      ofPage.flatMap(({ patient_id }) => patient_id ?? []),
    );
    const last = ofPage.at(-1);
    const place = last === undefined ? null : placeOf(last);
    return {
      items: await presentHistory(server, request, ofPage),
      next: rows.length > pageSize && place !== null ? `${place.raisedAt}-${place.alertId}` : null,
      from: toInstant(span.from),
      to: toInstant(span.to),
    };
  });

  on(app, 'listAlertHistoryPeople', async (request) => {
    const { siteId, type } = sessionOf(request).user;
    // Who answered the alerts of patients is no business of one who mends devices (clinical.md section 9).
    const known = type === 'technician' ? parameters.filter(isOfEquipment) : parameters;
    const rows = await store.db
      .selectFrom('users')
      .select(['id', 'fname', 'lname'])
      .where('site_id', '=', siteId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('alert_actors')
            .innerJoin('alert_history', 'alert_history.alert_id', 'alert_actors.alert_id')
            .select('alert_actors.alert_id')
            .whereRef('alert_actors.user_id', '=', 'users.id')
            .where('alert_history.parameter', 'in', known),
        ),
      )
      .orderBy('lname')
      .orderBy('fname')
      .orderBy('id')
      .execute();
    return { items: rows.map(({ id, fname, lname }) => ({ id, name: `${fname} ${lname}` })) };
  });

  on(app, 'exportAlertHistory', async (request, reply) => {
    const { from, to, unitId, ...filter } = request.query;
    const span = spanOf({ from, to }, now());
    await auditExport(request, 'history', request.query);
    const { siteId } = sessionOf(request).user;
    const lines = historyCsv(server, request, siteId, { ...filter, ...span }, visible(request, unitId));
    return await sendCsv(reply, `alerts-${dayOfFile()}`, lines);
  });

  on(app, 'readAlarmBudget', async (request) => {
    const budget = await readBudget(request, request.query);
    await auditHistory(
      request,
      null,
      budget.noisiestPatients.map(({ patientId }) => patientId),
    );
    return budget;
  });

  on(app, 'exportAlarmBudget', async (request, reply) => {
    await auditExport(request, 'budget', request.query);
    return await sendCsv(reply, `alarm-budget-${dayOfFile()}`, [budgetCsv(await readBudget(request, request.query))]);
  });

  function visible(request: FastifyRequest, unitId: HistoryFilter['unitId']): (row: HistoryRow) => boolean {
    return isShown(server, alertsInReach(server, request, 'readAlerts'), unitId);
  }

  /** The history of one patient is a view of that patient, also if it has no alert. */
  async function auditHistory(
    request: FastifyRequest,
    patientId: number | null,
    patientIds: readonly number[],
  ): Promise<void> {
    const { siteId } = sessionOf(request).user;
    const subject = { siteId, patientId, deviceId: null, alert: { parameter: 'sensor' } } as const;
    if (patientId === null) {
      await auditView(request, { action: 'list_alert_history', patientIds });
    } else if (alertsInReach(server, request, 'readAlerts')(subject)) {
      await auditView(request, { action: 'read_alert_history', patientId });
    }
  }

  /**
   * Every file is recorded. Rejects with 403 during an emergency access, which is for looking at a patient, and with
   * 429 if someone asks for one file after the other.
   */
  async function auditExport(request: FastifyRequest, what: string, query: object): Promise<void> {
    if (openedUntil(sessionOf(request), now()) !== null) {
      throw new HttpError(403, 'emergency_access', 'Emergency access allows reading and acknowledging, nothing else.');
    }
    if (!mayExport(String(sessionOf(request).user.id))) {
      throw new HttpError(429, 'too_many_requests', 'Too many files in a minute. Try again later.', { retryAfter: 60 });
    }
    await audit(store.db, now(), actorOf(request), {
      action: 'export_alerts',
      outcome: 'done',
      details: { what, filters: Object.keys(query) },
      ...('patientId' in query && typeof query.patientId === 'number'
        ? { objectType: 'patient' as const, objectId: query.patientId }
        : {}),
    });
  }
}

function parsePlace(before: string | undefined): HistoryPlace | null {
  const [raisedAt, alertId] = (before ?? '').split('-').map(Number);
  return raisedAt === undefined || alertId === undefined ? null : { raisedAt, alertId };
}
