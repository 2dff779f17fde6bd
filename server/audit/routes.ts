import type { AuditFilter } from '../../lib/audit/schema';
import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { auditDone, type AuditEvent } from '../audit';
import { sessionOf } from '../http/access';
import { on } from '../http/on';
import { sendCsv } from '../http/sendCsv';
import { actorOf } from './actor';
import { exportAudit } from './exportAudit';
import { auditReachOf, listAudit, listAuditPeople, type AuditPlace } from './queries';

/** The audit log: in pages, and as a file. */
export function auditRoutes(app: App, { store, now, auditView }: Server): void {
  on(app, 'listAudit', async (request) => {
    const { before, pageSize, ...filter } = request.query;
    const page = await listAudit(store.db, auditReachOf(sessionOf(request), now()), filter, placeOf(before), pageSize);
    // Its pages are one view: each row that a page turn wrote would move the pages on.
    await auditView(request, { action: 'read_audit', queryKey: JSON.stringify(filter), details: detailsOf(filter) });
    return page;
  });

  on(app, 'listAuditPeople', (request) => listAuditPeople(store.db, auditReachOf(sessionOf(request), now())));

  on(app, 'exportAudit', async (request, reply) => {
    const reach = auditReachOf(sessionOf(request), now());
    await auditDone(store.db, now(), actorOf(request), 'export_audit', null, detailsOf(request.query));
    const day = toInstant(now()).slice(0, 10);
    return await sendCsv(reply, `audit-${day}`, exportAudit(store.slowDb, reach, request.query));
  });
}

/** Returns what the row of a view keeps of its filter: the names, and no times. */
function detailsOf(filter: AuditFilter): AuditEvent['details'] {
  return { filters: Object.keys(filter) };
}

function placeOf(before: string | undefined): AuditPlace | null {
  const [at, id] = (before ?? '').split('-').map(Number);
  return at === undefined || id === undefined ? null : { at, id };
}
