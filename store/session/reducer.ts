import { createReducer } from '@reduxjs/toolkit';
import type { FailureCause } from '../../lib/api/failureCause';
import { setUserInfo } from '../authentication/actions';
import * as actions from './actions';

/** The state of this page's session. The signed-in user is in `authentication`. */
export interface SessionState {
  /** The user for whom the server rendered the page; null: a public page, or one whose session has ended. */
  pageUserId: number | null;
  /** `open`: the page shows the user of `authentication`, or nothing if there is none. */
  phase: 'open' | 'locked' | 'unreachable' | 'signingOut' | 'endedHere';
  /** Why the server could not tell who is signed in, the last time. */
  lostBecause: FailureCause;
  /** Why the server refused the sign-out; null before it has responded. */
  signOutRefusal: string | null;
}

const initialState: SessionState = {
  pageUserId: null,
  phase: 'open',
  lostBecause: 'unreachable',
  signOutRefusal: null,
};
/** Phases that only the user ends: no late response shows the page again. */
const kept: readonly SessionState['phase'][] = ['locked', 'signingOut'];

export const sessionReducer = createReducer(initialState, (builder) => {
  builder
    .addCase(actions.pageOpened, (state, { payload: { user, isLocked } }) => {
      const userId = user?.id ?? null;
      // A locked page stays locked when a navigation ends that began before; another user's page has its own session.
      if (isLocked) {
        state.phase = 'locked';
      } else if (userId !== state.pageUserId) {
        state.phase = 'open';
      }
      state.pageUserId = userId;
    })
    .addCase(actions.sessionLocked, (state) => {
      if (state.pageUserId !== null) {
        state.phase = 'locked';
      }
    })
    .addCase(actions.sessionUnlocked, (state) => {
      state.phase = 'open';
    })
    .addCase(actions.sessionLost, (state, { payload }) => {
      if (!kept.includes(state.phase)) {
        state.phase = 'unreachable';
      }
      state.lostBecause = payload;
    })
    .addCase(actions.sessionEnded, (state) => {
      state.pageUserId = null;
      state.phase = 'open';
    })
    // A locked page hides everything already, and a public page has nothing to hide.
    .addCase(actions.signOutStarted, (state) => {
      if (state.pageUserId !== null && (state.phase === 'open' || state.phase === 'signingOut')) {
        state.phase = 'signingOut';
        state.signOutRefusal = null;
      }
    })
    .addCase(actions.signOutRefused, (state, { payload }) => {
      state.signOutRefusal = payload;
    })
    .addCase(actions.signOutGivenUp, (state) => {
      if (state.phase === 'signingOut') {
        state.phase = 'open';
      }
    })
    .addCase(actions.sessionEndedHere, (state) => {
      state.pageUserId = null;
      state.phase = 'endedHere';
    })
    .addCase(setUserInfo, (state) => {
      if (!kept.includes(state.phase)) {
        state.phase = 'open';
      }
    });
});
