import { call, type CallEffect } from 'redux-saga/effects';

/** Calls a function from a saga and keeps the type of its result: `const user = yield* perform(fetchCurrentUser)`. */
export function* perform<Given extends unknown[], Result>(
  work: (...given: Given) => Result | Promise<Result>,
  ...given: Given
): Generator<CallEffect, Result, Result> {
  return yield call(work, ...given);
}
