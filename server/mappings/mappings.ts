import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Code } from '../../lib/hl7/codes';
import { newBedMapping, newCodeMapping, type Mapping } from '../../lib/mappings/schema';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { auditDone } from '../audit';
import type { Store } from '../db/open';
import type { BedMappingRow, CodeMappingRow } from '../db/rows';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import {
  closeProposal,
  decide,
  insertProposal,
  ofSite,
  propose,
  readProposals,
  wantedOf,
  type By,
} from '../proposals/proposals';
import { readNames } from '../users/readNames';

type MappingRow = BedMappingRow | CodeMappingRow;
type Db = Kysely<Database>;

/** What a mapping of beds and one of codes do differently. */
interface MappingKind<Row extends MappingRow, Wanted extends { senderId: number }> {
  word: 'bed' | 'code';
  schema: z.ZodType<Wanted>;
  /** Returns what of the sender is mapped. */
  keyOf: (wanted: Wanted) => string;
  /** Returns the unit that the site has to have; null: none. */
  unitOf: (wanted: Wanted) => number | null;
  /** Returns what was proposed when a mapping was. */
  wantedBy: (row: Row) => Wanted;
  /** Resolves with the mappings of all sites that have not ended. */
  readOpen: (db: Db) => Promise<Row[]>;
  insert: (
    transaction: Db,
    decided: Pick<MappingRow, 'site_id' | 'proposed_at' | 'proposed_by' | 'confirmed_at' | 'confirmed_by'>,
    wanted: Wanted,
  ) => Promise<Row>;
  /** Writes into a mapping of a site and returns it, locked. */
  put: (
    transaction: Db,
    where: { id: number; siteId: number },
    to: Partial<Pick<MappingRow, 'confirmed_at' | 'confirmed_by' | 'ended_at' | 'ended_by'>> &
      Partial<Record<'undone_at' | 'undone_by', number>>,
  ) => Promise<Row | undefined>;
}

const kindOfBeds: MappingKind<BedMappingRow, z.output<typeof newBedMapping>> = {
  word: 'bed',
  schema: newBedMapping,
  keyOf: ({ senderBed }) => senderBed,
  unitOf: ({ unitId }) => unitId,
  wantedBy: (row) => ({ senderId: row.sender_id, senderBed: row.sender_bed, unitId: row.unit_id, bed: row.bed }),
  readOpen: (db) => db.selectFrom('bed_mappings').selectAll().where('ended_at', 'is', null).execute(),
  insert: (transaction, decided, { senderId: sender_id, senderBed: sender_bed, unitId: unit_id, bed }) =>
    transaction
      .insertInto('bed_mappings')
      .values({ ...decided, sender_id, sender_bed, unit_id, bed, ended_at: null, ended_by: null })
      .returningAll()
      .executeTakeFirstOrThrow(),
  put: (transaction, { id, siteId }, to) =>
    transaction
      .updateTable('bed_mappings')
      .set({ site_id: siteId, ...to })
      .where('id', '=', id)
      .where('site_id', '=', siteId)
      .returningAll()
      .executeTakeFirst(),
};

