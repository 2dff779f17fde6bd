import { z } from 'zod';
import { email } from '../session/schema';
import { userTypes } from '../session/userTypes';
import { instant } from '../time/schema';

const unit = z.object({ id: z.int(), name: z.string() });
const unitIds = z.array(z.int().positive()).max(100);

/** A user as administrators see one. `version` guards against lost updates. */
export const listedUser = z.object({
  id: z.int(),
  fname: z.string(),
  lname: z.string(),
  email: z.string(),
  type: z.enum(userTypes),
  isAdmin: z.boolean(),
  units: z.array(unit),
  /** `waiting`: registered and not yet approved. */
  state: z.enum(['active', 'waiting', 'disabled']),
  lastActiveAt: instant.nullable(),
  createdAt: instant,
  version: z.int(),
});
export type ListedUser = z.infer<typeof listedUser>;

export const usersResponse = z.object({ items: z.array(listedUser), total: z.int() });
export type UsersResponse = z.infer<typeof usersResponse>;

export const userPatch = z.strictObject({
  version: z.int().positive(),
  type: z.enum(userTypes).optional(),
  isAdmin: z.boolean().optional(),
  isDisabled: z.boolean().optional(),
  unitIds: unitIds.optional(),
});
export type UserPatch = z.infer<typeof userPatch>;

export const approval = z.strictObject({
  version: z.int().positive(),
  type: z.enum(userTypes),
  unitIds: unitIds.default([]),
});

/** A user who may do nothing until somebody else than the administrator who opened the account confirms it. */
export const confirmation = z.object({
  /** That of the user. */
  id: z.int(),
  name: z.string(),
  type: z.enum(userTypes),
  isAdmin: z.boolean(),
  units: z.array(unit),
  since: instant,
  /** The administrator's name. */
  openedBy: z.string().nullable(),
  /** Whether the caller is somebody else. */
  mayConfirm: z.boolean(),
});
export type Confirmation = z.infer<typeof confirmation>;
export const confirmationsResponse = z.object({ items: z.array(confirmation), total: z.int() });

export const newInvitation = z.strictObject({
  email,
  type: z.enum(userTypes),
  isAdmin: z.boolean().default(false),
  unitIds: unitIds.default([]),
});
export type NewInvitation = z.infer<typeof newInvitation>;

export const invitation = z.object({
  id: z.int(),
  email: z.string(),
  type: z.enum(userTypes),
  isAdmin: z.boolean(),
  units: z.array(unit),
  createdAt: instant,
  expiresAt: instant,
});
export const invitationsResponse = z.object({ items: z.array(invitation), total: z.int() });
export type InvitationsResponse = z.infer<typeof invitationsResponse>;
export type Invitation = z.infer<typeof invitation>;

/**
 * A link with a one-use secret. It is shown, and only once, where no mail server is configured; else it is null.
 * `mailed`: the server has sent it by mail.
 */
export const secretLink = z.object({ link: z.string().nullable(), expiresAt: instant, mailed: z.boolean() });
export type SecretLink = z.infer<typeof secretLink>;
