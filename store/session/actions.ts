import { createAction } from '@reduxjs/toolkit';
import type { FailureCause } from '../../lib/api/failureCause';
import type { User } from '../../lib/session/schema';

/** A page as it came from the server. */
export interface OpenedPage {
  /** For whom it was rendered; null: a page for everybody. */
  user: User | null;
  /** The page is that of the lock screen. */
  isLocked: boolean;
}

/** A page has come, by a load or a navigation. */
export const pageOpened = createAction<OpenedPage>('session/pageOpened');
/** The session waits for its user's password. */
export const sessionLocked = createAction('session/locked');
export const sessionUnlocked = createAction('session/unlocked');
/** The server could not say who is signed in, and why. */
export const sessionLost = createAction<FailureCause>('session/lost');
/** The session is over, and what this page was rendered for with it. */
export const sessionEnded = createAction('session/ended');
/** Signed out without the server. */
export const sessionEndedHere = createAction('session/endedHere');
