import type { FastifyRequest } from 'fastify';
import { isBuiltIn, type Code } from '../../lib/hl7/codes';
import type { Mapping, MappingsResponse, SenderBed, SenderCode, ShownValues } from '../../lib/mappings/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import { actorOf, type Actor } from '../audit/actor';
import type { BedMappingRow, CodeMappingRow } from '../db/rows';
import { requireScope, sessionOf } from '../http/access';
import { on } from '../http/on';
import { earlierIn } from '../hl7/readEarlier';
import type { LiveState } from '../liveState';
import type { App, Server } from '../server';
import type { Session } from '../session/session';
import { readNames } from '../users/readNames';
import { isInvalid } from '../vitals/qualityCode';
import { codeKey, codeOf } from './codeMappings';
import {
  confirmMapping,
  endMapping,
  kindOfBeds,
  kindOfCodes,
  proposeMapping,
  type Decider,
  type MappingKind,
} from './decisions';
import type { Mappings } from './keepMappings';

/** What the beds and codes of HL7 senders are, in the site of the user. */
export function mappingRoutes(app: App, server: Server): void {
  const { store, liveState, beds, codes, hl7, earlierReader, auditView, now } = server;
  const list = async ({ user }: Session): Promise<MappingsResponse> => {
    const [ofBeds, ofCodes] = [beds.ofSite(user.siteId), codes.ofSite(user.siteId)];
    const people = [...ofBeds, ...ofCodes].flatMap(({ proposed_by, confirmed_by }) => [proposed_by, confirmed_by]);
    const nameOf = await readNames(
      store.db,
      people.filter((id) => id !== null),
    );
    const senders = hl7.senders.ofSite(user.siteId);
    const items = senders.flatMap(({ id, name }): SenderBed[] => {
      const { unknownBeds } = hl7.senders.stateOf(id);
      const ofSender = ofBeds.filter(({ sender_id }) => sender_id === id);
      const names = new Set([...ofSender.map(({ sender_bed }) => sender_bed), ...unknownBeds.keys()]);
      return [...names].sort().map((bed) => {
        const row = ofSender.find(({ sender_bed }) => sender_bed === bed);
        return {
          ...{ senderId: id, sender: name, bed, unmapped: unknownBeds.get(bed) ?? 0 },
          mapping:
            row === undefined
              ? null
              : { ...present(row, user, nameOf), unit: liveState.unitNameOf(row) ?? '', bed: row.bed },
        };
      });
    });
    const listedCodes = senders.flatMap(({ id, name }): SenderCode[] => {
      const { unmapped } = hl7.senders.stateOf(id);
      const ofSender = new Map(
        ofCodes.filter(({ sender_id }) => sender_id === id).map((row) => [codeKey(codeOf(row)), row]),
      );
      const sent = new Map<string, Code>([
        ...[...ofSender].map(([key, row]) => [key, codeOf(row)] as const),
        ...[...unmapped].map(([key, { code }]) => [key, code] as const),
      ]);
      return [...sent]
        .filter(([, code]) => !isBuiltIn(code))
        .map(([key, code]) => {
          const row = ofSender.get(key);
          return {
            ...{ senderId: id, sender: name, code },
            unmapped: unmapped.get(key)?.count ?? 0,
            last: [...(unmapped.get(key)?.last ?? [])],
            mapping:
              row === undefined
                ? null
                : {
                    ...present(row, user, nameOf),
                    ...{ kind: row.kind, isUnitless: row.is_unitless === 1 },
                    earlier: earlierIn(row, earlierReader),
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

  /** Lets a user who has a permission decide, and responds with all mappings as they are then. */
  const decided = async (
    request: FastifyRequest,
    permission: 'readMappings' | 'proposeMappings' | 'confirmMappings',
    decide: (actor: Actor, decider: Decider) => Promise<void>,
  ): Promise<MappingsResponse> => {
    const { siteId } = requireScope(request, permission, now());
    const session = sessionOf(request);
    await decide(actorOf(request), { siteId, userId: session.user.id });
    return await list(session);
  };

  const propose = <Row extends BedMappingRow | CodeMappingRow, Wanted extends { senderId: number }>(
    request: FastifyRequest,
    wanted: Wanted,
    kind: MappingKind<Row, Wanted>,
    kept: Pick<Mappings<Row>, 'put'>,
  ): Promise<MappingsResponse> =>
    decided(request, 'proposeMappings', async (actor, decider) => {
      kept.put(await proposeMapping(kind, store, now(), actor, decider, wanted));
    });

  const confirm = <Row extends BedMappingRow | CodeMappingRow>(
    request: FastifyRequest,
    id: number,
    kind: MappingKind<Row, never>,
    kept: Pick<Mappings<Row>, 'put'>,
  ): Promise<MappingsResponse> =>
    decided(request, 'confirmMappings', async (actor, decider) => {
      kept.put(await confirmMapping(kind, store, now(), actor, decider, id));
    });

  const end = <Row extends BedMappingRow | CodeMappingRow>(
    request: FastifyRequest,
    how: { id: number; wasWrong: boolean },
    kind: MappingKind<Row, never>,
    kept: Pick<Mappings<Row>, 'put'>,
  ): Promise<MappingsResponse> =>
    decided(request, how.wasWrong ? 'confirmMappings' : 'readMappings', async (actor, decider) => {
      kept.put(await endMapping(kind, store, now(), actor, decider, how));
    });

  on(app, 'proposeBedMapping', (request) => propose(request, request.body, kindOfBeds, beds));
  on(app, 'confirmBedMapping', (request) => confirm(request, request.params.id, kindOfBeds, beds));
  on(app, 'endBedMapping', (request) => end(request, { id: request.params.id, wasWrong: false }, kindOfBeds, beds));
  on(app, 'undoBedMapping', (request) => end(request, { id: request.params.id, wasWrong: true }, kindOfBeds, beds));

  on(app, 'proposeCodeMapping', (request) => propose(request, request.body, kindOfCodes, codes));
  on(app, 'confirmCodeMapping', (request) => confirm(request, request.params.id, kindOfCodes, codes));
  on(app, 'endCodeMapping', (request) => end(request, { id: request.params.id, wasWrong: false }, kindOfCodes, codes));
  on(app, 'undoCodeMapping', (request) => end(request, { id: request.params.id, wasWrong: true }, kindOfCodes, codes));
}

/** Returns what a user sees of who decided on a mapping. */
function present(
  row: BedMappingRow | CodeMappingRow,
  user: User,
  nameOf: (id: number) => Mapping['proposed']['by'],
): Mapping {
  const { id, proposed_at, proposed_by, confirmed_at, confirmed_by } = row;
  return {
    id,
    proposed: { by: nameOf(proposed_by), at: toInstant(proposed_at) },
    confirmed:
      confirmed_at === null || confirmed_by === null ? null : { by: nameOf(confirmed_by), at: toInstant(confirmed_at) },
    canConfirm: confirmed_at === null && proposed_by !== user.id && can(user, 'confirmMappings'),
  };
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
