import { z } from 'zod';
import { seenStructure } from '../hl7/seenStructure';
import { senderSettings } from '../hl7/senderSettings';
import { line } from '../line';
import { instant } from '../time/schema';
import { rejectionCodes } from '../vitals/schema';

/** So many full minutes before now the rate of a sender is of, at most. */
export const mostRateMinutes = 5;

/** An HL7 sender that the site has accepted. What it did is counted since the server's start. */
export const listedSender = z.object({
  id: z.int(),
  name: z.string(),
  /** The name in the certificate by which it is known; null: by address, MSH-3 and MSH-4, which are empty otherwise. */
  certificate: z.string().nullable(),
  /** An address or a network such as 10.1.2.0/24. */
  address: z.string(),
  /** MSH-3 and MSH-4; empty if the sender leaves them out. */
  application: z.string(),
  facility: z.string(),
  /** It reaches trial patients only, and its messages may be marked as training. */
  isTrial: z.boolean(),
  /** How often two people have answered about it; 0: not yet, so that nothing of it is taken. */
  settingsVersion: z.int(),
  /** It is from before that could be asked, and its numbers count without name and birth date. */
  takesNumberAlone: z.boolean(),
  acceptedAt: instant,
  revokedAt: instant.nullable(),
  /** How many connections it has now. */
  connections: z.int(),
  lastMessageAt: instant.nullable(),
  /** Messages in a minute, of so many full minutes before now; null: its first minute is not over. */
  rate: z.object({ perMinute: z.number(), minutes: z.int() }).nullable(),
  /**
   * How long its answers took from the last byte of a message on, in milliseconds, of the last five minutes; null: it
   * got none.
   */
  answerMs: z.object({ middle: z.number(), longest: z.number() }).nullable(),
  /**
   * How far the clocks of its monitors are behind ours, in milliseconds; negative: ahead. Of those that sent a value
   * within the last hour; null: none of them is known.
   */
  clockBehindMs: z.object({ least: z.number(), most: z.number() }).nullable(),
  /** Messages by what became of them: used, wholly in quarantine, refused. */
  answers: z.object({ AA: z.int(), AE: z.int(), AR: z.int() }),
  /** Messages that came again and got the stored answer. */
  repeated: z.int(),
  /** Frames that broke off, and messages that were too long. */
  broken: z.int(),
  /** Codes that mean nothing here, the most frequent first. */
  unmapped: z.array(z.object({ code: z.string(), count: z.int() })),
});
export type ListedSender = z.infer<typeof listedSender>;

/**
 * A sender whose messages are refused until an administrator accepts it. Nothing of its messages is kept but what they
 * look like.
 */
const unknownSender = z.object({
  id: z.int(),
  address: z.string(),
  /** The name in its certificate; null: it has shown none, or one without a name that can be used. */
  certificate: z.string().nullable(),
  application: z.string(),
  facility: z.string(),
  messages: z.int(),
  firstAt: instant,
  lastAt: instant,
  seen: seenStructure,
});
export type ListedUnknownSender = z.infer<typeof unknownSender>;

/** What came by the port and is no message: why the TLS handshake was refused, or what is wrong with the frame. */
const connectionRefusals = [
  'no_certificate',
  'expired',
  'wrong_certificate',
  'not_trusted',
  'not_tls',
  'not_agreed',
  'unfinished',
  'other',
  'no_frame',
  'no_start',
  'batch',
  'bom',
  'not_hl7',
] as const;
export type ConnectionRefusal = (typeof connectionRefusals)[number];

export const sendersResponse = z.object({
  /** Where gateways connect; null: this server has no port for them. */
  door: z.object({ host: z.string(), port: z.int(), isEncrypted: z.boolean(), isExposed: z.boolean() }).nullable(),
  items: z.array(listedSender),
  total: z.int(),
  unknown: z.array(unknownSender),
  /** What came and is no message, by address and reason, since the server's start; the newest first. */
  refusedConnections: z.array(
    z.object({
      address: z.string(),
      reason: z.enum(connectionRefusals),
      /** What the last one looks like: of its first 40 bytes letters are "a", digits "9", controls U+FFFD. */
      shape: z.string().nullable(),
      count: z.int(),
      lastAt: instant,
    }),
  ),
});
export type SendersResponse = z.infer<typeof sendersResponse>;

/**
 * Accepts an unknown sender into the site of the user. `address` may widen its own to a network; null: it is known by
 * its certificate.
 */
