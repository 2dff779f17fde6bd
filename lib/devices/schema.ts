import { z } from 'zod';
import { outcomes } from '../alerts/alertFacts';
import { line } from '../line';
import { calendarDate, instant } from '../time/schema';
import { vitalKinds } from '../vitals/kinds';
import { withdrawalReason } from '../vitals/readingsSchema';

const name = line(60);
/** How often a device sends a value, in milliseconds. */
const expectedEveryMs = z
  .int('is not a number')
  .min(100, 'is less than 0.1 s')
  .max(7 * 86_400_000, 'is more than a week');
const expiresInDays = z.int('is not a whole number').min(1, 'is less than a day').max(3_650, 'is more than 3650 days');

/** A device as users see it. */
export const listedDevice = z.object({
  id: z.int(),
  name: z.string(),
  /** The name of the HL7 sender by which its values come: it has no token. Null: it calls by itself. */
  sender: z.string().nullable(),
  /** Null: the kind of value decides. */
  expectedEveryMs: z.int().nullable(),
  createdAt: instant,
  /** When its token expires. */
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
  /** When its newest sample arrived; null: none ever did. */
  lastSeenAt: instant.nullable(),
  /** How many of its samples of the last 24 h were refused; 1000 means that many or more. */
  refused: z.int(),
  /** Whether it may send for all patients of some units, and until when for all of the site. */
  gateway: z.object({
    unitIds: z.array(z.int()),
    proposedUnitIds: z.array(z.int()),
    until: instant.nullable(),
  }),
  /**
   * The patient it is assigned to. Users who may not read patients get the place and the end of the MRN, and no name.
   */
  patient: z
    .object({
      location: z.object({ unit: z.string(), bed: z.string() }).nullable(),
      mrnEnd: z.string(),
      isTrial: z.boolean(),
      identity: z.object({ id: z.int(), name: z.string(), mrn: z.string() }).nullable(),
    })
    .nullable(),
});
export type ListedDevice = z.infer<typeof listedDevice>;

export const devicesResponse = z.object({ items: z.array(listedDevice), total: z.int() });
export type DevicesResponse = z.infer<typeof devicesResponse>;

export const newDevice = z.strictObject({
  name,
  expectedEveryMs: expectedEveryMs.optional(),
  expiresInDays: expiresInDays.optional(),
});

/** Without days the new token expires when the one before would have. */
export const newToken = z.strictObject({ expiresInDays: expiresInDays.optional() });

/** A device's token, shown only once. */
export const deviceToken = z.object({ id: z.int(), token: z.string() });

export const devicePatch = z.strictObject({
  name: name.optional(),
  expectedEveryMs: expectedEveryMs.nullable().optional(),
  /** When its token expires; null: only when a user revokes it. */
  expiresAt: instant.nullable().optional(),
  /**
   * The units for whose patients it may send as a gateway, each sample with the date of birth; empty: it is none. It
   * holds once a second user has sent the same.
   */
  unitIds: z.array(z.int()).max(1_000).optional(),
});
export type DevicePatch = z.infer<typeof devicePatch>;

/** Two identifiers, typed: a device on the wrong patient is worse than one on none. */
export const deviceAssignment = z.strictObject({ mrn: line(64), dateOfBirth: calendarDate });
export type DeviceAssignment = z.infer<typeof deviceAssignment>;

/** What comes of the MEDIUM alerts that a device leaves without a value (clinical.md section 00, A4). */
export const takingOff = z.strictObject({ outcome: z.enum([...outcomes, 'hand_on']).optional() });
export type TakingOff = z.output<typeof takingOff>;

/** Says that a device was on the wrong patient, on this one; `stayId`: when, by its entry in their chart. */
export const wrongPatient = z.strictObject({
  patientId: z.int().positive(),
  stayId: z.int().positive(),
  reason: withdrawalReason,
});

export const refusedQuery = z.strictObject({ page: z.coerce.number().int().min(1).max(200).default(1) });

/** A refused sample, without its value and its patient: users who look after devices have no clinical right. */
export const refusedSample = z.object({
  id: z.int(),
  receivedAt: instant,
  code: z.string(),
  reason: z.string(),
  kind: z.enum(vitalKinds).nullable(),
  mrnEnd: z.string().nullable(),
});
export const refusedResponse = z.object({ items: z.array(refusedSample), total: z.int() });
export type RefusedResponse = z.infer<typeof refusedResponse>;
