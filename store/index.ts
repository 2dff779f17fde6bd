import { configureStore, createAction, type EnhancedStore, type UnknownAction } from '@reduxjs/toolkit';
import { createWrapper, HYDRATE } from 'next-redux-wrapper';
import type { Reducer } from 'redux';
import createSagaMiddleware, { type Task, type SagaIterator } from 'redux-saga';
import { type StrictEffect, fork } from 'redux-saga/effects';
import { logError } from '../lib/log';
import { setUserInfo } from './authentication/actions';
import { watchAuthentication } from './authentication/saga';
import { watchLayout } from './layout/saga';
import { reducers, type RootState } from './reducers';
import { pageOpened, type OpenedPage } from './session/actions';
import { watchSession } from './session/saga';

/** The server's state arriving in the browser: once with each page that was rendered or navigated to. */
export const hydrate = createAction<RootState>(HYDRATE);

/** HYDRATE merges the server's state into the whole store; `authentication` stays as the browser has it. */
const rootReducer: Reducer<RootState> = (state, action) => {
  const current = reducers(state, action);
  return hydrate.match(action) ? { ...current, ...action.payload, authentication: current.authentication } : current;
};

export interface AppStore extends EnhancedStore<RootState> {
  /** The watching sagas; null on the server, where no one dispatches what they wait for and no one would end them. */
  readonly watchers: Task | null;
  /** Runs a saga for a caller that waits for its result, so that no action carries a callback or a password. */
  readonly run: <Given extends unknown[], Result>(
    worker: (...given: Given) => Generator<StrictEffect, Result, never>,
    ...given: Given
  ) => Promise<Result>;
}

/** The checks of development find faulty actions; the time they take only shows how busy the computer is. */
const untimed = Number.POSITIVE_INFINITY;

/** Watchers only: a loop here would outlive its store. Loops start in the browser, from an effect. */
function* rootSaga(): SagaIterator<void> {
  yield fork(watchAuthentication);
  yield fork(watchLayout);
  yield fork(watchSession);
}

/** Creates a store from the server's state and from its page: the page's user is signed in from the first paint on. */
export function makeStore(serverState?: RootState, page?: OpenedPage): AppStore {
  const saga = createSagaMiddleware({
    // An error's text may name a patient.
    onError: () => {
      logError('Failed to run a saga');
    },
  });
  const store = configureStore({
    reducer: rootReducer,
    preloadedState: seed(serverState, page),
    middleware: (defaults) =>
      defaults({
        thunk: false,
        serializableCheck: { warnAfter: untimed },
        immutableCheck: { warnAfter: untimed },
      }).concat(saga),
    devTools: false,
  });
  return Object.assign(store, {
    watchers: typeof window === 'undefined' ? null : saga.run(rootSaga),
    run: <Given extends unknown[], Result>(
      worker: (...given: Given) => Generator<StrictEffect, Result, never>,
      ...given: Given
    ) => saga.run(worker, ...given).toPromise<Result>(),
  });
}

function seed(serverState?: RootState, page?: OpenedPage): RootState | undefined {
  const actions: UnknownAction[] = [
    ...(serverState === undefined ? [] : [hydrate(serverState)]),
    ...(page === undefined ? [] : [pageOpened(page)]),
    ...(page?.user == null ? [] : [setUserInfo(page.user)]),
  ];
  return actions.reduce<RootState | undefined>(rootReducer, undefined);
}

/** Gives each request a store of its own and sends that store's state with the page, as `pageProps.initialState`. */
export const wrapper = createWrapper<AppStore>(() => makeStore());
