import type { MessageReason } from './schema';
import { settingsQuestions } from './settingsWords';

const { identifiers, beside, bedRoute, charset, missingStatus } = settingsQuestions;
const { texts, missingUnits, coreTemperatures } = settingsQuestions;
const mappings = 'Admin, Mappings';
export const authoritiesPage = 'Admin, Site: authorities of MRNs';

/**
 * Why a message was not wholly taken, or got no answer of its own; then what is decided here and may change it for the
 * next one: questions about its sender, or a page.
 */
export const reasonWords: Readonly<Record<MessageReason, readonly [why: string, ...settings: string[]]>> = {
  malformed_sample: ['A value whose status is not known (OBX-11)', missingStatus],
  unknown_patient: ['The patient is not known'],
  other_site_patient: ['The patient is of another site'],
  discharged_patient: ['The patient is discharged'],
  not_its_patient: ['The device does not send for this patient'],
  unknown_kind: ['A kind of value that is not known'],
  impossible_value: ['A value that no patient has'],
  unparsable_time: ['A value without a readable time'],
  time_in_future: ['A time in the future'],
  identity_conflict: ['No patient matches it', identifiers, beside, authoritiesPage],
  no_identifier: ['No MRN, and the bed may not decide', identifiers, bedRoute],
  unknown_bed: ['The bed is not mapped', mappings],
  empty_bed: ['No patient was in the bed', mappings],
  bed_changing: ['The bed changed patients at about that time', 'a release on the patient’s page'],
  training: ['Training or demo', 'accepting the sender for a trial'],
  clock_wrong: ['A time more than 24 h off'],
  unknown_unit: ['A unit that is not taken', missingUnits],
  unknown_text: ['A text beside a known number that was not asked about', texts],
  too_many_sources: ['The sender has too many sources'],
  unknown_code: ['A code that is not known', mappings, coreTemperatures, texts],
  not_hl7: ['Not a readable HL7 message'],
  charset: ['A character set that is not read (MSH-18)', charset],
  wrong_code: ['The code was mapped to another vital sign', mappings],
  no_control_id: ['MSH-10 is empty'],
  message_type: ['Not ORU^R01 (MSH-9)'],
  processing_id: ['MSH-11 is not P, T or D'],
  version: ['Not version 2 (MSH-12)'],
  not_stored: ['Nothing could be stored: it has to come again'],
  too_long: ['Longer than 128 KiB'],
  repeated: ['Sent again: it got the answer of the first'],
  acknowledgement: ['An acknowledgement, which gets no answer'],
};
