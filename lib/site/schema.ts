import { z } from 'zod';
import { patientLabels } from '../chat/patientLabels';
import { line } from '../line';
import { email, setupBody } from '../session/schema';
import { dateOrders } from '../time/parseDateOfBirth';
import { instant } from '../time/schema';
import { intendedUseVersion } from './intendedUse';
import { signUpModes } from './signUpModes';

/**
 * Minutes without input after which a screen may lock; more than 30 is too long for a shared one (NIST SP 800-63B-4).
 */
export const idleMinuteLimits = { least: 2, most: 30 } as const;

const { timeZone } = setupBody.shape;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is not a time such as 07:30');
const timesOfDay = z
  .array(timeOfDay)
  .min(1, 'needs at least one time')
  .max(6, 'holds more than 6 times')
  .refine((times) => new Set(times).size === times.length, 'holds a time twice')
  .transform((times) => times.toSorted());

/** A site as its administrators see it. `version` guards against lost updates. */
export const siteSettings = z.object({
  id: z.int(),
  name: z.string(),
  timeZone: z.string(),
  isDemo: z.boolean(),
  emergencyNumber: z.string().nullable(),
  /** Null: the emergency number is called. */
  rapidResponseNumber: z.string().nullable(),
  signUpMode: z.enum(signUpModes),
  idleMinutes: z.int(),
  /** When shifts begin, in the site's time. */
  shiftStarts: z.array(z.string()),
  /** When check-ins from home are due, in the site's time. */
  checkInTimes: z.array(z.string()),
  /** What patients at home read about the ward's hours, and whom to call outside them; null: nothing. */
  outOfHoursText: z.string().nullable(),
  /** How much the chat service sees of a patient. */
  chatPatientLabel: z.enum(patientLabels),
  /** How a date of birth in figures is read. */
  dateOrder: z.enum(dateOrders),
  /** Whose numbers in HL7 messages (PID-3.4) are MRNs of the site; empty: those of any authority. */
  mrnAuthorities: z.array(z.string()),
  /**
   * By what names MR numbers of HL7 messages came since the start of the server, each with its namespace and universal
   * id as far as they were sent; and in how many messages.
   */
  seenAuthorities: z.array(z.object({ names: z.array(z.string()), messages: z.int() })),
  /** Who accepted the intended use, and when; null: no one yet. */
  intendedUse: z
    .object({
      acceptedAt: instant,
      acceptedBy: z.string(),
      /** False if the statement has changed since: it is to be accepted again. */
      isCurrent: z.boolean(),
    })
    .nullable(),
  /** The newest backup that was checked and found good. */
  backup: z.object({ takenAt: instant.nullable(), isOverdue: z.boolean() }),
  /** What the server's clock says and what it should say, if it may be wrong by more than a day. */
  clockDoubt: z.object({ statedAt: instant, expectedAt: instant }).nullable(),
  version: z.int(),
});
export type SiteSettings = z.infer<typeof siteSettings>;

/** The longest that a list of authorities can name, in characters. */
export const longestAuthority = 200;

const dialled = line(30)
  .pipe(z.string().regex(/^[\d +*#()/-]+$/, 'is not a number to dial'))
  .nullable()
  .optional();

export const sitePatch = z.strictObject({
  version: z.int().positive(),
  name: line(100).optional(),
  timeZone: timeZone.optional(),
  emergencyNumber: dialled,
  rapidResponseNumber: dialled,
  signUpMode: z.enum(signUpModes).optional(),
  idleMinutes: z
    .int('is not a whole number')
    .min(idleMinuteLimits.least, 'is less than 2 minutes')
    .max(idleMinuteLimits.most, 'is more than 30 minutes')
    .optional(),
  shiftStarts: timesOfDay.optional(),
  checkInTimes: timesOfDay.optional(),
  outOfHoursText: line(200).nullable().optional(),
  chatPatientLabel: z.enum(patientLabels).optional(),
  dateOrder: z.enum(dateOrders).optional(),
  mrnAuthorities: z
    .array(line(longestAuthority))
    .max(20, 'has more than 20 lines')
    .refine((lines) => new Set(lines).size === lines.length, 'has a line twice')
    .optional(),
});
export type SitePatch = z.output<typeof sitePatch>;

/** A site as the administrators of the installation see it: nothing of what is within. */
const listedSite = z.object({
  id: z.int(),
  name: z.string(),
  timeZone: z.string(),
  createdAt: instant,
  /** How many people may sign in. */
  users: z.int(),
});
export type ListedSite = z.infer<typeof listedSite>;
export const sitesResponse = z.object({ items: z.array(listedSite), total: z.int() });

export const newSite = z.strictObject({
  name: line(100),
  timeZone,
  /** The address of its first administrator. */
  adminEmail: email,
  clientId: z.uuid(),
});
export type NewSite = z.output<typeof newSite>;

/** Invites the first administrator of a site again, whose invitation was lost, wrong or too old. */
export const siteInvitation = z.strictObject({ siteId: z.int().positive(), adminEmail: email });

/** Says that the server's clock is right. */
export const clockBody = z.strictObject({ isRight: z.literal(true, 'has to be confirmed') });

/** Accepts what Wardlight is for and what it is not. */
export const intendedUseBody = z.strictObject({
  accepted: z.literal(true, 'has to be accepted'),
  /** The version of the statement that was read. A page that was opened before an update shows an older one. */
  version: z
    .literal(intendedUseVersion, 'is not that of this server’s statement: reload the page and read it')
    .optional(),
});
