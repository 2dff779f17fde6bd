import { createReducer } from '@reduxjs/toolkit';
import type { FailureCause } from '../../lib/api/failureCause';
import { setUserInfo } from '../authentication/actions';
import * as actions from './actions';

/** The state of this page's session. The signed-in user is in `authentication`. */
export interface SessionState {
  /** The user for whom the server rendered the page; null: a public page, or one whose session has ended. */
  pageUserId: number | null;
  /** `open`: the page shows the user of `authentication`, or nothing if there is none. */
  phase: 'open' | 'locked' | 'unreachable' | 'endedHere';
  /** Why the server could not tell who is signed in, the last time. */
  lostBecause: FailureCause;
}

const initialState: SessionState = { pageUserId: null, phase: 'open', lostBecause: 'unreachable' };

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
      state.phase = 'unreachable';
      state.lostBecause = payload;
    })
    .addCase(actions.sessionEnded, (state) => {
      state.pageUserId = null;
      state.phase = 'open';
    })
    .addCase(actions.sessionEndedHere, (state) => {
      state.pageUserId = null;
      state.phase = 'endedHere';
    })
    // No late response shows a locked page again.
    .addCase(setUserInfo, (state) => {
      if (state.phase !== 'locked') {
        state.phase = 'open';
      }
    });
});
