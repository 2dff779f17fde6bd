import { combineReducers } from '@reduxjs/toolkit';
import { authenticationReducer } from './authentication/reducer';
import { layoutReducer } from './layout/reducer';
import { sessionReducer } from './session/reducer';

/** The parts of the store, each with its reducer. */
export const reducers = combineReducers({
  authentication: authenticationReducer,
  layout: layoutReducer,
  session: sessionReducer,
});

export type RootState = ReturnType<typeof reducers>;
