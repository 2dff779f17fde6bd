import { z } from 'zod';
import { instant } from '../time/schema';
import { checkInFor } from './schema';

/** How long a link works, in days. */
export const linkDays = { least: 1, usual: 30, most: 90 } as const;

export const newCheckInLink = z.strictObject({
  for: z.enum(checkInFor),
  lastsDays: z
    .int('is not a whole number')
    .min(linkDays.least, 'is less than 1 day')
    .max(linkDays.most, 'is more than 90 days')
    .default(linkDays.usual),
  /** Made by the page for each new link: the same one again, after a lost response, makes no second link. */
  clientId: z.uuid().nullable().default(null),
});
export type NewCheckInLink = z.output<typeof newCheckInLink>;

export const linkStates = ['active', 'expired', 'revoked', 'locked'] as const;
export type LinkState = (typeof linkStates)[number];

/** On what kind of device a link was opened last, as far as the browser says. */
export const openedOn = ['phone', 'tablet', 'computer'] as const;
export type OpenedOn = (typeof openedOn)[number];

const person = z.object({ id: z.int(), name: z.string() });

/** A check-in link as staff see it. Its secret is shown once, when it is made. */
export const checkInLink = z.object({
  id: z.int(),
  patientId: z.int(),
  for: z.enum(checkInFor),
  createdAt: instant,
  createdBy: person,
  expiresAt: instant,
  state: z.enum(linkStates),
  revokedAt: instant.nullable(),
  revokedBy: person.nullable(),
  /** After the fifth wrong year of birth. */
  lockedAt: instant.nullable(),
  wrongTries: z.int(),
  openedAt: instant.nullable(),
  lastOpenedAt: instant.nullable(),
  openedOn: z.enum(openedOn).nullable(),
});
export type CheckInLink = z.infer<typeof checkInLink>;

export const checkInLinksResponse = z.object({
  patientId: z.int(),
  items: z.array(checkInLink),
  /** What their pages say of the ward's hours, and whom to call outside them; null: nothing. */
  outOfHoursText: z.string().nullable(),
});

export const createdCheckInLink = z.object({
  link: checkInLink,
  secret: z.string(),
  /** The page with the secret in its fragment, which browsers send to no server. */
  address: z.string(),
});
