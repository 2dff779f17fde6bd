import { z } from 'zod';
import { user } from './schema';

/** The signed-in user as the browser keeps one; only the page itself uses `isTouring`. */
export const userInfo = user.extend({ isTouring: z.boolean().optional() });
export type UserInfo = z.infer<typeof userInfo>;
