import { z } from 'zod';
import { userTypes } from '../session/userTypes';
import { calendarDate, instant } from '../time/schema';
import { patientRoles, unitRoles } from './roles';

const roles = [...patientRoles, ...unitRoles] as const;

/** The shift that is on, or the one after it. */
export const whichShifts = ['current', 'next'] as const;
export type WhichShift = (typeof whichShifts)[number];

/** Who holds a role in a shift; null if it was never assigned. */
export const holder = z.object({
  /** Null: no one holds the role. */
  userId: z.int().nullable(),
  name: z.string().nullable(),
  /** The former holder, if they can no longer hold it: disabled, or now of another type or unit. */
  formerName: z.string().nullable(),
  /** The start of the shift for which this was assigned. */
  since: instant,
  isCarriedOver: z.boolean(),
  /** Guards against lost updates: a change names the version that its user saw. */
  version: z.int().positive(),
});
export type Holder = z.infer<typeof holder>;

export const assignmentsQuery = z.strictObject({
  unit: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'is not a row id')
    .transform(Number),
  shift: z.enum(whichShifts).default('current'),
});

export const assignmentsResponse = z.object({
  unit: z.object({ id: z.int(), name: z.string() }),
  shift: z.object({ which: z.enum(whichShifts), start: instant, end: instant }),
  /** The active patients of the unit, by bed. */
  patients: z.array(
    z.object({
      id: z.int(),
      mrn: z.string(),
      givenName: z.string(),
      familyName: z.string(),
      isTrial: z.boolean(),
      dateOfBirth: calendarDate,
      bed: z.string().nullable(),
      holders: z.record(z.enum(patientRoles), holder.nullable()),
    }),
  ),
  roles: z.record(z.enum(unitRoles), holder.nullable()),
  /** Who can be assigned, and to what. */
  staff: z.array(z.object({ id: z.int(), name: z.string(), type: z.enum(userTypes), roles: z.array(z.enum(roles)) })),
});
export type AssignmentsResponse = z.infer<typeof assignmentsResponse>;

export const assignmentBody = z
  .strictObject({
    unitId: z.int().positive(),
    shift: z.enum(whichShifts),
    /** The start of the shift that the caller means; refused once another shift is the current or next one. */
    shiftStart: instant.optional(),
    role: z.enum(roles),
    patientId: z.int().positive().nullable(),
    userId: z.int().positive().nullable(),
    /** The version of the holder that the caller saw, 0 if there was none. */
    version: z.int().nonnegative(),
  })
  .refine(({ role, patientId }) => patientRoles.some((known) => known === role) === (patientId !== null), {
    path: ['patientId'],
    message: 'belongs to nurse and buddy, and to no other role',
  });
export type AssignmentBody = z.infer<typeof assignmentBody>;
