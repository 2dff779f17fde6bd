import type { FastifyRequest } from 'fastify';
import { isBuiltIn, isSomeTemperature, type Code } from '../../lib/hl7/codes';
import type { MappingsResponse, SenderBed, SenderCode, ShownValues } from '../../lib/mappings/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { earlierIn } from '../hl7/replay';
import type { LiveState } from '../liveState';
import { byOf, type By } from '../proposals/proposals';
import type { App, Server } from '../server';
import type { Session } from '../session/session';
import { isInvalid } from '../vitals/qualityCode';

/** What the beds and codes of HL7 senders are, in the site of the user. */
export function mappingRoutes(app: App, server: Server): void {
  const { store, liveState, beds, codes, hl7, hl7Replay, auditView, now } = server;
  const list = async ({ user }: Session): Promise<MappingsResponse> => {
    const ofBeds = await beds.list(user, now());
    const ofCodes = await codes.list(user, now());
    const senders = hl7.senders.ofSite(user.siteId);
    const items = senders.flatMap(({ id, name }): SenderBed[] => {
      const { unknownBeds } = hl7.senders.stateOf(id);
      const ofSender = ofBeds(id);
      return [...new Set([...ofSender.keys(), ...unknownBeds.keys()])].sort().map((bed) => {
        const found = ofSender.get(bed);
        return {
          ...{ senderId: id, sender: name, bed, unmapped: unknownBeds.get(bed) ?? 0 },
          mapping:
            found === undefined
              ? null
              : {
                  ...{ ...found.mapping, bed: found.wanted.bed },
                  unit: liveState.unitNameOf({ unit_id: found.wanted.unitId }) ?? '',
                },
        };
      });
    });
    const listedCodes = senders.flatMap(({ id, name }): SenderCode[] => {
      const { unmapped } = hl7.senders.stateOf(id);
      const ofSender = ofCodes(id);
      const sent = new Map<string, Code>([
        ...[...ofSender].map(([key, { wanted }]) => [key, wanted.code] as const),
        ...[...unmapped].map(([key, { code }]) => [key, code] as const),
      ]);
      return [...sent]
        .filter(([key, code]) => !isBuiltIn(code) && (!isSomeTemperature(code) || ofSender.has(key)))
        .map(([key, code]) => {
          const [found, heard] = [ofSender.get(key), unmapped.get(key)];
          return {
            ...{ senderId: id, sender: name, code, unmapped: heard?.count ?? 0, last: [...(heard?.last ?? [])] },
            mapping:
              found === undefined
                ? null
                : {
                    ...{ ...found.mapping, kind: found.wanted.kind, isUnitless: found.wanted.isUnitless },
                    earlier: found.row === null ? null : earlierIn(found.row, hl7Replay),
                  },
          };
        })
        .sort((a, b) => b.unmapped - a.unmapped);
    });
    return { items, total: items.length, codes: listedCodes, shown: shownOf(liveState, user.siteId, now()) };
  };

  on(app, 'listMappings', async (request) => {
    requireScope(request, 'readMappings', now());
    await auditView(request, { action: 'read_mappings', queryKey: '' });
    return await list(sessionOf(request));
  });

  /** Lets a user decide, and responds with all mappings as they are then. */
  const decided = async (request: FastifyRequest, work: (by: By) => Promise<unknown>): Promise<MappingsResponse> => {
    await work(byOf(request, now()));
    return await list(sessionOf(request));
  };
  const decide = async (by: By, id: number, approves: boolean): Promise<void> => {
    const row = await store.db.selectFrom('proposals').select('kind').where('id', '=', id).executeTakeFirst();
    await (row?.kind === 'code_mapping' ? codes : beds).decide(by, id, approves);
  };

  on(app, 'proposeBedMapping', (request) => decided(request, (by) => beds.propose(by, request.body)));
  on(app, 'proposeCodeMapping', (request) => decided(request, (by) => codes.propose(by, request.body)));
  on(app, 'confirmMapping', (request) => decided(request, (by) => decide(by, request.params.id, true)));
  on(app, 'rejectMapping', (request) => decided(request, (by) => decide(by, request.params.id, false)));
  on(app, 'endBedMapping', (request) => decided(request, (by) => beds.end(by, request.params.id, false)));
  on(app, 'undoBedMapping', (request) => decided(request, (by) => beds.end(by, request.params.id, true)));
  on(app, 'endCodeMapping', (request) => decided(request, (by) => codes.end(by, request.params.id, false)));
  on(app, 'undoCodeMapping', (request) => decided(request, (by) => codes.end(by, request.params.id, true)));
}

/** A value that arrived longer ago, in milliseconds, is compared with nothing. */
const shownForMs = 5 * 60_000;

/** Returns what each kind shows now in a site: the newest values, of no one in particular. */
function shownOf(liveState: LiveState, siteId: number, now: EpochMs): MappingsResponse['shown'] {
  const patients = [...liveState.patients.values()].filter(({ site_id }) => site_id === siteId);
  const shown: Partial<Record<VitalKind, ShownValues>> = {};
  for (const name of vitalKinds) {
    const values = patients
      .flatMap(({ id }) => liveState.latestOf(id).get(kinds[name].code) ?? [])
      .filter(({ sample }) => !isInvalid(sample.quality) && now - sample.receivedAt <= shownForMs)
      .map(({ sample }) => sample.value)
      .sort((a, b) => a - b);
    const [min, middle, max] = [values[0], values[Math.floor(values.length / 2)], values.at(-1)];
    if (min !== undefined && middle !== undefined && max !== undefined) {
      shown[name] = { count: values.length, min, middle, max };
    }
  }
  return shown;
}