const kindOfCodes: MappingKind<CodeMappingRow, z.output<typeof newCodeMapping>> = {
  word: 'code',
  schema: newCodeMapping,
  keyOf: ({ code }) => codeKey(code),
  unitOf: () => null,
  wantedBy: (row) => ({
    ...{ kind: row.kind, isUnitless: row.is_unitless === 1, senderId: row.sender_id },
    code: codeOf(row),
  }),
  readOpen: (db) => db.selectFrom('code_mappings').selectAll().where('ended_at', 'is', null).execute(),
  insert: (transaction, decided, { senderId: sender_id, code, kind, isUnitless }) =>
    transaction
      .insertInto('code_mappings')
      .values({
        ...{ ...decided, sender_id, code_id: code.id, code_text: code.text, code_system: code.system },
        ...{ kind, is_unitless: isUnitless ? 1 : 0, ended_at: null, ended_by: null },
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  put: (transaction, { id, siteId }, to) =>
    transaction
      .updateTable('code_mappings')
      .set({ site_id: siteId, ...to })
      .where('id', '=', id)
      .where('site_id', '=', siteId)
      .returningAll()
      .executeTakeFirst(),
};

/** Returns the key of a code. A code in which one sign is another is another code. */
export const codeKey = ({ id, text, system }: Code): string => JSON.stringify([id, text, system]);

/** Returns the code that a mapping is of. */
export const codeOf = (row: CodeMappingRow): Code => ({
  id: row.code_id,
  text: row.code_text,
  system: row.code_system,
});

export const loadBedMappings = (store: Store) => loadMappings(kindOfBeds, store);
export const loadCodeMappings = (store: Store) => loadMappings(kindOfCodes, store);

export type BedMappings = Awaited<ReturnType<typeof loadBedMappings>>;
export type CodeMappings = Awaited<ReturnType<typeof loadCodeMappings>>;

/**
 * Loads the mappings of all sites that have not ended. Those that are not confirmed are proposals from here on: a
 * restore takes the confirmation away, and values hang on them.
 */
async function loadMappings<Row extends MappingRow, Wanted extends { senderId: number }>(
  { word, schema, keyOf, unitOf, wantedBy, readOpen, insert, put }: MappingKind<Row, Wanted>,
  { db }: Store,
) {
  const rows = new Map<number, Row>();
  const confirmed = new Map<string, Row>();
  const kind = `${word}_mapping` as const;
  const keep = (row: Row): void => {
    const key = `${row.sender_id} ${keyOf(wantedBy(row))}`;
    if (row.ended_at === null) {
      rows.set(row.id, row);
      if (row.confirmed_at !== null) {
        confirmed.set(key, row);
      }
    } else {
      rows.delete(row.id);
      if (confirmed.get(key)?.id === row.id) {
        confirmed.delete(key);
      }
    }
  };
  const isMapped = () => new HttpError(409, `${word}_mapped`, `This ${word} of the sender has a mapping already.`);
  const subjectOf = (wanted: Wanted) => ({ kind, object_id: wanted.senderId, about: keyOf(wanted) }) as const;
  /** Resolves with the mapping of what somebody wants to map that has not ended. */
  const findOpen = async (transaction: Db, wanted: Wanted): Promise<Row | undefined> =>
    (await readOpen(transaction)).find(
      (row) => row.sender_id === wanted.senderId && keyOf(wantedBy(row)) === keyOf(wanted),
    );
  for (const row of await readOpen(db)) {
    keep(row);
    if (row.confirmed_at === null) {
      const { site_id, proposed_at, proposed_by } = row;
      const wanted = wantedBy(row);
      const made = { ...subjectOf(wanted), site_id, proposed_at, proposed_by };
      await insertProposal(db, { ...made, wanted: JSON.stringify(wanted) });
    }
  }
  return {
    /** Returns the confirmed mapping of what a sender says (PV1-3, or `codeKey`), or null. */
    find: (senderId: number, key: string): Row | null => confirmed.get(`${senderId} ${key}`) ?? null,
    /** Returns the mappings of a site, those included that a restore has taken the confirmation of. */
    ofSite: (siteId: number): Row[] => [...rows.values()].filter(({ site_id }) => site_id === siteId),
    /** Returns whether a mapping has not ended. */
    isOpen: (id: number): boolean => rows.has(id),
    /** Adds or changes a mapping in memory. Call it after the commit. */
    put: keep,

    /** Resolves with what is mapped (`row`) or proposed in the site of a user: by key, of each sender. */
    list: async (user: By['user'], now: EpochMs) => {
      const mapped = [...rows.values()].filter((row) => row.site_id === user.siteId && row.confirmed_at !== null);
      const people = mapped.flatMap(({ proposed_by, confirmed_by }) => [proposed_by, confirmed_by ?? proposed_by]);
      const nameOf = await readNames(db, people);
      const proposals = await readProposals(db, user, kind, now);
      const listed: { row: Row | null; wanted: Wanted; mapping: Mapping }[] = [
        ...mapped.map((row) => {
          const { id, proposed_at, proposed_by, confirmed_at, confirmed_by } = row;
          const proposed = { by: nameOf(proposed_by), at: toInstant(proposed_at) };
          const confirmed = { by: nameOf(confirmed_by ?? proposed_by), at: toInstant(confirmed_at ?? proposed_at) };
          return { row, wanted: wantedBy(row), mapping: { id, proposed, confirmed, canConfirm: false } };
        }),
        ...proposals.flatMap(({ row, shown: { id, state, proposedAt: at, proposedBy: by, canApprove } }) => {
          const wanted = state === 'proposed' ? readJson(schema, row.wanted) : null;
          const mapping = { id, proposed: { by, at }, confirmed: null, canConfirm: canApprove };
          return wanted === null ? [] : { row: null, wanted, mapping };
        }),
      ];
      return (senderId: number) =>
        new Map(listed.flatMap((one) => (one.wanted.senderId === senderId ? [[keyOf(one.wanted), one] as const] : [])));
    },

    /**
     * Proposes what a sender's bed or code is, and resolves with the proposal's id. Rejects with 404 if sender or unit
     * are not of the site, with 409 `bed_mapped` or `code_mapped` if it has a mapping, and as `propose` does.
     */
    propose: (by: By, wanted: Wanted): Promise<number> =>
      propose(db, by, subjectOf(wanted), async (transaction) => {
        const { siteId } = by.user;
        const sender = transaction
          .selectFrom('hl7_senders')
          .where('id', '=', wanted.senderId)
          .where('site_id', '=', siteId)
          .where('revoked_at', 'is', null);
        await sender.select('id').executeTakeFirstOrThrow(notFound);
        const unitId = unitOf(wanted);
        const unit = transaction
          .selectFrom('units')
          .where('id', '=', unitId)
          .where('site_id', '=', siteId)
          .where('retired_at', 'is', null);
        if (unitId !== null) {
          await unit.select('id').executeTakeFirstOrThrow(notFound);
        }
        if (((await findOpen(transaction, wanted))?.confirmed_at ?? null) !== null) {
          throw isMapped();
        }
        return { wanted };
      }),

    /** Confirms or rejects a proposal, and resolves with the mapping's id; null: there is none. Rejects as `decide`. */
    decide: async (by: By, id: number, approves: boolean): Promise<number | null> => {
      const made = await decide(db, by, [kind, id], { approves }, async (transaction, row) => {
        const { site_id, proposed_at, proposed_by, decided_at: at, decided_by: user } = row;
        const wanted = wantedOf(schema, row);
        const confirmation = { confirmed_at: at, confirmed_by: user };
        // A restore took its confirmation away.
        const before = await findOpen(transaction, wanted);
        if (before !== undefined) {
          if (before.confirmed_at !== null || JSON.stringify(wantedBy(before)) !== JSON.stringify(wanted)) {
            throw isMapped();
          }
          const to = approves ? confirmation : { ended_at: at, ended_by: user };
          return await put(transaction, { id: before.id, siteId: site_id }, to);
        }
        const proposed = { site_id, proposed_at, proposed_by };
        return approves ? await insert(transaction, { ...proposed, ...confirmation }, wanted) : undefined;
      });
      if (made !== undefined) {
        keep(made);
      }
      return made?.id ?? null;
    },

    /**
     * Ends a mapping. `wasWrong`: what came by it is withdrawn from the patients who have it, also if it has ended
     * before. Else one that has ended stays as it is. One that a restore has left unconfirmed is undone too: values
     * came by it before. Rejects with 404 if the site has no such mapping.
     */
    end: async (by: By, id: number, wasWrong: boolean): Promise<void> => {
      const { now, actor, user } = by;
      const where = { id, siteId: user.siteId };
      // Who decides on its proposal at this moment waits.
      const ended = await ofSite(db, user.siteId, async (transaction) => {
        const row = await put(transaction, where, {});
        if (row === undefined) {
          throw notFound();
        }
        const isUndone = wasWrong && row.undone_at === null;
        if (row.ended_at !== null && !isUndone) {
          return row;
        }
        if (row.ended_at === null) {
          await closeProposal(transaction, by, subjectOf(wantedBy(row)));
        }
        const changed = await put(transaction, where, {
          ...(row.ended_at === null ? { ended_at: now, ended_by: user.id } : {}),
          ...(isUndone ? { undone_at: now, undone_by: user.id } : {}),
        });
        const action = `${isUndone ? 'undo' : 'end'}_${word}_mapping` as const;
        await auditDone(transaction, now, actor, action, ['sender', row.sender_id], { mapping: id });
        return changed ?? row;
      });
      keep(ended);
    },
  };
}
