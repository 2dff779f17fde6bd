import { z } from 'zod';
import { line } from '../line';
import { instant } from '../time/schema';

const person = z.object({ id: z.int(), name: z.string() });
const decision = z.object({ by: person, at: instant });

/** Which of our beds a sender's bed is. It counts once a second person has confirmed it. */
export const bedMapping = z.object({
  id: z.int(),
  unit: z.string(),
  bed: z.string(),
  proposed: decision,
  /** Null: it is only proposed. */
  confirmed: decision.nullable(),
  /** Whether the caller may confirm it. */
  canConfirm: z.boolean(),
});

/** A bed of a sender, as its messages name it (PV1-3). */
export const senderBed = z.object({
  senderId: z.int(),
  sender: z.string(),
  bed: z.string(),
  /** Messages since the server's start that named no patient and this bed while it was not mapped. */
  unmapped: z.int(),
  mapping: bedMapping.nullable(),
});
export type SenderBed = z.infer<typeof senderBed>;

export const mappingsResponse = z.object({ items: z.array(senderBed), total: z.int() });

export const newBedMapping = z.strictObject({
  senderId: z.int().positive(),
  /** PV1-3 as it is sent, whole. */
  senderBed: line(100),
  unitId: z.int().positive(),
  bed: line(30),
});
export type NewBedMapping = z.output<typeof newBedMapping>;
