import { combineReducers } from '@reduxjs/toolkit';
import { authenticationReducer } from './authentication/reducer';
import { layoutReducer } from './layout/reducer';
import { sessionReducer } from './session/reducer';

/** Everything that the store holds, each part with its reducer. */
export const reducers = combineReducers({
  authentication: authenticationReducer,
  layout: layoutReducer,
  session: sessionReducer,
});

export type RootState = ReturnType<typeof reducers>;
