import { toInstant } from '../../lib/time/schema';
import type { App, Server } from '../server';
import { audit } from '../audit';
import { sessionOf } from '../http/access';
import { on } from '../http/on';
import { sendCsv } from '../http/sendCsv';
import { actorOf } from './actor';
import { exportAudit } from './exportAudit';
import { auditReachOf, listAudit, listAuditPeople, type AuditPlace } from './queries';

/** The audit log: in pages, and as a file. */
export function auditRoutes(app: App, { store, now }: Server): void {
  on(app, 'listAudit', (request) => {
    const { before, pageSize, ...filter } = request.query;
    return listAudit(store.db, auditReachOf(sessionOf(request).user), filter, placeOf(before), pageSize);
  });

  on(app, 'listAuditPeople', (request) => listAuditPeople(store.db, auditReachOf(sessionOf(request).user)));

  on(app, 'exportAudit', async (request, reply) => {
    const reach = auditReachOf(sessionOf(request).user);
    await audit(store.db, now(), actorOf(request), {
      action: 'export_audit',
      outcome: 'done',
      details: { filters: Object.keys(request.query) },
    });
    const day = toInstant(now()).slice(0, 10);
    return await sendCsv(reply, `audit-${day}`, exportAudit(store.slowDb, reach, request.query));
  });
}

function placeOf(before: string | undefined): AuditPlace | null {
  const [at, id] = (before ?? '').split('-').map(Number);
  return at === undefined || id === undefined ? null : { at, id };
}
