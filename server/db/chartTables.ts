import type { ColumnType, Generated } from 'kysely';
import type { StayKind, WrittenSection } from '../../lib/chart/sections';

/** The tables of patient charts. Instants are epoch milliseconds, flags 0 or 1. */
export interface ChartTables {
  chart_entries: ChartEntriesTable;
  chart_marks: ChartMarksTable;
  patient_moves: PatientMovesTable;
}

/** What people wrote. Triggers refuse every change of it but that of its times. */
export interface ChartEntriesTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  section: WrittenSection;
  /** JSON: a value of the section (lib/chart/sections). */
  value: string;
  source: string | null;
  effective_at: number | null;
  author_id: number;
  /** Made by the page: unique for the author, so that nothing is written twice. */
  client_id: string;
  recorded_at: number;
  /** The entry that it corrects. */
  replaces: number | null;
  reason: string | null;
}

/** That an entry was entered in error, or does not hold any more: at most one row of each. */
export interface ChartMarksTable {
  entry_id: number;
  is_error: 0 | 1;
  patient_id: number;
  reason: string;
  marked_by: number;
  marked_at: number;
}

/** That a patient came, changed the bed, or left. */
export interface PatientMovesTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  kind: StayKind;
  moved_at: number;
  /** When it was entered, if that was later; null: at once. */
  recorded_at: ColumnType<number | null, number | null | undefined>;
  /** Null: it was before this was recorded, or no user did it. */
  moved_by: number | null;
  from_unit_id: number | null;
  from_bed: string | null;
  to_unit_id: number | null;
  to_bed: string | null;
  /**
   * When a person found with two identifiers that the monitor of the bed is on the patient: values by the bed alone are
   * theirs from the move on. Null: no one has, or it was taken back.
   */
  released_at: LaterColumn;
  released_by: LaterColumn;
  /** When what was held was read from the kept messages; null: not yet. */
  held_read_at: LaterColumn;
}

type LaterColumn = ColumnType<number | null, null | undefined>;
