import type { ColumnType, Generated } from 'kysely';
import type { Priority } from '../../lib/alerts/priority';
import type { Inactivation } from '../../lib/deviceAlarms/heardAlarm';
import type { VitalKind } from '../../lib/vitals/kinds';

/** The tables of HL7 gateways. */
export interface Hl7Tables {
  hl7_senders: Hl7SendersTable;
  hl7_answers: Hl7AnswersTable;
  bed_mappings: BedMappingsTable;
  bed_corrections: BedCorrectionsTable;
  code_mappings: CodeMappingsTable;
  earlier_values: EarlierValuesTable;
  bed_releases: BedReleasesTable;
  device_alarms: DeviceAlarmsTable;
}

export interface Hl7SendersTable {
  id: Generated<number>;
  site_id: number;
  name: string;
  /** The name in its certificate (`certificateName`); null: it is known by address, MSH-3 and MSH-4. */
  certificate: string | null;
  /** An address or a network such as 10.1.2.0/24; '' if it is known by its certificate, as the next two. */
  address: string;
  /** MSH-3 and MSH-4 as they are sent, whole. Empty is a value: a sender that leaves them out. */
  application: string;
  facility: string;
  /** 1: on trial, so that it reaches trial patients only. Set when it is accepted, for good. */
  is_trial: Generated<0 | 1>;
  /** 1: it writes a heart rate of 0 where it has no signal. Otherwise that is asystole. */
  zero_is_no_signal: Generated<0 | 1>;
  /** 1: it gets AA also for what is wholly in quarantine, because it stops at AE or sends without end. */
  quarantine_is_accepted: Generated<0 | 1>;
  accepted_at: number;
  accepted_by: number | null;
  revoked_at: number | null;
}

interface Hl7AnswersTable {
  id: Generated<number>;
  sender_id: number;
  /** SHA-256 of the message's bytes, MSH-10 among them, as base64url. */
  digest: string;
  answered_at: number;
  /** The frames that it got, one after another. */
  answer: Buffer;
}

/** Which of our beds a sender's bed is. It counts from its confirmation until it ends. */
export interface BedMappingsTable {
  id: Generated<number>;
  site_id: number;
  sender_id: number;
  /** PV1-3 as it is sent, whole. */
  sender_bed: string;
  unit_id: number;
  bed: string;
  proposed_at: number;
  proposed_by: number;
  confirmed_at: number | null;
  confirmed_by: number | null;
  ended_at: number | null;
  ended_by: number | null;
  /** It was wrong: what came by it is withdrawn. */
  undone_at: ColumnType<number | null, null | undefined, number>;
  undone_by: ColumnType<number | null, null | undefined, number>;
  /** When what came by it was first withdrawn. */
  withdrawn_at: ColumnType<number | null, null | undefined, number>;
  done_at: ColumnType<number | null, null | undefined, number>;
}

/** That values which came by a sender's bed alone may be under a wrong patient. A job corrects them. */
export interface BedCorrectionsTable {
  id: Generated<number>;
  site_id: number;
  sender_id: number;
  /** PV1-3 as it is sent, whole. */
  sender_bed: string;
  /** The bed that it is; null in rows of before version 32: it was mapped wrongly, and its values are no one's. */
  unit_id: number | null;
  bed: string | null;
  /** What arrived before is right, and what arrived after `until`; null: until it was made. */
  since: number;
  until: number | null;
  made_at: number;
  /** The user who moved a patient. */
  made_by: number | null;
  /** When what stood under a wrong patient was first withdrawn. */
  withdrawn_at: ColumnType<number | null, null | undefined, number>;
  done_at: ColumnType<number | null, null | undefined, number>;
}

/** Which kind a sender's code means. It counts from its confirmation until it ends. */
export interface CodeMappingsTable {
  id: Generated<number>;
  site_id: number;
  sender_id: number;
  /** The first triplet of OBX-3 as it is sent. */
  code_id: string;
  code_text: string;
  code_system: string;
  kind: VitalKind;
  /** 1: a value without a unit is in the unit of the kind. */
  is_unitless: 0 | 1;
  proposed_at: number;
  proposed_by: number;
  confirmed_at: number | null;
  confirmed_by: number | null;
  ended_at: number | null;
  ended_by: number | null;
  /** It was wrong: what came by it is withdrawn. */
  undone_at: ColumnType<number | null, null | undefined, number>;
  undone_by: ColumnType<number | null, null | undefined, number>;
  /** When what came by it was first withdrawn. */
  withdrawn_at: ColumnType<number | null, null | undefined, number>;
  done_at: ColumnType<number | null, null | undefined, number>;
  /** When what came before it was read from the kept messages; null: not yet. */
  earlier_read_at: ColumnType<number | null, null | undefined, number>;
  /** JSON: what became of it (`earlierResult`). Null in rows of before version 36: nothing was read. */
  earlier_result: ColumnType<string | null, null | undefined, string>;
}

/**
 * That a person has found with two identifiers whose monitor it is that is in a bed, near one move of that patient into
 * it (`begin`) or out of it (`end`). Values by the bed alone are theirs from then on, or until then.
 */
export interface BedReleasesTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  unit_id: number;
  bed: string;
  change: 'begin' | 'end';
  /** When the move was. */
  moved_at: number;
  /** From when the values are the patient's, or until when; never on the other side of the move. */
  at: number;
  released_at: number;
  released_by: number;
  /** How many releases of the patient in this bed were taken back before. */
  again: number;
  taken_back_at: ColumnType<number | null, null | undefined, number>;
  taken_back_by: ColumnType<number | null, null | undefined, number>;
  /** When what came by it was first withdrawn, once it was taken back. */
  withdrawn_at: ColumnType<number | null, null | undefined, number>;
  done_at: ColumnType<number | null, null | undefined, number>;
  /** Between which days of their devices values are that were read again: days since 1970, UTC. */
  first_day: ColumnType<number | null, null | undefined, number>;
  last_day: ColumnType<number | null, null | undefined, number>;
  /** When what was held was read from the kept messages; null: not yet. */
  read_at: ColumnType<number | null, null | undefined, number>;
  /** JSON: what became of it (`releaseResult`). */
  result: ColumnType<string | null, null | undefined, string>;
}

/** That a patient has values which came before their code was mapped, and between which days of their device. */
interface EarlierValuesTable {
  mapping_id: number;
  patient_id: number;
  /** Days since 1970, UTC. */
  first_day: number;
  last_day: number;
}

/** An alarm of a device about a patient. It is the device's, and no rule of ours reads it. */
export interface DeviceAlarmsTable {
  id: Generated<number>;
  site_id: number;
  patient_id: number;
  /** The monitor that said it. */
  device_id: number;
  /** What makes it the same alarm in the next message. */
  alarm_key: string;
  code: string;
  text: string;
  /** Null: the device does not say. */
  priority: Priority | null;
  is_technical: number;
  /** What a person did to it at the device; null: nothing, or that is not said. */
  inactivation: Inactivation | null;
  /** It lasts until the device says that it ended; others as long as they are in the messages. */
  is_event: number;
  started_at: number;
  /** When the device last said that it lasts, as far as that is stored: at most a minute too early. */
  last_seen_at: number;
  ended_at: number | null;
  /** Nothing more was heard of it: since `last_seen_at` it is not known whether it lasts. */
  is_end_unknown: Generated<number>;
}
