import { z } from 'zod';
import { line } from '../line';
import { dateOrders } from '../time/parseDateOfBirth';
import { instant } from '../time/schema';
import { permissions } from './permissions';
import { userTypes } from './userTypes';

/**
 * The most characters of a password. The least is for a password being set (security.md A2: 15 without a second
 * factor).
 */
export const maxPasswordLength = 256;
export const minPasswordLength = 15;

export const email = z
  .string()
  .max(254)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email('is not an e-mail address'));

export const password = z.string().min(1, 'is empty').max(maxPasswordLength);

/** A password being set: long rather than complicated, at least 15 characters, no rule on which (NIST SP 800-63B-4). */
export const newPassword = z
  .string()
  .min(minPasswordLength, `needs at least ${minPasswordLength} characters`)
  .max(maxPasswordLength, `is longer than ${maxPasswordLength} characters`);

/** The signed-in user as every response shows one. Names follow the product spec, section 3. */
export const user = z.object({
  id: z.int(),
  fname: z.string(),
  lname: z.string(),
  email: z.string(),
  username: z.string(),
  siteId: z.int(),
  userImage: z.string().nullable(),
  type: z.enum(userTypes),
  isAdmin: z.boolean(),
  site: z.object({
    name: z.string(),
    timeZone: z.string(),
    /** All patients of this site are invented. */
    isDemo: z.boolean(),
    /**
     * Whether the alert rules have been started: always on the demo, on other sites once an administrator has accepted
     * the intended use.
     */
    rulesAreOn: z.boolean(),
    /**
     * Whether the statement of the intended use differs from the one that was accepted. The rules go on; administrators
     * are asked again.
     */
    intendedUseChanged: z.boolean(),
    /** Whether the server's clock may be wrong by more than a day. Administrators are asked. */
    isClockDoubted: z.boolean(),
    /** Whether the disk of the server is nearly full. Administrators are asked to have room made. */
    isDiskLow: z.boolean(),
    /** The number to dial in an emergency; null until an administrator has set it. */
    emergencyNumber: z.string().nullable(),
    /** The number of the rapid response team, or else the emergency number. */
    rapidResponseNumber: z.string().nullable(),
    /** Minutes without input after which the screen locks. */
    idleMinutes: z.int(),
    /** When shifts begin, in the site's time: "07:30,19:30". */
    shiftStarts: z.string(),
    /** How a date of birth in figures is read. */
    dateOrder: z.enum(dateOrders),
  }),
  /** The units whose patients are this user's own; the whole site if empty. */
  units: z.array(z.object({ id: z.int(), name: z.string() })),
  /** What this user may do, so that pages never guess. */
  permissions: z.array(z.enum(permissions)),
  /** An administrator of the first site, who with that administers the installation: adds sites. */
  administersInstallation: z.boolean(),
  /** The account may do nothing until somebody else than the administrator who opened it has confirmed it. */
  awaitsConfirmation: z.boolean(),
  /** Who made the link by which the password was set, until the user has taken note of it; else null. */
  passwordLinkBy: z.string().nullable(),
  /** Until when every unit of the site is open to this user for an emergency; null: it is not. */
  breakGlassUntil: instant.nullable(),
});
export type User = z.infer<typeof user>;

export const signInBody = z.strictObject({ email, password });
export type SignInBody = z.infer<typeof signInBody>;

/** Opens a locked session again. */
/** The user's own password, to unlock the screen or before something that a found open page must not allow. */
export const ownPassword = z.strictObject({ password });

export const setupBody = z.strictObject({
  code: z.string().trim().min(1, 'is empty').max(100),
  siteName: line(100),
  timeZone: z.string().min(1).max(60).refine(isTimeZone, 'is not a time zone such as Europe/London'),
  fname: line(100),
  lname: line(100),
  email,
  password: newPassword,
  type: z.enum(userTypes),
});
export type SetupBody = z.infer<typeof setupBody>;

/** The one-use secret of an invitation or a password reset, as its link carries it. */
const secret = z.string().min(20).max(100);

/** Asks what an invitation is for, so that its page can say it. */
export const invitationBody = z.strictObject({ invitation: secret });
export const invitationResponse = z.object({ email: z.string(), siteName: z.string(), type: z.enum(userTypes) });
export type InvitationResponse = z.infer<typeof invitationResponse>;

/** Accepts an invitation: creates the account and signs in. */
export const signUpBody = z.strictObject({
  invitation: secret,
  fname: line(100),
  lname: line(100),
  password: newPassword,
});
export type SignUpBody = z.infer<typeof signUpBody>;

/** The sites whose administrators approve accounts that people request. */
export const registrationSites = z.object({ items: z.array(z.object({ id: z.int(), name: z.string() })) });

/** Asks for an account; the response never says whether one exists. */
export const registerBody = z.strictObject({
  siteId: z.int().positive(),
  fname: line(100),
  lname: line(100),
  email,
  password: newPassword,
  type: z.enum(userTypes),
});
export type RegisterBody = z.infer<typeof registerBody>;

export const resetRequestBody = z.strictObject({ email });
export type ResetRequestBody = z.infer<typeof resetRequestBody>;
export const resetConfirmBody = z.strictObject({ token: secret, password: newPassword });
export type ResetConfirmBody = z.infer<typeof resetConfirmBody>;

/** Creates the demo ward. Every browser that is not on the server's own machine has to send the code. */
export const demoBody = z.strictObject({
  code: setupBody.shape.code.optional(),
  /** The time zone that the ward shows; the configured site's if missing. */
  timeZone: setupBody.shape.timeZone.optional(),
});

/** The people of the demo ward with their passwords, which are shown only once. */
export const demoResponse = z.object({
  people: z.array(z.object({ email: z.string(), password: z.string(), type: z.enum(userTypes) })),
});
export type DemoResponse = z.infer<typeof demoResponse>;

/** Returns whether a text is an IANA zone that this machine knows. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
