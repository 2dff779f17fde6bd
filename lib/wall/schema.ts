import { z } from 'zod';
import { idParam } from '../api/idParam';
import { patient } from '../patients/schema';
import { instant } from '../time/schema';
import { latestValue } from '../vitals/schema';

/** The most beds of a wall: never paged, so that no patient is out of sight (screens.md section 9). */
export const mostBeds = 48;

export const wallQuery = z.strictObject({
  /** Omitted: the unit of a user who has one, else all that the user reaches. */
  unit: idParam.optional(),
  /** The version of the response that the caller has: if nothing is newer, the response is `unchanged`. */
  after: z.string().max(60).optional(),
});
export type WallQuery = z.infer<typeof wallQuery>;

const unit = z.object({ id: z.int(), name: z.string() });

/** No name of a source: it could be a person's. */
const wallValue = latestValue
  .pick({
    value: true,
    asOf: true,
    ageUnknown: true,
    quality: true,
    notStored: true,
    isSubstitute: true,
    expectedEveryMs: true,
  })
  .extend({
    other: latestValue.shape.other.unwrap().omit({ source: true }).optional(),
    lastValid: z.object({ value: z.number(), asOf: instant }).nullable(),
    /** The side on which the value has three points of NEWS2 by itself; null: it has fewer, or no score applies. */
    threePoints: z.enum(['low', 'high']).nullable(),
  });
export type WallValue = z.infer<typeof wallValue>;

/** One patient, without anything that names them but the initials. The schema drops any other key. */
const wallTile = z.object({
  unit: z.string().nullable(),
  bed: z.string().nullable(),
  /** Who is cared for at home has no bed. */
  profile: patient.shape.profile,
  initials: z.string(),
  isTrial: patient.shape.isTrial,
  /** Another patient has the same bed. */
  isShared: z.boolean(),
  latest: z.object({
    spo2: wallValue.optional(),
    heartRate: wallValue.optional(),
    pulseRate: wallValue.optional(),
  }),
  /** The open alerts, the most urgent first. */
  alerts: z.array(patient.shape.alerts.element.omit({ id: true })),
  standby: patient.shape.standby,
  comfortCare: patient.shape.comfortCare,
});
export type WallTile = z.infer<typeof wallTile>;

/** The gateways that are silent now, without their names: how urgent, since when, and of how many patients. */
const silentGateways = z.object({
  priority: patient.shape.alerts.element.shape.priority,
  /** When the first of them called last. */
  since: instant,
  patients: z.int(),
});

/** S1 issue reports that alarm now: no word of theirs. Their alert is in no tile. */
const issueReport = z.object({
  priority: patient.shape.alerts.element.shape.priority,
  /** When the first of them alarmed. */
  since: instant,
  /** Someone has acknowledged or taken each of them. */
  isSeen: z.boolean(),
});

const wall = z.object({
  /** The unit of this wall; null: all that the user reaches. */
  unit: unit.nullable(),
  /** The units that the user reaches. */
  units: z.array(unit),
  /**
   * How many patients there are. If they are more than `mostBeds`, the wall of a unit shows those with alerts first and
   * a wall of several units shows none.
   */
  total: z.int(),
  /** By unit and bed; patients without a bed last. */
  tiles: z.array(wallTile),
  /** Patients in no unit, who are on no unit's wall, and how many of them have an active alert. */
  withoutUnit: z.object({ total: z.int(), alerting: z.int() }),
  /** Null: none that patients of this wall had their values from. */
  silentGateways: silentGateways.nullable(),
  /** What alarms this unit; those of all units that the user reaches, and of the site, on a wall of several. */
  issueReport: issueReport.nullable(),
  version: z.string(),
});
export type Wall = z.infer<typeof wall>;

export const wallResponse = z.union([wall, z.object({ unchanged: z.literal(true), version: z.string() })]);
