import { userInfo } from '../session/userInfoSchema';
import { firstCalls } from './firstCalls';

/** The first group of calls, and the user whom the browser keeps, whose schema is a part of theirs. */
export const startSchemas = { firstCalls, userInfo };
