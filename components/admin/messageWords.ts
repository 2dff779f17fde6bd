import type { KeepingFault, ListedMessage, MessageReason } from '../../lib/interfaces/schema';

/** Why a message was not wholly taken, or got no answer of its own. */
export const reasonWords = {
  malformed_sample: 'A value whose status is not known (OBX-11)',
  unknown_patient: 'The patient is not known',
  other_site_patient: 'The patient is of another site',
  discharged_patient: 'The patient is discharged',
  not_its_patient: 'The device does not send for this patient',
  unknown_kind: 'A kind of value that is not known',
  impossible_value: 'A value that no patient has',
  unparsable_time: 'A value without a readable time',
  time_in_future: 'A time in the future',
  identity_conflict: 'No patient matches it',
  no_identifier: 'No patient number and no bed',
  unknown_bed: 'The bed is not mapped',
  empty_bed: 'No patient was in the bed',
  bed_changing: 'The patient of the bed changed about then',
  training: 'Training or demo',
  clock_wrong: 'A time more than 24 h from ours',
  unknown_unit: 'A unit that is not taken',
  too_many_sources: 'The sender has too many sources',
  unknown_code: 'A code that is not known',
  not_hl7: 'Not one HL7 message',
  charset: 'A character set that is not read (MSH-18)',
  wrong_code: 'The code was mapped to another vital sign',
  no_control_id: 'MSH-10 is empty',
  message_type: 'Not ORU^R01 (MSH-9)',
  processing_id: 'MSH-11 is not P, T or D',
  version: 'Not version 2 (MSH-12)',
  not_stored: 'Nothing could be stored: it has to come again',
  too_long: 'Longer than 128 KiB',
  repeated: 'Sent again: it got the answer of the first',
  acknowledgement: 'An answer, which gets none',
} as const satisfies Record<MessageReason, string>;

/** Why contents are not kept now. */
export const faultWords = {
  key: 'The key can be neither read nor made. See HL7_RAW_KEY_FILE in the documentation.',
  disk: 'The disk of the server is nearly full, or takes no file.',
  storage: 'Nothing can be stored now.',
} as const satisfies Record<KeepingFault, string>;

/** Says what became of a message. */
export function fateText({ fate, isWhole }: Pick<ListedMessage, 'fate' | 'isWhole'>): string {
  switch (fate) {
    case 'AA':
      return isWhole ? 'Taken (AA)' : 'Partly taken (AA)';
    case 'AE':
      return 'Nothing used (AE)';
    case 'AR':
      return 'Refused (AR)';
    case 'none':
      return 'Not evaluated';
  }
}

/** Returns "2.1 kB" for a number of bytes, and "140 bytes" below 1,000. */
export function sizeText(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
}
