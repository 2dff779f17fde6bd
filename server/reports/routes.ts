import type { FastifyRequest } from 'fastify';
import type { IssueReport } from '../../lib/reports/schema';
import { compareText } from '../../lib/sortOrder';
import { actorOf } from '../audit/actor';
import { sessionOf } from '../http/access';
import { on } from '../http/on';
import { scopeOf } from '../http/scope';
import type { App, Server } from '../server';
import { reachOf } from '../../lib/session/permissions';
import { changeReport, commentReport } from './changeReport';
import { fileReport } from './fileReport';
import { findReport, type ReportReader, type ReportRow, type ReportWriter } from './findReport';
import { presentReport, presentReports } from './presentReports';
import { markReportRead, readReportNews, readReportPage } from './queries';
import { readAssignees } from './readAssignees';

/** Issue reports: what went wrong, who looks into it, and what came of it. */
export function reportRoutes(app: App, { store, liveState, alerts, now, auditView }: Server): void {
  const readerOf = (request: FastifyRequest): ReportReader => {
    const session = sessionOf(request);
    return {
      liveState,
      user: session.user,
      notes: scopeOf(session, 'readNotes', now()),
      patients: scopeOf(session, 'readPatients', now()),
    };
  };
  const writerOf = (request: FastifyRequest): ReportWriter => ({
    ...readerOf(request),
    store,
    now: now(),
    actor: actorOf(request),
  });
  /** Resolves with a changed report: an alert that it begins or ends has done so before, or does with the next tick. */
  const changed = async (request: FastifyRequest, row: ReportRow): Promise<IssueReport> => {
    if (row.alarm_at !== null) {
      await alerts.reportsChanged();
    }
    return await presentReport(store.db, alerts, readerOf(request), row);
  };

  on(app, 'listReports', async (request) => {
    const reader = readerOf(request);
    const { user } = reader;
    const { rows, total } = await readReportPage(store.db, reader, request.query);
    const items = await presentReports(store.db, alerts, reader, rows);
    await auditView(request, {
      action: 'list_reports',
      patientIds: items.flatMap(({ patient }) => patient?.identity?.id ?? []),
    });
    return {
      items,
      total,
      units: [...liveState.units.values()]
        .filter(({ site_id }) => site_id === user.siteId)
        .map(({ id, name }) => ({ id, name }))
        .sort((a, b) => compareText(a.name, b.name)),
      assignees: reachOf(user, 'manageReports') === null ? [] : await readAssignees(store.db, user.siteId),
    };
  });

  on(app, 'readReportNews', async (request) => {
    const { patientIds, ...news } = await readReportNews(store.db, readerOf(request));
    await auditView(request, { action: 'list_reports', patientIds });
    return news;
  });

  on(app, 'fileReport', async (request) => {
    const devices = scopeOf(sessionOf(request), 'readDevices', now());
    return await changed(request, await fileReport(writerOf(request), request.body, devices));
  });

  on(app, 'readReport', async (request) => {
    const reader = readerOf(request);
    const row = await findReport(reader, store.db, request.params.id);
    const report = await presentReport(store.db, alerts, reader, row);
    const patientId = report.patient?.identity?.id ?? null;
    await auditView(request, { action: 'open_report', reportId: row.id, patientId });
    return report;
  });

  on(app, 'changeReport', async (request) =>
    changed(request, await changeReport(writerOf(request), request.params.id, request.body)),
  );

  on(app, 'commentReport', async (request) =>
    presentReport(
      store.db,
      alerts,
      readerOf(request),
      await commentReport(writerOf(request), request.params.id, request.body),
    ),
  );

  on(app, 'markReportRead', async (request) => {
    const row = await findReport(readerOf(request), store.db, request.params.id);
    if (row.author_id === sessionOf(request).user.id) {
      await markReportRead(store.db, row, request.body.version);
    }
  });
}
