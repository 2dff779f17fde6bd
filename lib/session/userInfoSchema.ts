import { z } from 'zod';
import { user } from './schema';

/** The signed-in user as the browser keeps one; `isTouring` is the page's own. */
export const userInfo = user.extend({ isTouring: z.boolean().optional() });
export type UserInfo = z.infer<typeof userInfo>;
