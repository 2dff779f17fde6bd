import { readAlertConflict } from '../alerts/readAlertConflict';
import { clinicalCalls } from './clinicalCalls';

/** The clinical group of calls, and what reads an action of theirs that was refused. */
export const clinicalSchemas = { clinicalCalls, readAlertConflict };
