import { alertPathHeaderValue, notStoredHeaderValue, parseAlertPathEvent } from '../alerts/alertPathSchema';
import { callGroup, userInfoSchema, readRefusal } from './callGroup';
import { errorBody } from './errorBody';

/**
 * What the browser loads first of everything that parses: zod, and little else. Zod is not part of what a page needs to
 * paint, and each file that is not loaded from within this one would bring its own copy, 33 kB compressed. The schemas
 * of the calls come from within it (callGroup.ts), because building all of them in one task would hold up a slow
 * computer.
 */
export const firstSchemas = {
  alertPathHeaderValue,
  notStoredHeaderValue,
  parseAlertPathEvent,
  errorBody,
  callGroup,
  userInfoSchema,
  readRefusal,
};
