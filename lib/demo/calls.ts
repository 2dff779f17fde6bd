import type { Calls } from '../api/declaration';
import { anyone } from '../session/policy';
import { demoResponse, demoBody } from '../session/schema';

/** The demo ward. */
export const demoCalls = {
  startDemo: { method: 'POST', path: '/api/v2/demo', status: 201, who: anyone, body: demoBody, response: demoResponse },
} as const satisfies Calls;
