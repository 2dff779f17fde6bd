import { z } from 'zod';
import { priorities } from '../alerts/priority';
import { instant } from '../time/schema';

/** An alert that sounds for the user. With the strip of alerts (stripSchema) it leads to its bed. */
const askingAlert = z.object({ priority: z.enum(priorities), raisedAt: instant });
export type AskingAlert = z.infer<typeof askingAlert>;

/** What a user's browser sounds. It names no patient and no bed, so that a locked session may have it. */
export const alertSound = z.object({
  /** The most urgent priority among the alerts that have asked this user; null: silence. */
  priority: z.enum(priorities).nullable(),
  /** Until when somebody has paused the sound, and who: "N. Demo". */
  pause: z.object({ until: instant, by: z.string() }).nullable(),
  /** All that sounds, the most urgent first: the browser's notifications are about these. */
  asking: z.array(askingAlert),
});
export type AlertSound = z.infer<typeof alertSound>;
