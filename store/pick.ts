import { select, type SelectEffect } from 'redux-saga/effects';
import type { RootState } from './reducers';

/** Reads the state from a saga and keeps the type of what is read: `const user = yield* pick(selectUser)`. */
export function* pick<Result>(selector: (state: RootState) => Result): Generator<SelectEffect, Result, Result> {
  return yield select(selector);
}
