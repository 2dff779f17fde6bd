import type { Generated } from 'kysely';

/** The tables of HL7 gateways. */
export interface Hl7Tables {
  hl7_senders: Hl7SendersTable;
  hl7_answers: Hl7AnswersTable;
}

export interface Hl7SendersTable {
  id: Generated<number>;
  site_id: number;
  name: string;
  /** An address or a network such as 10.1.2.0/24. */
  address: string;
  /** MSH-3 and MSH-4 as they are sent, whole. Empty is a value: a sender that leaves them out. */
  application: string;
  facility: string;
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
