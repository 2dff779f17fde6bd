import { z } from 'zod';
import { isBuiltIn, isSomeTemperature, unitsOf } from '../hl7/codes';
import { line } from '../line';
import { toPlainLine } from '../plainText';
import { instant } from '../time/schema';
import { vitalKinds, type VitalKind } from '../vitals/kinds';

const person = z.object({ id: z.int(), name: z.string() });
const decision = z.object({ by: person, at: instant });

/** What a word of a sender means here. It counts once a second person has confirmed it. */
const mapping = z.object({
  /** Of the mapping; while it is only proposed, of the proposal. */
  id: z.int(),
  proposed: decision,
  /** Null: it is only proposed. */
  confirmed: decision.nullable(),
  /** Whether the caller may confirm it. */
  canConfirm: z.boolean(),
});
export type Mapping = z.infer<typeof mapping>;

/** A bed of a sender, as its messages name it (PV1-3). */
export const senderBed = z.object({
  senderId: z.int(),
  sender: z.string(),
  bed: z.string(),
  /** Messages since the server's start that named no patient and this bed while it was not mapped. */
  unmapped: z.int(),
  mapping: mapping.extend({ unit: z.string(), bed: z.string() }).nullable(),
});
export type SenderBed = z.infer<typeof senderBed>;

/** The longest number, name or system of a code that can be mapped. */
const longestCode = 60;
const codePart = z
  .string()
  .max(longestCode)
  .refine((text) => toPlainLine(text) === text, 'holds a control character')
  .refine((text) => !text.includes('\uFFFD'), 'holds a sign that could not be read');
const triplet = z.strictObject({ id: codePart, text: codePart, system: codePart });
/**
 * A code (OBX-3) or a unit (OBX-6) as it is sent; what is not said is empty. Its first triplet is what is mapped; a
 * second one that cannot be shown is left out.
 */
export const sentCode = triplet.extend({ alternate: triplet.optional().catch(undefined) });

/** The kinds that a monitor sends as numbers. */
export const mappableKinds: readonly VitalKind[] = vitalKinds.filter((kind) => unitsOf[kind].length > 0);

/** What a code means once it is mapped. */
const meaning = z.strictObject({
  kind: z.enum(vitalKinds).refine((kind) => mappableKinds.includes(kind), 'does not come as numbers'),
  /** Whether a value without a unit is in the unit of the kind. */
  isUnitless: z.boolean(),
});

/** A number that came under a code, without whose and when. One of seven digits is no vital sign, but may be a name. */
export const sentValue = z.object({ value: z.number().min(-999_999).max(999_999), unit: sentCode });
export type SentValue = z.infer<typeof sentValue>;

/** What became of the values that came before a code was mapped. */
export const earlierResult = z.object({
  /** Those that are in charts. */
  values: z.int(),
  /** Those of no patient who was here, and those that would be refused now too. */
  leftOut: z.int(),
  /** Messages, or parts of files, that cannot be opened. */
  unread: z.int(),
});
export type EarlierResult = z.infer<typeof earlierResult>;

/** A code of a sender that no table has. */
export const senderCode = z.object({
  senderId: z.int(),
  sender: z.string(),
  code: sentCode,
  /** How often it came since the server's start while it was not mapped. */
  unmapped: z.int(),
  /** The last numbers of these, the newest first. */
  last: z.array(sentValue),
  mapping: mapping
    .extend({
      kind: z.enum(vitalKinds),
      isUnitless: z.boolean(),
      /**
       * What came before it was confirmed: is being read, waits for the key of the messages, or was read. Null: it is
       * only proposed, or was confirmed by a release that read nothing.
       */
      earlier: z.union([z.literal('reading'), z.literal('key_missing'), earlierResult]).nullable(),
    })
    .nullable(),
});
export type SenderCode = z.infer<typeof senderCode>;

/** What a kind shows now in the whole site, to compare with. */
const shownValues = z.object({ count: z.int(), min: z.number(), middle: z.number(), max: z.number() });
export type ShownValues = z.infer<typeof shownValues>;

export const mappingsResponse = z.object({
  items: z.array(senderBed),
  total: z.int(),
  codes: z.array(senderCode),
  shown: z.partialRecord(z.enum(vitalKinds), shownValues),
});
export type MappingsResponse = z.infer<typeof mappingsResponse>;

export const newBedMapping = z.strictObject({
  senderId: z.int().positive(),
  /** PV1-3 as it is sent, whole. */
  senderBed: line(100),
  unitId: z.int().positive(),
  bed: line(30),
});
export type NewBedMapping = z.output<typeof newBedMapping>;

export const newCodeMapping = meaning.extend({
  senderId: z.int().positive(),
  code: sentCode
    .refine(({ id, text }) => `${id}${text}` !== '', 'is empty')
    .refine((code) => !isBuiltIn(code), {
      error: 'is known already',
    })
    // Core or skin is said of each probe, in the settings of the sender.
    .refine((code) => !isSomeTemperature(code), { error: 'depends on the probe' }),
});
export type NewCodeMapping = z.output<typeof newCodeMapping>;
