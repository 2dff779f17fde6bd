import type { SagaIterator } from 'redux-saga';
import { call, select, takeEvery, type CallEffect, type SelectEffect } from 'redux-saga/effects';
import { safely } from '../safely';
import * as actions from './actions';
import { selectCollapsed } from './selectors';
import { writeSidebar } from './sidebarCookie';

export function* keepSidebar(): Generator<SelectEffect | CallEffect, void, boolean> {
  const collapsed = yield select(selectCollapsed);
  yield call(writeSidebar, collapsed);
}

export function* watchLayout(): SagaIterator<void> {
  yield takeEvery([actions.toggleSidebar, actions.openSidebar, actions.closeSidebar], safely(keepSidebar));
}
