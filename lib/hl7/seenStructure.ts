import { z } from 'zod';
import { noRate } from '../vitals/kinds';
import { codeFrom, codeRow, labelOf, unitOf, unitsOf } from './codes';
import { isSame, mostTexts, neverMrn, unanswered, type SenderSettings } from './senderSettings';

const count = z.int();

/**
 * What the messages of a sender look like, and nothing of what is in them: how often each form came. A form that is too
 * long to be answered about, or cannot be shown, is left out.
 */
export const seenStructure = z.object({
  messages: count,
  /** PID-3.5, PID-3.4 and the field of each number. */
  identifiers: z.array(z.object({ type: z.string(), authority: z.string(), field: z.int(), count })),
  /** The first triplet of OBX-3 and OBX-6 ('' if it is empty), and whether the built-in table has the code. */
  codes: z.array(
    z.object({ id: z.string(), text: z.string(), system: z.string(), unit: z.string(), isKnown: z.boolean(), count }),
  ),
  /** The triplets of OBX-3 with a number of the table and a text that is not its own (`labelOf`). */
  texts: z.array(z.object({ id: z.string(), text: z.string(), system: z.string(), count })),
  /** The sub-ids (OBX-4) of temperatures without their place. */
  temperatures: z.array(z.object({ subId: z.string(), count })),
  /** The zone of MSH-7; '' if it has none. */
  zones: z.array(z.object({ zone: z.string(), count })),
  /** MSH-18; '' if it is empty. */
  charsets: z.array(z.object({ charset: z.string(), count })),
  /** Messages without MSH-18 whose bytes are not UTF-8. */
  notUtf8: count,
  /** PV1-3, with "a" for letters and "9" for digits. */
  beds: z.array(z.object({ shape: z.string(), count })),
  /** Patients whose PID-5.1, PID-5.2 and PID-7 are filled, and of all. */
  people: z.object({ all: count, familyNames: count, givenNames: count, birthDates: count }),
  /** Messages with values, all of them without a status (OBX-11). */
  withoutStatus: count,
});
export type SeenStructure = z.output<typeof seenStructure>;

/** Returns what a sender looks like before its first message. */
export const nothingSeen = (): SeenStructure => ({
  ...{ messages: 0, identifiers: [], codes: [], texts: [], temperatures: [], zones: [], charsets: [], beds: [] },
  ...{ notUtf8: 0, withoutStatus: 0 },
  people: { all: 0, familyNames: 0, givenNames: 0, birthDates: 0 },
});

/**
 * Returns what to propose for a new sender: the commonest number of the type MR, else PI, else none, is the MRN. What
 * the messages do not say is answered so that a value is rather refused.
 */
export function proposedAnswers(seen: SeenStructure): SenderSettings {
  const { messages, identifiers, notUtf8, withoutStatus } = seen;
  const byCount = identifiers.toSorted((a, b) => b.count - a.count);
  const [mrn] = ['MR', 'PI', ''].flatMap(
    (wanted) => byCount.find(({ type, field }) => type === wanted && (type !== '' || field === 3)) ?? [],
  );
  const others = byCount.filter(({ type }) => neverMrn.includes(type.toUpperCase()));
  const rules = new Map(
    others.map(({ type, authority }) => [`${type} ${authority}`, { type, authority, is: 'none' as const }]),
  );
  return {
    ...unanswered,
    identifiers: [
      ...(mrn === undefined ? [] : [{ type: mrn.type, authority: mrn.authority, is: 'mrn' as const }]),
      ...[...rules.values()].slice(0, 19),
    ],
    charset: notUtf8 > 0 ? '8859/1' : '',
    missingStatus: messages > 0 && withoutStatus === messages ? 'F' : 'noValue',
    texts: proposedTexts(unanswered, seen),
  };
}

/**
 * Returns what to propose about texts beside known numbers: what is answered, and of those that were seen since that
 * they mean the kind if they have its plain name. Null: none was ever asked about, and none was seen.
 */
export function proposedTexts({ texts }: SenderSettings, seen: SeenStructure): SenderSettings['texts'] {
  const asked = seen.texts.flatMap(({ id, text, system }) => {
    const code = { id, text, system };
    const label = labelOf(code);
    const isAnswered = texts?.some((one) => isSame(one.code, code)) === true;
    return label === null || isAnswered ? [] : [{ code, isMeant: label.isPlain }];
  });
  return texts === null && asked.length === 0 ? null : [...(texts ?? []), ...asked].slice(0, mostTexts);
}

/** The lists of a sender's settings that its messages have something for. */
export type Choices = Pick<SenderSettings, 'identifiers' | 'sentinels' | 'texts' | 'missingUnits' | 'coreTemperatures'>;

/** Returns what can be chosen about the numbers and codes of a sender: what is answered, and what was seen. */
export function choicesOf(answered: SenderSettings, seen: SeenStructure): Choices {
  const codes = seen.codes.flatMap(({ id, text, system, unit }) => {
    const row = codeRow({ id, text, system });
    return row === null ? [] : [{ code: { id, text, system }, row, unit }];
  });
  const rates = codes.filter(({ row: { kind } }) => kind === 'heartRate' || kind === 'pulseRate');
  return {
    identifiers: [
      ...answered.identifiers,
      ...seen.identifiers
        .filter(({ type, field }) => type !== '' || field === 3)
        .flatMap(({ type, authority }) => [
          ...(neverMrn.includes(type.toUpperCase()) ? [] : [{ type, authority, is: 'mrn' as const }]),
          { type, authority, is: 'none' as const },
        ]),
    ],
    sentinels: [...answered.sentinels, ...rates.map(({ code }) => ({ code, values: [noRate] }))],
    texts: proposedTexts(answered, seen)?.map((one) => ({ ...one, isMeant: true })) ?? null,
    missingUnits: [
      ...answered.missingUnits,
      ...codes
        .filter(({ row, unit }) => unitOf(row, codeFrom(unit)) === null)
        .flatMap(({ code, row, unit: sent }) =>
          unitsOf[row.kind].flatMap(({ names: [unit = ''] }) =>
            unitOf(row, codeFrom(sent), unit) === null ? [] : { code, ...(sent === '' ? {} : { sent }), unit },
          ),
        ),
    ],
    coreTemperatures: [...new Set([...answered.coreTemperatures, ...seen.temperatures.map(({ subId }) => subId)])],
  };
}
