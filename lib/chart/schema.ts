import { z } from 'zod';
import { line } from '../line';
import { instant } from '../time/schema';
import {
  deviceValue,
  limitsValue,
  news2Value,
  newValues,
  spo2Value,
  standbyValue,
  stayValue,
  storedValues,
} from './sections';

const rowId = z.int().positive();
/** Of a chart: it grows with each entry that people write, end or mark. */
const version = rowId;
/** Made by the page for each new entry: the same one again, after a lost response, adds nothing. */
const clientId = z.uuid();
/** The user of the page: another one may have signed in in this browser meanwhile. */
const authorId = rowId;
const source = line(120);
const reason = line(300).pipe(z.string().min(3, 'is too short'));

/** Returns the body of a new entry. With `replaces` it corrects a current entry of its section, and says why. */
const newEntry = <Value extends z.ZodType, Source extends z.ZodType, EffectiveAt extends z.ZodType>(
  value: Value,
  from: Source,
  effectiveAt: EffectiveAt,
) =>
  z
    .strictObject({
      clientId,
      authorId,
      version,
      value,
      /** Who or what says so: "the patient", "letter of the practice". Null: not stated. */
      source: from,
      /** Since when it holds, not in the future. Null: not stated. */
      effectiveAt,
      replaces: rowId.nullable().default(null),
      reason: reason.nullable().default(null),
    })
    .refine(({ replaces, reason: why }) => (replaces === null) === (why === null), {
      path: ['reason'],
      message: 'is needed for a correction, and for nothing else',
    });

const stated = [source.nullable(), instant.nullable()] as const;
export const newIdentifier = newEntry(newValues.identifiers, ...stated);
export const newContact = newEntry(newValues.contacts, ...stated);
export const newTeamEntry = newEntry(newValues.team, ...stated);
export const newAllergy = newEntry(newValues.allergies, ...stated);
export const newCondition = newEntry(newValues.conditions, ...stated);
export const newMedication = newEntry(newValues.medications, ...stated);
export const newOxygen = newEntry(newValues.oxygen, ...stated);
/** Source and date are needed (clinical.md section 7). */
export const newCodeStatus = newEntry(newValues.codeStatus, source, instant);

/** Marks an entry as entered in error, or ends one that does not hold any more. */
export const entryMark = z.strictObject({ authorId, version, reason });

export const entryStatuses = ['current', 'superseded', 'ended', 'entered_in_error'] as const;
export type EntryStatus = (typeof entryStatuses)[number];

const person = z.object({ id: z.int(), name: z.string() });

const entry = <Section extends string, Value extends z.ZodType>(section: Section, value: Value) =>
  z.object({
    /** Of its section: entries of two sections may have the same one, unless people write both. */
    id: z.int(),
    section: z.literal(section),
    value,
    source: z.string().nullable(),
    effectiveAt: instant.nullable(),
    /** Null: the product itself, or not recorded. */
    author: person.nullable(),
    /** Null: a default that no one has recorded. */
    recordedAt: instant.nullable(),
    /** The entry that it corrects. */
    replaces: z.int().nullable(),
    /** Why it corrects that one, or why it was set. */
    reason: z.string().nullable(),
    status: z.enum(entryStatuses),
    /** Who ended it or marked it as entered in error, when and why. */
    mark: z.object({ by: person.nullable(), at: instant, reason: z.string().nullable() }).nullable(),
  });

const identifiers = entry('identifiers', storedValues.identifiers);
const contacts = entry('contacts', storedValues.contacts);
const team = entry('team', storedValues.team);
const codeStatus = entry('codeStatus', storedValues.codeStatus);
const allergies = entry('allergies', storedValues.allergies);
const conditions = entry('conditions', storedValues.conditions);
const medications = entry('medications', storedValues.medications);
const oxygen = entry('oxygen', storedValues.oxygen);

/** An entry that people write. It never changes: a correction is another entry. */
export const writtenEntry = z.discriminatedUnion('section', [
  identifiers,
  contacts,
  team,
  codeStatus,
  allergies,
  conditions,
  medications,
  oxygen,
]);
export type WrittenEntry = z.output<typeof writtenEntry>;

const written = <Section extends string, Value extends z.ZodType>(section: Section, value: Value) =>
  z.object({ section: z.literal(section), value });
/** What of an entry its author writes: the section and its value. */
export const writtenValue = z.discriminatedUnion('section', [
  written('identifiers', storedValues.identifiers),
  written('contacts', storedValues.contacts),
  written('team', storedValues.team),
  written('codeStatus', storedValues.codeStatus),
  written('allergies', storedValues.allergies),
  written('conditions', storedValues.conditions),
  written('medications', storedValues.medications),
  written('oxygen', storedValues.oxygen),
]);
export type WrittenValue = z.output<typeof writtenValue>;

/**
 * A chart: of each section all entries, the newest first. Without a current entry nothing is recorded: a code status is
 * not "full" then, and no one has asked for allergies.
 */
export const chart = z.object({
  patientId: z.int(),
  version: z.int(),
  /** The patient is at home, and no current contact says how to reach them. */
  isPhoneMissing: z.boolean(),
  sections: z.object({
    identifiers: z.array(identifiers),
    contacts: z.array(contacts),
    team: z.array(team),
    codeStatus: z.array(codeStatus),
    spo2: z.array(entry('spo2', spo2Value)),
    news2: z.array(entry('news2', news2Value)),
    allergies: z.array(allergies),
    conditions: z.array(conditions),
    medications: z.array(medications),
    oxygen: z.array(oxygen),
    devices: z.array(entry('devices', deviceValue)),
    limits: z.array(entry('limits', limitsValue)),
    standbys: z.array(entry('standbys', standbyValue)),
    stays: z.array(entry('stays', stayValue)),
  }),
});
export type Chart = z.output<typeof chart>;

/** A new entry as it is stored, and the chart's version with it. */
export const chartChange = z.object({ patientId: z.int(), version: z.int(), entry: writtenEntry });
export type ChartChange = z.output<typeof chartChange>;

/** For the marks beside a patient's name. */
export const chartSummary = z.object({
  patientId: z.int(),
  version: z.int(),
  /** Null: not recorded, which is not "full". */
  codeStatus: codeStatus.nullable(),
  /** Current ones, the worst first. Empty: not asked. One that `is` none: no known allergies. */
  allergies: z.array(allergies),
});
export type ChartSummary = z.output<typeof chartSummary>;
