import { createAction } from '@reduxjs/toolkit';
import type { FailureCause } from '../../lib/api/failureCause';
import type { User } from '../../lib/session/schema';

/** A page as the server rendered it. */
export interface OpenedPage {
  /** The user for whom it was rendered; null: a public page. */
  user: User | null;
  /** The page is that of the lock screen. */
  isLocked: boolean;
}

/** A page was opened, by a load or a navigation. */
export const pageOpened = createAction<OpenedPage>('session/pageOpened');
/** The session waits for its user's password. */
export const sessionLocked = createAction('session/locked');
export const sessionUnlocked = createAction('session/unlocked');
/** The server could not tell who is signed in, and why. */
export const sessionLost = createAction<FailureCause>('session/lost');
/** The session has ended, and with it everything this page was rendered for. */
export const sessionEnded = createAction('session/ended');
/** The user wants to sign out: the page is hidden before the server is called. */
export const signOutStarted = createAction('session/signOutStarted');
/** The server refused the sign-out, with the message that says why. */
export const signOutRefused = createAction<string>('session/signOutRefused');
/** The user goes back to the page after a refused sign-out. */
export const signOutGivenUp = createAction('session/signOutGivenUp');
/** Signed out without the server. */
export const sessionEndedHere = createAction('session/endedHere');
