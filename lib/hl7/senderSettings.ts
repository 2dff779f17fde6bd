import { z } from 'zod';
import { toPlainLine } from '../plainText';
import { isTimeZone } from '../session/schema';
import { noRate, type VitalKind } from '../vitals/kinds';
import { codeFrom, codeRow, isImpossible, isSomeTemperature, labelOf, sentAs, unitOf } from './codes';
import type { Code, CodeRow } from './codes';

/** Types of numbers (HL7 table 0203) that name an account, a visit or a person elsewhere, and are never an MRN here. */
export const neverMrn: readonly string[] = ['AN', 'VN', 'SS', 'NI'];

/** The longest type of a number, and the longest OBX-4, that an answer can name. */
export const longestAnswer = 20;
/** The longest part of PID-3.4. */
export const longestAuthority = 200;
/** The longest part of OBX-3. */
export const longestCode = 60;
/** The longest OBX-6. */
export const longestUnit = 150;
/** So many texts can be answered about. */
export const mostTexts = 50;

/** A part of a message as it is sent. No transform: responses hold these schemas too. */
const sentText = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => toPlainLine(text) === text, 'holds a control character');

/** What a number of a patient is, by its type and who gave it. A number that no rule names may be anybody's. */
const identifierRule = z
  .strictObject({
    /** PID-3.5 as it is sent; '' of a number without a type. */
    type: sentText(longestAnswer).normalize('NFC'),
    /** A part of PID-3.4 as it is sent; '' of a number without one. Null: those of the site, or none. */
    authority: sentText(longestAuthority).normalize('NFC').nullable(),
    /** `none`: it counts as absent. */
    is: z.enum(['mrn', 'none']),
  })
  .refine(({ type, is }) => is === 'none' || !neverMrn.includes(type.toUpperCase()), 'is never an MRN');

type IdentifierRule = z.output<typeof identifierRule>;

/** The first triplet of OBX-3 as it is sent. A code in which one sign is another is another code. */
const codePart = sentText(longestCode);
const sentTriplet = z.strictObject({ id: codePart, text: codePart, system: codePart });

/** The answer to a message that is in quarantine. `AA_WARNING` has ERR with severity W. */
export const quarantineAnswers = ['AE', 'AA_WARNING', 'AA'] as const;

/** What MSH-18 may mean where it is empty; '': UTF-8. */
export const offeredCharsets = [
  ...['', '8859/1', '8859/2', '8859/3', '8859/4', '8859/5', '8859/6', '8859/7', '8859/8', '8859/9', '8859/15'],
  ...['GB 18030-2000', 'BIG-5', 'KS X 1001', 'ISO IR87'],
];

const distinct =
  <Item>(keyOf: (item: Item) => unknown) =>
  (items: readonly Item[]): boolean =>
    new Set(items.map((item) => JSON.stringify(keyOf(item)))).size === items.length;
const codeOf = ({ code, sent = '' }: { code: Code; sent?: string }): unknown => [code, sent];
const twice = 'names the same twice';
/** No limit of the schema: responses hold these too, and their lists have none. */
const atMost =
  (most: number) =>
  ({ length }: readonly unknown[]): boolean =>
    length <= most;
const tooMany = 'are too many';

/** What two people have answered about a sender, because its messages do not say it; in the order of the screen. */
export const senderSettings = z.strictObject({
  identifiers: z
    .array(identifierRule)
    .refine(atMost(20), tooMany)
    .refine(
      distinct(({ type, authority }: IdentifierRule) => [type, authority]),
      twice,
    ),
  /**
   * What has to agree beside the number. `asSent`, of version 1: family name and birth date, if they are sent.
   * `second`: all that is sent, and a full birth date, or family name and first given initial, has to be sent.
   */
  beside: z.enum(['asSent', 'second']),
  /** Where a message names no one by a number, its bed decides. */
  bedRoute: z.boolean(),
  /** The zone of times where neither they nor MSH-7 have one; null: the site's. */
  timeZone: z.string().max(60).refine(isTimeZone, 'is not a time zone such as Europe/London').nullable(),
  charset: z.enum(offeredCharsets),
  /** A value where no OBX of the message has OBX-11: final (F), or none. */
  missingStatus: z.enum(['F', 'noValue']),
  /**
   * Whether a text beside a number of the table (`labelOf`) means what the number does; else it is no value. One that
   * is not here is held, unless it has the plain name of the kind. Null: none was ever asked about, and each is taken.
   */
  texts: z
    .array(z.strictObject({ code: sentTriplet, isMeant: z.boolean() }))
    .refine(atMost(mostTexts), tooMany)
    .refine(distinct(codeOf), twice)
    .nullable()
    .default(null),
  /**
   * The unit of values under a code whose OBX-6 is `sent`, all of it; left out: empty. Others have none. One that means
   * another unit to us, or is of another kind, is none of them.
   */
  missingUnits: z
    .array(
      z
        .strictObject({ code: sentTriplet, sent: sentText(longestUnit).optional(), unit: sentText(30) })
        .refine(({ code, sent = '', unit }) => {
          const row = codeRow(code);
          return row === null || unitOf(row, codeFrom(sent), unit) !== null;
        }, 'is not a unit of this code'),
    )
    .refine(atMost(50), tooMany)
    .refine(distinct(codeOf), twice),
  /** The sub-ids (OBX-4) under which MDC_TEMP (150344) is a core temperature. All others are no value. */
  coreTemperatures: z.array(sentText(longestAnswer)).refine(atMost(20), tooMany),
  /** Numbers that mean "no signal" under a code. */
  sentinels: z
    .array(
      z
        .strictObject({ code: sentTriplet, values: z.array(z.number()).refine(atMost(20), tooMany) })
        .refine(
          ({ code, values }) => values.every((value) => mayMeanNoSignal(codeRow(code)?.kind ?? null, value)),
          'may be the value of a patient',
        ),
    )
    .refine(atMost(50), tooMany)
    .refine(distinct(codeOf), twice),
  /** An ECG heart rate of 0 is no signal. Otherwise it is asystole. */
  isZeroRateNoSignal: z.boolean(),
  quarantine: z.strictObject({ partly: z.enum(quarantineAnswers), wholly: z.enum(quarantineAnswers) }),
});
export type SenderSettings = z.output<typeof senderSettings>;

