import type { FastifyRequest } from 'fastify';
import type { SenderBed } from '../../lib/mappings/schema';
import { can } from '../../lib/session/can';
import { toInstant } from '../../lib/time/schema';
import { actorOf } from '../audit/actor';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import type { App, Server } from '../server';
import type { Session } from '../session/session';
import { readNames } from '../users/readNames';
import { confirmBedMapping, endBedMapping, proposeBedMapping } from './commands';

/** What the beds of HL7 senders are, in the site of the user. */
export function mappingRoutes(app: App, { store, liveState, beds, hl7, now }: Server): void {
  const list = async ({ user }: Session) => {
    const mappings = beds.ofSite(user.siteId);
    const people = mappings.flatMap(({ proposed_by, confirmed_by }) => [proposed_by, confirmed_by]);
    const nameOf = await readNames(
      store.db,
      people.filter((id) => id !== null),
    );
    const items = hl7.senders.ofSite(user.siteId).flatMap(({ id, name }): SenderBed[] => {
      const { unknownBeds } = hl7.senders.stateOf(id);
      const ofSender = mappings.filter(({ sender_id }) => sender_id === id);
      const names = new Set([...ofSender.map(({ sender_bed }) => sender_bed), ...unknownBeds.keys()]);
      return [...names].sort().map((bed) => {
        const row = ofSender.find(({ sender_bed }) => sender_bed === bed);
        return {
          senderId: id,
          sender: name,
          bed,
          unmapped: unknownBeds.get(bed) ?? 0,
          mapping:
            row === undefined
              ? null
              : {
                  id: row.id,
                  unit: liveState.unitNameOf(row) ?? '',
                  bed: row.bed,
                  proposed: { by: nameOf(row.proposed_by), at: toInstant(row.proposed_at) },
                  confirmed:
                    row.confirmed_at === null || row.confirmed_by === null
                      ? null
                      : { by: nameOf(row.confirmed_by), at: toInstant(row.confirmed_at) },
                  canConfirm: row.confirmed_at === null && row.proposed_by !== user.id && can(user, 'confirmMappings'),
                },
        };
      });
    });
    return { items, total: items.length };
  };

  on(app, 'listMappings', async (request) => {
    requireScope(request, 'readMappings', now());
    return await list(sessionOf(request));
  });

  on(app, 'proposeBedMapping', async (request) => {
    const { siteId } = requireScope(request, 'proposeMappings', now());
    const session = sessionOf(request);
    const decider = { siteId, userId: session.user.id };
    beds.put(await proposeBedMapping(store, now(), actorOf(request), decider, request.body));
    return await list(session);
  });

  on(app, 'confirmBedMapping', async (request) => {
    const { siteId } = requireScope(request, 'confirmMappings', now());
    const session = sessionOf(request);
    const decider = { siteId, userId: session.user.id };
    beds.put(await confirmBedMapping(store, now(), actorOf(request), decider, request.params.id));
    return await list(session);
  });

  const end = async (request: FastifyRequest, siteId: number, how: { id: number; wasWrong: boolean }) => {
    const session = sessionOf(request);
    const decider = { siteId, userId: session.user.id };
    beds.put(await endBedMapping(store, now(), actorOf(request), decider, how));
    return await list(session);
  };

  on(app, 'endBedMapping', async (request) => {
    const { siteId } = requireScope(request, 'readMappings', now());
    return await end(request, siteId, { id: request.params.id, wasWrong: false });
  });

  on(app, 'undoBedMapping', async (request) => {
    const { siteId } = requireScope(request, 'confirmMappings', now());
    return await end(request, siteId, { id: request.params.id, wasWrong: true });
  });
}
