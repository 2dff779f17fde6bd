import type { Action } from 'redux';
import type { SagaIterator } from 'redux-saga';
import { call, type StrictEffect } from 'redux-saga/effects';
import { logError } from '../lib/log';

/** Wraps a worker so that an error ends only this run of it: unwrapped it would cancel every watcher until a reload. */
export function safely<Given extends Action>(
  worker: (action: Given) => Generator<StrictEffect, void, never>,
): (action: Given) => SagaIterator<void> {
  return function* safeWorker(action) {
    try {
      yield call(worker, action);
    } catch {
      logError('Failed to carry out an action:', { code: action.type });
    }
  };
}
