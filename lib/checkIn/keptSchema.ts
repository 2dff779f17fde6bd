import { z } from 'zod';
import { breathlessness, redFlag, sinceYesterday, symptomAnswersBy } from '../symptoms/schema';
import { checkInReadings } from './schema';

/** A check-in that has not reached the server, as a phone keeps it: no name, no secret, no year of birth. */
export const keptCheckIn = z.strictObject({
  clientId: z.uuid(),
  /** The fingerprint of the link by which it is sent; of no other one, because several people may share a phone. */
  link: z.string(),
  /** When it was made, by the phone's clock in epoch milliseconds. */
  madeAt: z.int(),
  /** Whether a try to send it may have reached the server: its answer was lost, or the page was closed before it. */
  mayHaveArrived: z.boolean().default(true),
  answers: z.strictObject({
    answers: symptomAnswersBy,
    breathlessness: breathlessness.nullable(),
    redFlags: z.array(redFlag),
    sinceYesterday: sinceYesterday.nullable(),
    readings: checkInReadings,
  }),
});
export type KeptCheckIn = z.output<typeof keptCheckIn>;

/** What a phone remembers of a check-in that got too old, until its link is opened again: nothing that was answered. */
export const tooOldNotice = keptCheckIn.omit({ answers: true }).extend({ isTooOld: z.literal(true) });
export type TooOldNotice = z.output<typeof tooOldNotice>;

/** What a page says of a check-in that got too old. */
export type TooOld = Pick<TooOldNotice, 'madeAt' | 'mayHaveArrived'>;

/** What each row of the phone's storage has, also one that another release wrote. */
export const keptRow = z.looseObject({ clientId: z.string() });
