import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import { system } from '../audit/actor';
import type { Store } from '../db/open';
import type { DeviceRow, SenderRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import type { LiveState } from '../liveState';
import type { BedMappings, CodeMappings } from '../mappings/mappings';
import { createMessageQueue } from './createMessageQueue';
import { isEarlier, isMonitor, wholeKey, type Source } from './sourceOf';

/** A sender whose sub-ids or devices are counters would fill the list of devices. */
const mostSources = 2_000;
/** Of these so many monitors at most, each with an alert of its own: beyond them the sender has one for all. */
const mostMonitors = 500;

export interface Sources {
  /** Returns the device of a source that is there, or null. */
  find(senderId: number, key: string): DeviceRow | null;
  /**
   * Makes the sources that are not there yet. One that is not there afterwards is one too many for the sender: those
   * that came by a mapping that has ended do not count (`mostSources`). How often a source sends that was there by
   * another mapping of its bed or code holds for the new one too. Rejects with 409 if the sender was revoked meanwhile,
   * and 503 if too many messages wait already.
   */
  make(sender: SenderRow, sources: readonly Source[]): Promise<void>;
}

/** Returns the row of a source, as it is inserted. It has no token: no hash has this form. */
export function sourceRow(
  { id, site_id }: Pick<SenderRow, 'id' | 'site_id'>,
  { key, nameOf, bed, bedMappingId, codeMappingId }: Source,
  now: EpochMs,
  expectedEveryMs: number | null = null,
) {
  return {
    site_id,
    name: nameOf(),
    token_hash: `sender:${id}:${key}`,
    expected_every_ms: expectedEveryMs,
    created_at: now,
    expires_at: null,
    revoked_at: null,
    sender_id: id,
    source_key: key,
    sender_bed: bed ?? null,
    bed_mapping_id: bedMappingId ?? null,
    code_mapping_id: codeMappingId ?? null,
  };
}

/** Returns the source that a device is, or null if it is of no sender. */
export function sourceOfRow({
  source_key,
  name,
  sender_bed,
  bed_mapping_id,
  code_mapping_id,
}: Pick<DeviceRow, 'source_key' | 'name' | 'sender_bed' | 'bed_mapping_id' | 'code_mapping_id'>): Source | null {
  return source_key === null
    ? null
    : {
        key: source_key,
        nameOf: () => name,
        bed: sender_bed,
        bedMappingId: bed_mapping_id,
        codeMappingId: code_mapping_id,
      };
}

interface SourceParts {
  store: Store;
  liveState: LiveState;
  beds: Pick<BedMappings, 'isOpen'>;
  codes: Pick<CodeMappings, 'isOpen'>;
  now: () => EpochMs;
}

/** Creates the list of the sources of all senders. They are devices without a token. */
export function createSources({ store: { db }, liveState, beds, codes, now }: SourceParts): Sources {
  /** One at a time, so that two connections of a sender make no source twice. */
  const queue = createMessageQueue('sources');
  /** The ids by sender and key. Rows are looked up in the live state, where they change. */
  const ids = new Map<number, Map<string, number>>();
  const idsOf = (senderId: number): Map<string, number> => {
    const known = ids.get(senderId);
    if (known !== undefined) {
      return known;
    }
    const made = new Map<string, number>();
    for (const { id, sender_id, source_key } of liveState.devices.values()) {
      if (sender_id === senderId && source_key !== null) {
        made.set(source_key, id);
      }
    }
    ids.set(senderId, made);
    return made;
  };

  const rowsOf = (senderId: number): DeviceRow[] =>
    [...idsOf(senderId).values()].flatMap((id) => liveState.devices.get(id) ?? []);
  /** Nothing comes any more by a mapping that has ended. */
  const isInUse = ({ bed_mapping_id, code_mapping_id }: DeviceRow): boolean =>
    (bed_mapping_id === null || beds.isOpen(bed_mapping_id)) &&
    (code_mapping_id === null || codes.isOpen(code_mapping_id));

  return {
    find: (senderId, key) => liveState.devices.get(idsOf(senderId).get(key) ?? 0) ?? null,
    make: async (sender, sources) => {
      const known = idsOf(sender.id);
      if (sources.every(({ key }) => known.has(key))) {
        return;
      }
      await queue(async () => {
        const rowsBefore = rowsOf(sender.id);
        let monitors = [...known.keys()].filter(isMonitor).length;
        const wanted = sources.filter(
          ({ key }) => !known.has(key) && (!isMonitor(key) || (monitors += 1) <= mostMonitors),
        );
        // What is read again from kept messages takes no room of what sends now.
        const missing = [false, true].flatMap((isOld) => {
          const used = rowsBefore.filter((row) => isEarlier(row.source_key) === isOld && isInUse(row)).length;
          return wanted.filter(({ key }) => isEarlier(key) === isOld).slice(0, Math.max(0, mostSources - used));
        });
        if (missing.length === 0) {
          return;
        }
        const everyMsOf = createEveryMsOf(rowsBefore);
        const rows = await db.transaction().execute(async (transaction) => {
          // With the row held, a revocation waits, and finds these sources to revoke.
          const { revoked_at } = await transaction
            .updateTable('hl7_senders')
            .set({ site_id: sender.site_id })
            .where('id', '=', sender.id)
            .returning('revoked_at')
            .executeTakeFirstOrThrow();
          if (revoked_at !== null) {
            throw new HttpError(409, 'sender_revoked', 'This sender was revoked.');
          }
          const { numInsertedOrUpdatedRows } = await transaction
            .insertInto('devices')
            .values(missing.map((source) => sourceRow(sender, source, now(), everyMsOf(source))))
            // A commit whose result was lost has made them before.
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirstOrThrow();
          await auditDone(
            transaction,
            now(),
            { ...system, siteId: sender.site_id },
            'add_sources',
            ['sender', sender.id],
            { count: Number(numInsertedOrUpdatedRows ?? 0) },
          );
          return await transaction
            .selectFrom('devices')
            .selectAll()
            .where('sender_id', '=', sender.id)
            .where(
              'source_key',
              'in',
              missing.map(({ key }) => key),
            )
            .execute();
        });
        for (const row of rows) {
          liveState.devices.set(row.id, row);
          known.set(row.source_key ?? wholeKey, row.id);
        }
      });
    },
  };
}

/**
 * Returns what finds out how often a source sends that comes by a mapping, in milliseconds, by the newest one of its
 * place and code that came by another mapping; null: it is unknown.
 */
function createEveryMsOf(rows: readonly DeviceRow[]): (source: Source) => number | null {
  const byKey = new Map(rows.map((row) => [row.source_key, row]));
  /** The mappings by which sources of a bed came, each pair once. */
  const mappings = new Map<string | null, Map<string, Pick<DeviceRow, 'bed_mapping_id' | 'code_mapping_id'>>>();
  for (const { sender_bed, bed_mapping_id, code_mapping_id } of rows) {
    const ofBed = mappings.get(sender_bed) ?? new Map<string, Pick<DeviceRow, 'bed_mapping_id' | 'code_mapping_id'>>();
    mappings.set(sender_bed, ofBed.set(`${bed_mapping_id} ${code_mapping_id}`, { bed_mapping_id, code_mapping_id }));
  }
  return ({ keyBy, bed, bedMappingId, codeMappingId }) => {
    if ((bedMappingId ?? codeMappingId ?? null) === null) {
      return null;
    }
    const before = [...(mappings.get(bed ?? null)?.values() ?? [])].flatMap(
      ({ bed_mapping_id, code_mapping_id }) => byKey.get(keyBy?.(bed_mapping_id, code_mapping_id) ?? null) ?? [],
    );
    return before.sort((a, b) => b.id - a.id)[0]?.expected_every_ms ?? null;
  };
}
