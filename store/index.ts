import { combineReducers, configureStore, createAction, type EnhancedStore } from '@reduxjs/toolkit';
import { createWrapper, HYDRATE } from 'next-redux-wrapper';
import type { Reducer } from 'redux';
import createSagaMiddleware, { type Task } from 'redux-saga';
import { authenticationReducer } from './authentication/reducer';
import { layoutReducer } from './layout/reducer';
import { rootSaga } from './rootSaga';

const reducers = combineReducers({ authentication: authenticationReducer, layout: layoutReducer });

export type RootState = ReturnType<typeof reducers>;

/** The server's state reaching the browser: once with each page that was rendered or navigated to. */
export const hydrate = createAction<RootState>(HYDRATE);

/** HYDRATE merges the server's state into the whole store; `authentication` stays as the browser has it. */
const rootReducer: Reducer<RootState> = (state, action) => {
  const current = reducers(state, action);
  return hydrate.match(action) ? { ...current, ...action.payload, authentication: current.authentication } : current;
};

export interface AppStore extends EnhancedStore<RootState> {
  /** The watching sagas; null on the server, where nobody dispatches what they wait for and nobody would end them. */
  readonly watchers: Task | null;
}

/**
 * The checks of development say what is wrong with an action; how long they take says only how busy the computer is.
 */
const untimed = Number.POSITIVE_INFINITY;

/** Makes a store of its own, from the server's state where there is one. */
export function makeStore(serverState?: RootState): AppStore {
  const saga = createSagaMiddleware();
  const store = configureStore({
    reducer: rootReducer,
    preloadedState: serverState === undefined ? undefined : rootReducer(undefined, hydrate(serverState)),
    middleware: (defaults) =>
      defaults({
        thunk: false,
        // An action's `meta` holds the function by which a form learns how its step ended.
        serializableCheck: { ignoredActionPaths: ['meta'], warnAfter: untimed },
        immutableCheck: { warnAfter: untimed },
      }).concat(saga),
    // Actions carry passwords on their way to the server.
    devTools: false,
  });
  return Object.assign(store, { watchers: typeof window === 'undefined' ? null : saga.run(rootSaga) });
}

/** Gives each request a store of its own and sends that store's state with the page, as `pageProps.initialState`. */
export const wrapper = createWrapper<AppStore>(() => makeStore());
