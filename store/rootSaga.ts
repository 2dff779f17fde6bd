import type { SagaIterator } from 'redux-saga';
import { fork } from 'redux-saga/effects';
import { watchAuthentication } from './authentication/saga';
import { watchLayout } from './layout/saga';
import { watchSession } from './session/saga';

/** Watchers only: a loop here would outlive its store. Loops start in the browser, from an effect. */
export function* rootSaga(): SagaIterator<void> {
  yield fork(watchAuthentication);
  yield fork(watchLayout);
  yield fork(watchSession);
}
