import type { Mail } from './mailer';

const closing = '\n\nThis mail was sent by Wardlight. Replies to it are not read.\n';

/** Returns the mail with an invitation's link. */
export function invitationMail(to: string, siteName: string, link: string): Mail {
  return {
    kind: 'invitation',
    to,
    subject: `Your invitation to ${siteName}`,
    text:
      `An administrator of ${siteName} invites you to Wardlight. ` +
      `Open this link to choose your password:\n\n${link}\n\n` +
      `It works once, for 72 hours. If you do not expect this invitation, do nothing.${closing}`,
  };
}

/** Returns the mail with a password reset's link. `byAdministrator`: an administrator asked for it. */
export function resetMail(to: string, link: string, byAdministrator: boolean): Mail {
  const who = byAdministrator ? 'An administrator made a link for you' : 'Someone asked for a link';
  return {
    kind: 'reset',
    to,
    subject: 'Choose a new password',
    text:
      `${who} to choose a new password for your Wardlight account:\n\n${link}\n\n` +
      'It works once, for 30 minutes, and ends all your sessions. ' +
      `If you did not expect it, do nothing: your password stays.${closing}`,
  };
}

/** Returns the notice after a password was changed. */
export function passwordChangedMail(to: string, resetPage: string): Mail {
  return {
    kind: 'password-changed',
    to,
    subject: 'Your password was changed',
    text:
      `The password of your Wardlight account was changed and its sessions were ended.\n\n` +
      `If that was not you, choose another one now and tell your administrator:\n\n${resetPage}${closing}`,
  };
}

/** Returns the notice to an account's owner that someone tried to register with their address. */
export function accountExistsMail(to: string, signInPage: string, resetPage: string): Mail {
  return {
    kind: 'account-exists',
    to,
    subject: 'You have an account already',
    text:
      `Someone asked for a Wardlight account with this e-mail address, which has one. Nothing was changed.\n\n` +
      `Sign in:\n${signInPage}\n\nForgot the password:\n${resetPage}${closing}`,
  };
}

/** Returns the notice that an administrator has approved an account. */
export function approvedMail(to: string, siteName: string, signInPage: string): Mail {
  return {
    kind: 'approved',
    to,
    subject: `Your account at ${siteName} was approved`,
    text:
      `An administrator of ${siteName} approved your Wardlight account. ` +
      `You can sign in now:\n\n${signInPage}${closing}`,
  };
}

/**
 * Returns the notice to an administrator that a user opened every unit. It contains neither the reason nor any patient
 * data.
 */
export function emergencyAccessMail(to: string, siteName: string, who: string, noticesPage: string): Mail {
  return {
    kind: 'emergency-access',
    to,
    subject: `Emergency access at ${siteName}`,
    text:
      `${who} has opened every unit of ${siteName} for an emergency, for at most 60 minutes. ` +
      `Read why, look at what was done and take note of it within 72 hours:\n\n${noticesPage}${closing}`,
  };
}
