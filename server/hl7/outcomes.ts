import type { AckError } from '../../lib/hl7/acknowledge';
import type { ParsedMessage } from '../../lib/hl7/parseMessage';
import type { SenderSettings } from '../../lib/hl7/senderSettings';
import type { MessageReason } from '../../lib/interfaces/schema';
import type { RejectionCode } from '../../lib/vitals/schema';
import type { RawMessage } from './rawMessages';

/** What the application says of a message. */
export interface Outcome {
  code: 'AA' | 'AE' | 'AR';
  /** Of AA: some of it is in quarantine. */
  error?: AckError;
  /** Why it was not wholly taken. */
  reason: MessageReason | null;
}

/** What became of a message, for the list of messages. */
export type Fate = Pick<RawMessage, 'fate' | 'reason' | 'isWhole'>;

const rejected = (reason: MessageReason, code: number, text: string, location?: AckError['location']): Outcome => ({
  code: 'AR',
  error: location === undefined ? { code, text } : { code, text, location },
  reason,
});

/** HL7's own fault: nothing was stored, and the sender is to send the message again. */
export const unable = rejected('not_stored', 207, 'Nothing was stored. Send it again.');
export const unknownSender = {
  code: 'AR',
  error: { code: 207, text: 'This sender is not accepted here. An administrator has to accept it.' },
} as const;
const notHl7 = rejected('not_hl7', 100, 'This is not one HL7 message.');
/** The answer to a frame without a header that can be read, by what it is. */
export const noMessage = {
  batch: rejected('not_hl7', 100, 'No batch (FHS, BHS) is taken here. Each message needs a frame of its own.'),
  bom: rejected('not_hl7', 100, 'There is a byte order mark before MSH.'),
  not_hl7: notHl7,
};
/** The answer to a message that is in no frame: 0x0B is lost, and the message may not be whole. */
export const noStart = rejected('not_hl7', 207, 'Nothing was stored: there is no 0x0B before MSH. Send it again.');
/** The answer to a frame over the limit, whose beginning was not kept. */
export const tooLong = rejected('too_long', 207, 'The message is too long.');

/** What becomes of a message that comes again: it gets the answer of the first. */
export const repeated = { fate: 'none', reason: 'repeated', isWhole: true } as const;

/** Returns what became of a message with this outcome. */
export function fateOf({ code, reason }: Outcome): Fate {
  return { fate: code, reason, isWhole: reason === null };
}

/** Returns why a message is refused before anything of its patients is read, or null. */
export function refusalOf(parsed: ParsedMessage): Outcome | null {
  if (!parsed.ok) {
    return parsed.reason === 'charset'
      ? rejected('charset', 103, 'MSH-18 is a character set that is not read here, or the bytes are not of it.', {
          segment: 'MSH',
          sequence: 1,
          field: 18,
        })
      : notHl7;
  }
  const { controlId, type, processingId, version } = parsed.message.header;
  const at = (field: number) => ({ segment: 'MSH', sequence: 1, field });
  if (controlId === '') {
    return rejected('no_control_id', 101, 'MSH-10 is empty.', at(10));
  }
  if (type.code !== 'ORU' || !['R01', 'R40'].includes(type.trigger)) {
    return rejected('message_type', 200, 'Only ORU^R01 and ORU^R40 are taken here.', at(9));
  }
  if (!['', 'P', 'T', 'D'].includes(processingId)) {
    return rejected('processing_id', 202, 'MSH-11 is not P, T or D.', at(11));
  }
  return version === '' || /^2\.[1-9]/.test(version)
    ? null
    : rejected('version', 203, 'MSH-12 is not version 2.', at(12));
}

/** HL7's numbers (table 0357) for what quarantine calls by its own codes. */
const errorCodes: Partial<Record<RejectionCode, number>> = {
  identity_conflict: 204,
  no_identifier: 101,
  unknown_bed: 204,
  empty_bed: 204,
  bed_changing: 204,
  training: 202,
  unknown_unit: 103,
  unknown_text: 103,
};

/** Returns AA if some of a message was used, or there was nothing to use; else AE, and why. */
export function outcomeOf(isUsed: boolean, refused: readonly RejectionCode[], unmapped: number): Outcome {
  const [first] = refused;
  const reason = first ?? (unmapped === 0 ? null : 'unknown_code');
  const isTaken = isUsed || reason === null;
  if (first === undefined) {
    const error = { code: 103, text: 'No code of the message is known here.' };
    return isTaken ? { code: 'AA', reason } : { code: 'AE', error, reason };
  }
  const text = `${isTaken ? 'Partly in quarantine' : 'In quarantine'}: ${first}`;
  return { code: isTaken ? 'AA' : 'AE', error: { code: errorCodes[first] ?? 102, text }, reason };
}

/** Returns what a sender is answered. What is partly or wholly in quarantine is answered as its settings say. */
export function saidTo({ quarantine }: SenderSettings, { code, error }: Outcome): Omit<Outcome, 'reason'> {
  if (code === 'AR' || error === undefined) {
    return error === undefined ? { code } : { code, error };
  }
  switch (code === 'AA' ? quarantine.partly : quarantine.wholly) {
    case 'AE':
      return { code: 'AE', error };
    case 'AA_WARNING':
      return { code: 'AA', error: { ...error, severity: 'W' } };
    case 'AA':
      return { code: 'AA' };
  }
}
