import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { writtenValue, type WrittenEntry } from '../../lib/chart/schema';
import { statusesOf } from '../../lib/chart/statusesOf';
import { readJson } from '../../lib/readJson';
import { safeParse } from '../../lib/safeParse';
import { isInstant } from '../../lib/time/isInstant';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { ChartEntriesTable, ChartMarksTable } from '../db/chartTables';
import type { Database } from '../db/schema';
import { readNames, type Person } from '../users/readNames';

/** What people wrote in a chart. */
export interface Written {
  /** Grows with each entry and each mark, because none is ever removed. */
  version: number;
  /** The newest first. */
  entries: WrittenEntry[];
}

type EntryRow = Selectable<ChartEntriesTable>;
type MarkRow = Selectable<ChartMarksTable>;

/**
 * Resolves with what people wrote in the charts of some patients, at least one, by the patient. Null: an entry cannot
 * be read, and without it the chart would say less than is recorded.
 */
export async function readWritten(
  db: Kysely<Database>,
  patientIds: readonly number[],
): Promise<Map<number, Written | null>> {
  const rows = await db
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
  return new Map(
    patientIds.map((patientId) => [
      patientId,
      present(
        rows.filter(({ patient_id }) => patient_id === patientId),
        marks.filter(({ patient_id }) => patient_id === patientId),
        nameOf,
      ),
    ]),
  );
}

/** As `readWritten`, of one chart. Rejects if an entry cannot be read. */
export async function readWrittenOf(db: Kysely<Database>, patientId: number): Promise<Written> {
  const written = (await readWritten(db, [patientId])).get(patientId);
  if (written === undefined || written === null) {
    throw new Error('an entry of a chart cannot be read');
  }
  return written;
}

/** Takes the rows of one chart. */
function present(rows: readonly EntryRow[], marks: readonly MarkRow[], nameOf: (id: number) => Person): Written | null {
  const markOf = new Map(marks.map((mark) => [`${mark.entry_id} ${mark.is_error}`, mark]));
  const read = rows.flatMap((row) => {
    const { id, section, value } = row;
    const parsed = safeParse(writtenValue, { section, value: readJson(z.unknown(), value) });
    const ended = markOf.get(`${id} 0`);
    const error = markOf.get(`${id} 1`);
    const times = [row.effective_at, row.recorded_at, ended?.marked_at, error?.marked_at];
    const areTimes = times.every((at) => at === null || at === undefined || isInstant(at));
    return parsed.success && areTimes ? { row, said: parsed.data, ended, error } : [];
  });
  if (read.length < rows.length) {
    return null;
  }
  const statuses = statusesOf(
    read.map(({ row: { id, replaces }, said, ended, error }) => ({
      ...said,
      id,
      replaces,
      isEnded: ended !== undefined,
      isInError: error !== undefined,
    })),
  );
  const entries = read.map(({ row, said, ended, error }): WrittenEntry => {
    const mark = error ?? ended;
    return {
      ...said,
      id: row.id,
      source: row.source,
      effectiveAt: instantOrNull(row.effective_at),
      author: nameOf(row.author_id),
      recordedAt: toInstant(row.recorded_at),
      replaces: row.replaces,
      reason: row.reason,
      status: statuses.get(row.id) ?? 'superseded',
      mark:
        mark === undefined ? null : { by: nameOf(mark.marked_by), at: toInstant(mark.marked_at), reason: mark.reason },
    };
  });
  return { version: 1 + rows.length + marks.length, entries };
}
