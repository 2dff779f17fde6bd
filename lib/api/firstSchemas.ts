import { alertPathHeaderValue, parseAlertPathEvent } from '../alerts/alertPathSchema';
import { userInfo } from '../session/userInfoSchema';
import { callGroup } from './callGroup';
import { errorBody } from './errorBody';

/**
 * Everything that a page parses at its start. The browser loads it as one file, so that zod is not part of what a page
 * needs to paint; each file of its own would bring its own copy of zod, 33 kB compressed.
 */
export const firstSchemas = { alertPathHeaderValue, parseAlertPathEvent, userInfo, callGroup, errorBody };
