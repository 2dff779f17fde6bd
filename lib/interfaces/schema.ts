import { z } from 'zod';
import { line } from '../line';
import { instant } from '../time/schema';

/** An HL7 sender that the site has accepted. What it did is counted since the server's start. */
export const listedSender = z.object({
  id: z.int(),
  name: z.string(),
  /** An address or a network such as 10.1.2.0/24. */
  address: z.string(),
  /** MSH-3 and MSH-4; empty if the sender leaves them out. */
  application: z.string(),
  facility: z.string(),
  acceptedAt: instant,
  revokedAt: instant.nullable(),
  /** How many connections it has now. */
  connections: z.int(),
  lastMessageAt: instant.nullable(),
  /** Messages by the answer that they got: used, wholly in quarantine, refused. */
  answers: z.object({ AA: z.int(), AE: z.int(), AR: z.int() }),
  /** Messages that came again and got the stored answer. */
  repeated: z.int(),
  /** Frames that broke off, and messages that were too long. */
  broken: z.int(),
  /** Codes that mean nothing here, the most frequent first. */
  unmapped: z.array(z.object({ code: z.string(), count: z.int() })),
});
export type ListedSender = z.infer<typeof listedSender>;

/** A sender whose messages are refused until an administrator accepts it. Nothing of its messages is kept. */
const unknownSender = z.object({
  id: z.int(),
  address: z.string(),
  application: z.string(),
  facility: z.string(),
  messages: z.int(),
  firstAt: instant,
  lastAt: instant,
});
export type ListedUnknownSender = z.infer<typeof unknownSender>;

export const sendersResponse = z.object({
  /** Where gateways connect; null: this server has no port for them. */
  door: z.object({ host: z.string(), port: z.int(), isEncrypted: z.boolean(), isExposed: z.boolean() }).nullable(),
  items: z.array(listedSender),
  total: z.int(),
  unknown: z.array(unknownSender),
});
export type SendersResponse = z.infer<typeof sendersResponse>;

/** Accepts an unknown sender into the site of the user. `address` may widen its own to a network. */
export const newSender = z.strictObject({
  unknownId: z.int().positive(),
  name: line(40),
  address: line(43),
});
export type NewSender = z.output<typeof newSender>;
