import type { FastifyRequest } from 'fastify';
import type { EpochMs } from '../../lib/time/epochMs';
import { createViewLog, type AuditEvent, type View } from '../audit';
import { sessionOf } from '../http/access';
import { createBudget } from '../http/budget';
import { tooManyRequests } from '../http/httpError';
import { openedUntil } from '../http/scope';
import type { Server } from '../server';
import { actorOf } from './actor';
import { createSearchLog, mostIds, type SearchLog } from './searchLog';

/**
 * The most rows of views that one session writes in a minute. A page with ten patients writes about a hundred when it
 * opens; rows cannot be deleted, so a program that asks for ever new views must not fill the audit.
 */
const rowsAMinute = 600;

export interface ViewAudit {
  /** See `Server.auditView`. Rejects with 429 if the user opened more views in a minute than any person can. */
  auditView: Server['auditView'];
  flushSearches: SearchLog['flush'];
}

/** Creates what puts views of patient data on record: each once in 15 minutes, searches once a minute. */
export function createViewAudit({ lateRows, now, elapsed }: Pick<Server, 'lateRows' | 'now' | 'elapsed'>): ViewAudit {
  const viewLog = createViewLog(elapsed);
  const mayWrite = createBudget(rowsAMinute, elapsed);
  const searches = createSearchLog(elapsed, (actor, details) => {
    const event = { action: 'search_patients', outcome: 'done', details: { ...details } } as const;
    return lateRows.write({ at: now(), actor, event });
  });

  const writeView = async (request: FastifyRequest, view: View, unseen: readonly number[]): Promise<void> => {
    const { token, isOpened } = openingOf(request);
    if (view.action === 'search_patients') {
      const search = { filters: view.filters, patientIds: view.shownIds, isOpened };
      await searches.note(`${token} ${String(isOpened)}`, actorOf(request), search);
      return;
    }
    if (!mayWrite(String(sessionOf(request).user.id))) {
      throw tooManyRequests('Too many pages were opened in a minute. Try again.');
    }
    const details = { ...detailsOf(view, unseen), ...(isOpened ? { breakGlass: true } : {}) };
    const event: AuditEvent = {
      action: view.action,
      outcome: 'done',
      ...subjectOf(view, unseen),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    };
    await lateRows.write({ at: now(), actor: actorOf(request), event });
  };

  const openingOf = (request: FastifyRequest): { token: string; until: EpochMs | null; isOpened: boolean } => {
    const session = sessionOf(request);
    const until = openedUntil(session, now());
    return { token: session.token, until, isOpened: until !== null };
  };

  return {
    auditView: (request, view) => {
      const { token, until } = openingOf(request);
      // A view under emergency access is a view of its own, even of a patient whom the user had seen before.
      return viewLog(`${token} ${until ?? ''}`, view, (unseen) => writeView(request, view, unseen));
    },
    flushSearches: searches.flush,
  };
}

/** Returns what a view is about, also the patient who is the only one of a list not on record yet. */
function subjectOf(view: View, unseen: readonly number[]): Pick<AuditEvent, 'objectType' | 'objectId'> {
  if ('about' in view && view.about !== undefined) {
    return view.about;
  }
  const [first, ...others] = unseen;
  const patientId = 'patientId' in view ? view.patientId : others.length === 0 ? (first ?? null) : null;
  return patientId === null ? {} : { objectType: 'patient', objectId: patientId };
}

function detailsOf(
  view: Exclude<View, { action: 'search_patients' }>,
  unseen: readonly number[],
): AuditEvent['details'] {
  if ('patientIds' in view) {
    return { count: unseen.length, ...(unseen.length > 1 ? { patientIds: unseen.slice(0, mostIds) } : {}) };
  }
  if ('queryKey' in view) {
    return view.details ?? {};
  }
  return 'reportId' in view ? { reportId: view.reportId } : {};
}

/** Returns the first ids of patients, as the details of a list keep them. */
export function idsOf(patients: readonly { id: number }[]): number[] {
  return patients.slice(0, mostIds).map(({ id }) => id);
}
