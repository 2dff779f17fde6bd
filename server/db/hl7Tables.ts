import type { ColumnType, Generated } from 'kysely';
import type { Priority } from '../../lib/alerts/priority';
import type { Inactivation } from '../../lib/deviceAlarms/heardAlarm';
import type { VitalKind } from '../../lib/vitals/kinds';

/** The tables of HL7 gateways. */
export interface Hl7Tables {
  hl7_senders: Hl7SendersTable;
  hl7_answers: Hl7AnswersTable;
  bed_mappings: BedMappingsTable;
  bed_replays: BedReplaysTable;
  code_mappings: CodeMappingsTable;
  earlier_days: EarlierDaysTable;
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
  /** Of version 1 only. 1: it writes a heart rate of 0 where it has no signal. Otherwise that is asystole. */
  zero_is_no_signal: Generated<0 | 1>;
  /** Of version 1 only. 1: it gets AA also for what is wholly in quarantine: it stops at AE, or sends without end. */
  quarantine_is_accepted: Generated<0 | 1>;
  accepted_at: number;
  accepted_by: number | null;
  revoked_at: number | null;
  /** JSON: what two people have answered about it (`senderSettings`). Null: version 1, with the two flags above. */
  settings: ColumnType<string | null, string | null | undefined, string | null>;
  /** How often they have answered, 1 of a sender from before that; 0: not yet. */
  settings_version: Generated<number>;
  /** Since when the settings hold; null: not yet answered. */
  settings_at: LaterColumn;
  /** How far what was quarantined is read again by the settings; '': not begun, null: nothing is left. */
  settings_replay: ColumnType<string | null, null | undefined, string | null>;
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

/** The passes of a correction (`withdrawWrong`). */
export interface CorrectedTable {
  id: Generated<number>;
  site_id: number;
  /** When what was wrong was first withdrawn. */
  withdrawn_at: LaterColumn;
  done_at: LaterColumn;
}

/** A time or a user that is known later. */
type LaterColumn = ColumnType<number | null, null | undefined, number>;

/** What a word of a sender means. It counts from its confirmation until it ends. */
interface MappingsTable extends CorrectedTable {
  sender_id: number;
  proposed_at: number;
  proposed_by: number;
  confirmed_at: number | null;
  confirmed_by: number | null;
  ended_at: number | null;
  ended_by: number | null;
  /** It was wrong: what came by it is withdrawn. */
  undone_at: LaterColumn;
  undone_by: LaterColumn;
}

/** Which of our beds a sender's bed is. */
export interface BedMappingsTable extends MappingsTable {
  /** PV1-3 as it is sent, whole. */
  sender_bed: string;
  unit_id: number;
  bed: string;
}

/** That values which came by a bed alone may be under a wrong patient. A job withdraws them. */
interface BedReplaysTable extends CorrectedTable {
  unit_id: number;
  bed: string;
  /** What arrived before is right, and what arrived after it was made. */
  since: number;
  made_at: number;
  /** The user who moved a patient, or took a release back. */
  made_by: number | null;
}

/** Which kind a sender's code means. */
export interface CodeMappingsTable extends MappingsTable {
  /** The first triplet of OBX-3 as it is sent. */
  code_id: string;
  code_text: string;
  code_system: string;
  kind: VitalKind;
  /** 1: a value without a unit is in the unit of the kind. */
  is_unitless: 0 | 1;
  /** When what came before it was read from the kept messages; null: not yet. */
  earlier_read_at: LaterColumn;
  /** JSON: how far the reading has come (`takeAgain`). */
  earlier_progress: ColumnType<string | null, null | undefined, string | null>;
  /** JSON: what became of it (`earlierResult`). Null in rows of before version 36: nothing was read. */
  earlier_result: ColumnType<string | null, null | undefined, string>;
}

/** That a source of what is read again from kept messages has values of a patient in a day of its device. */
interface EarlierDaysTable {
  device_id: number;
  patient_id: number;
  /** Since 1970, UTC. */
  day: number;
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
