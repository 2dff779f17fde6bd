import type { Kysely } from 'kysely';
import { writtenValue, type WrittenEntry } from '../../lib/chart/schema';
import { statusesOf } from '../../lib/chart/statusesOf';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';
import { readNames } from '../users/readNames';

/** What people wrote in a chart. */
export interface Written {
  /** Grows with each entry and each mark, because none is ever removed. */
  version: number;
  /** The newest first. */
  entries: WrittenEntry[];
}

/**
 * Resolves with what people wrote in the charts of some patients, by the patient. Rejects if an entry cannot be read: a
 * chart without it would say less than is recorded.
 */
export async function readWritten(db: Kysely<Database>, patientIds: readonly number[]): Promise<Map<number, Written>> {
  const rows =
    patientIds.length === 0
      ? []
      : await db
          .selectFrom('chart_entries')
          .selectAll()
          .where('patient_id', 'in', patientIds)
          .orderBy('id', 'desc')
          .execute();
  const marks =
    rows.length === 0
      ? []
      : await db.selectFrom('chart_marks').selectAll().where('patient_id', 'in', patientIds).execute();
  const nameOf = await readNames(db, [
    ...rows.map(({ author_id }) => author_id),
    ...marks.map(({ marked_by }) => marked_by),
  ]);
  const markOf = new Map(marks.map((mark) => [`${mark.entry_id} ${mark.is_error}`, mark]));
  return new Map(
    patientIds.map((patientId) => {
      const read = rows
        .filter(({ patient_id }) => patient_id === patientId)
        .map((row) => {
          const { section, value } = row;
          const [ended, error] = [markOf.get(`${row.id} 0`), markOf.get(`${row.id} 1`)];
          const stored: unknown = JSON.parse(value);
          return { row, written: writtenValue.parse({ section, value: stored }), ended, error };
        });
      const statuses = statusesOf(
        read.map(({ row: { id, replaces }, written, ended, error }) => ({
          ...written,
          id,
          replaces,
          isEnded: ended !== undefined,
          isInError: error !== undefined,
        })),
      );
      const entries = read.map(({ row, written, ended, error }): WrittenEntry => {
        const mark = error ?? ended;
        return {
          ...written,
          id: row.id,
          source: row.source,
          effectiveAt: row.effective_at === null ? null : toInstant(row.effective_at),
          author: nameOf(row.author_id),
          recordedAt: toInstant(row.recorded_at),
          replaces: row.replaces,
          reason: row.reason,
          status: statuses.get(row.id) ?? 'superseded',
          mark:
            mark === undefined
              ? null
              : { by: nameOf(mark.marked_by), at: toInstant(mark.marked_at), reason: mark.reason },
        };
      });
      const marked = marks.filter(({ patient_id }) => patient_id === patientId).length;
      return [patientId, { version: 1 + entries.length + marked, entries }];
    }),
  );
}

/** As `readWritten`, of one chart. */
export async function readWrittenOf(db: Kysely<Database>, patientId: number): Promise<Written> {
  return (await readWritten(db, [patientId])).get(patientId) ?? { version: 1, entries: [] };
}
