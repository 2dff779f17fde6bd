/**
 * How people get an account: not by themselves, by an administrator's invitation, or by asking for an administrator's
 * approval (invitations work then as well).
 */
export const signUpModes = ['off', 'invitation', 'approval'] as const;
export type SignUpMode = (typeof signUpModes)[number];
