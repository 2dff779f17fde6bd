import { z } from 'zod';
import { instant } from '../time/schema';

/** So many patients can one user follow: the start page names each of them. */
export const mostFollowed = 50;

/** What became of a handoff. */
const result = z.enum(['given', 'received', 'returned']);
export type HandoffResultName = z.infer<typeof result>;

/** Numbers and times, no text: what others did, and what the rules raised, since the user last looked. */
export const followedPatient = z.object({
  patientId: z.int(),
  /** Signed notes that the user has not read, since they follow the patient, and when the last of them changed. */
  notes: z.object({ count: z.int(), at: instant }).nullable(),
  /** Alerts raised since the one that the user saw last; `lastId` is the newest of them. */
  alerts: z.object({ count: z.int(), at: instant, lastId: z.int() }).nullable(),
  /** The last result of a handoff, if another user's and not seen. */
  handoff: z.object({ id: z.int(), result, at: instant }).nullable(),
});
export type FollowedPatient = z.infer<typeof followedPatient>;

/** The patients whom the user follows and may see now; those with the newest news first. */
export const followedResponse = z.object({ items: z.array(followedPatient) });

/** What the user has seen: the last alert and the last result of a handoff that their page showed. */
export const followSeen = z.strictObject({
  alertId: z.int().positive().optional(),
  handoff: z.strictObject({ id: z.int().positive(), result }).optional(),
});
export type FollowSeen = z.output<typeof followSeen>;
