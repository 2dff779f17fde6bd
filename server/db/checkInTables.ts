import type { ColumnType, Generated } from 'kysely';
import type { OpenedOn } from '../../lib/checkIn/linkSchema';

/** The tables of symptoms and of check-in from home. Instants are epoch milliseconds. */
export interface CheckInTables {
  check_in_links: CheckInLinksTable;
  check_in_tries: CheckInTriesTable;
  check_in_calls: CheckInCallsTable;
  symptom_reports: SymptomReportsTable;
}

export interface CheckInLinksTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  for: 'patient' | 'proxy';
  secret_hash: string;
  created_at: number;
  created_by: number;
  expires_at: number;
  revoked_at: number | null;
  revoked_by: number | null;
  /** Wrong years of birth since it was made. Those of `check_in_tries` lock it. */
  wrong_tries: Generated<number>;
  locked_at: number | null;
  /** When more red check-ins came by it than a patient sends. */
  misused_at: ColumnType<number | null, undefined, number>;
  /** When it was opened for the first time, and for the last. */
  opened_at: number | null;
  last_opened_at: number | null;
  opened_on: OpenedOn | null;
  /** A fingerprint of the browser that opened it last. */
  opened_by: string | null;
  /** Made by the page that asked for it; null: it was asked for without. */
  client_id: string | null;
}

/** Wrong years of birth. */
interface CheckInTriesTable {
  id: Generated<number>;
  link_id: number;
  tried_at: number;
}

/** Patients who asked for a call. Rows are only added; the alert says what came of it. */
interface CheckInCallsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  link_id: number;
  /** Made by the page: unique for the link. */
  client_id: string;
  requested_at: number;
  /** 1: it joined the open alert of an earlier one, and did not sound again. */
  joined: Generated<number>;
}

export interface SymptomReportsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  reported_at: number;
  recorded_at: number;
  /** Null: it came by a link. */
  recorded_by: number | null;
  answers: string;
  breathlessness: number | null;
  mmrc: number | null;
  red_flags: string;
  since_yesterday: 'worse' | 'same' | 'better' | null;
  source: Generated<'staff' | 'patient' | 'proxy'>;
  link_id: number | null;
  /** Made by the page of a link: unique for the link. */
  client_id: string | null;
  /** JSON: pairs of kind and value, as they were sent with it. The rules evaluate the samples. */
  readings: Generated<string>;
  /**
   * The time of the samples that these readings became: it never moves, so that they are found. Null: they became none.
   */
  readings_at: number | null;
  in_error_at: number | null;
  in_error_by: number | null;
  in_error_reason: string | null;
}
