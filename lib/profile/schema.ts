import { z } from 'zod';
import { line } from '../line';
import { newPassword, password } from '../session/schema';
import { instant } from '../time/schema';

/** What users change in their own account: one name or both. */
export const profilePatch = z
  .strictObject({ fname: line(100).optional(), lname: line(100).optional() })
  .refine(({ fname, lname }) => fname !== undefined || lname !== undefined, 'holds neither fname nor lname');

export const passwordChange = z.strictObject({ current: password, password: newPassword });

/** The media types of a picture. */
export const pictureTypes = ['image/png', 'image/jpeg'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** The most bytes of a picture that is sent, and the pixels of each edge of the one that is kept. */
export const maxPictureBytes = 2_097_152;
export const pictureEdge = 256;

/** Names a session to its user: a hash of the name that the cookie carries. */
export const sid = z.string().regex(/^[\w-]{43}$/, 'is not a session');

export const ownSession = z.object({
  sid: z.string(),
  /** The browser and system in words, such as "Firefox on Windows". */
  device: z.string(),
  ip: z.string().nullable(),
  startedAt: instant,
  /** When its page was last touched. */
  lastUsedAt: instant,
  isLocked: z.boolean(),
  /** True for the session of this request. */
  isCurrent: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSession>;

export const ownSessionsResponse = z.object({ items: z.array(ownSession), total: z.int() });
export type OwnSessionsResponse = z.infer<typeof ownSessionsResponse>;
