import { causeOf } from './failureCause';

it.each([
  ['unreachable', 'unreachable', null],
  ['unreachable', 'aborted', null],
  ['refused', 'forbidden', 403],
  ['throttled', 'too_many_requests', 429],
  ['throttled', 'unreadable_response', 429],
  ['failed', 'internal', 500],
  ['failed', 'unreadable_response', 502],
  ['unreadable', 'unreadable_response', 200],
  ['unreadable', 'unreadable_response', 403],
  ['unreadable', 'unreadable_response', null],
])('is %s for %s with status %s', (cause, code, status) => {
  expect(causeOf({ code, status })).toBe(cause);
});