export const newSender = z.strictObject({
  unknownId: z.int().positive(),
  name: line(40),
  address: line(43).nullable(),
  isTrial: z.boolean().default(false),
});
export type NewSender = z.output<typeof newSender>;

/** What two people answer about a sender: one proposes it, another confirms it. */
export const proposedSettings = z.strictObject({
  /** The version that holds, as the user has seen it. Another one by now: 409. */
  basedOn: z.int().min(0),
  settings: senderSettings,
});
export type ProposedSettings = z.output<typeof proposedSettings>;

const listedSettings = z.object({
  id: z.int(),
  name: z.string(),
  /** 0: no one has answered yet, so that nothing of it is taken. */
  version: z.int(),
  /** Null: not yet. */
  since: instant.nullable(),
  settings: senderSettings,
  /** What to propose: what holds, or answers that follow from what was seen. */
  suggested: senderSettings,
  seen: seenStructure,
  proposal: z
    .object({
      id: z.int(),
      wanted: senderSettings,
      by: z.object({ id: z.int(), name: z.string() }),
      at: instant,
      /** What the caller may do with it. */
      canConfirm: z.boolean(),
      canReject: z.boolean(),
    })
    .nullable(),
});
export type ListedSettings = z.infer<typeof listedSettings>;

export const senderSettingsResponse = z.object({ items: z.array(listedSettings), total: z.int() });
export type SenderSettingsResponse = z.infer<typeof senderSettingsResponse>;

/** What became of a message, as MSA-1 says it, or `none` if the message got no answer of its own. */
export const messageFates = ['AA', 'AE', 'AR', 'none'] as const;

/** Why a message was not wholly taken, the first of several reasons; or why it got no answer of its own. */
export const messageReasons = [
  ...rejectionCodes,
  'unknown_code',
  'not_hl7',
  'charset',
  'no_control_id',
  'message_type',
  'processing_id',
  'version',
  'not_stored',
  'too_long',
  'repeated',
  'acknowledgement',
] as const;
export type MessageReason = (typeof messageReasons)[number];

/** A message of a sender of the site. It says nothing of what is in it. */
export const listedMessage = z.object({
  id: z.int(),
  receivedAt: instant,
  sender: z.string(),
  bytes: z.int(),
  fate: z.enum(messageFates),
  reason: z.enum(messageReasons).nullable(),
  /** All of its values were taken, or it had none. */
  isWhole: z.boolean(),
  /** Its contents can be opened. */
  isKept: z.boolean(),
});
export type ListedMessage = z.infer<typeof listedMessage>;

/** Why contents are not kept now: the key, the disk with the data, or nothing at all can be stored. */
export const keepingFaults = ['key', 'disk', 'storage'] as const;
export type KeepingFault = (typeof keepingFaults)[number];

export const messagesQuery = z.strictObject({ which: z.enum(['all', 'notWhole']).default('all') });

export const messagesResponse = z.object({
  /** The last 500, the newest first. */
  items: z.array(listedMessage),
  total: z.int(),
  /** Of all sites together. */
  kept: z.object({
    usedBytes: z.int(),
    mostBytes: z.int(),
    /** Messages since the server's start whose contents were not kept. */
    notKept: z.int(),
    fault: z.enum(keepingFaults).nullable(),
  }),
});
export type MessagesResponse = z.infer<typeof messagesResponse>;

/** What is in a message, one segment a line. A control character is U+FFFD. */
export const openedMessage = z.object({ id: z.int(), sha256: z.string(), segments: z.array(z.string()) });
export type OpenedMessage = z.infer<typeof openedMessage>;

/** What a line of a message is taken for, or why it is not taken. */
const checkedLine = z.object({
  /** Its number in the message; 1: it is about the whole message. */
  line: z.int(),
  /** OBX-3 and OBX-6 as they were sent. */
  code: z.string(),
  unit: z.string(),
  /** '' if it is not taken. */
  taken: z.string(),
  reason: z.enum(messageReasons).nullable(),
  /** The answers about the sender, and the pages, by which that would be another one. */
  settings: z.array(z.string()),
});
export type CheckedLine = z.infer<typeof checkedLine>;

/** What the lines of a message that can have a value would be taken for now. It has none of these values. */
export const checkedMessage = z.object({ id: z.int(), lines: z.array(checkedLine), isCut: z.boolean() });
export type CheckedMessage = z.infer<typeof checkedMessage>;