/** What holds for a sender that was accepted before it could be asked. */
export const versionOne: SenderSettings = {
  identifiers: [{ type: 'MR', authority: null, is: 'mrn' }],
  beside: 'asSent',
  bedRoute: true,
  timeZone: null,
  charset: '',
  missingStatus: 'noValue',
  texts: null,
  missingUnits: [],
  coreTemperatures: [],
  sentinels: [],
  isZeroRateNoSignal: false,
  quarantine: { partly: 'AA', wholly: 'AE' },
};

/** What holds until two people have answered: nothing of a message is anybody's. */
export const unanswered: SenderSettings = {
  ...versionOne,
  identifiers: [],
  bedRoute: false,
  beside: 'second',
  texts: [],
  quarantine: { partly: 'AA_WARNING', wholly: 'AE' },
};

/** What a message says of a number: its type, its authorities, and in which field of PID it is. */
interface SentNumber {
  type: string;
  authorities: readonly string[];
  field: number;
}

/**
 * Returns what a number is by the answers; `other`: it may be anybody's. Where two rules name it, it is an MRN, so that
 * no bed decides beside it. Without a type only PID-3 has MRNs: PID-2 and PID-4 may be those of a visit.
 */
export function numberIs({ identifiers }: SenderSettings, { type, authorities, field }: SentNumber) {
  const names = authorities.map((name) => name.normalize('NFC'));
  const own = type.normalize('NFC');
  const found = identifiers.filter(
    (rule) =>
      rule.type === own &&
      (rule.authority === null || (rule.authority === '' ? names.length === 0 : names.includes(rule.authority))),
  );
  if (found.some(({ is }) => is === 'mrn') && (own !== '' || field === 3)) {
    return 'mrn';
  }
  return found.length > 0 && found.every(({ is }) => is === 'none') ? 'none' : 'other';
}

/** Returns whether the answers say which number is an MRN. */
export const hasMrn = ({ identifiers }: SenderSettings): boolean => identifiers.some(({ is }) => is === 'mrn');

/** Returns whether a number means "no signal" under a code: never one that a patient can have. */
export function isSentinel({ sentinels }: SenderSettings, code: Code, kind: VitalKind, value: number): boolean {
  return sentinels.some((one) => isSame(one.code, code) && one.values.includes(value)) && mayMeanNoSignal(kind, value);
}

/**
 * Returns whether a number may be said to mean "no signal": no patient can have it in any unit of the kind. The one
 * exception is a rate of 255 (clinical.md section 00, A6). Of a kind that is not known, it is judged with each value.
 */
function mayMeanNoSignal(kind: VitalKind | null, value: number): boolean {
  const isRate = kind === 'heartRate' || kind === 'pulseRate';
  return kind === null || (isRate && value === noRate) || isImpossible(kind, value);
}

/** Returns the unit that the answers give to what a code has in OBX-6; '': none. */
export function givenUnit({ missingUnits }: SenderSettings, code: Code, unit: Code): string {
  return missingUnits.find((one) => isSame(one.code, code) && (one.sent ?? '') === sentAs(unit))?.unit ?? '';
}

/** What a code of a sender means; `mappingId`: two people have mapped it. */
export interface Meaning extends CodeRow {
  mappingId: number | null;
}

/**
 * Returns what the code of a value means by the answers, or null; `known`: what it means by itself. Of a temperature
 * without its place they say where the sub-id is, and of a text beside a known number whether it means the same.
 */
export function meaningBy(
  { coreTemperatures, texts }: SenderSettings,
  { code, subId }: { code: Code; subId: string },
  known: Meaning | null,
): Meaning | null {
  if (known === null) {
    const isCore = coreTemperatures.includes(subId) && isSomeTemperature(code);
    return isCore ? { kind: 'temperature', isUnitless: false, mappingId: null } : null;
  }
  const label = texts === null || known.mappingId !== null ? null : labelOf(code);
  const answer = label === null ? undefined : texts?.find((one) => isSame(one.code, label));
  if (label === null || (answer?.isMeant ?? label.isPlain)) {
    return known;
  }
  return answer === undefined ? { ...known, isHeld: true } : null;
}

export const isSame = (one: Code, other: Code): boolean =>
  one.id === other.id && one.text === other.text && one.system === other.system;
