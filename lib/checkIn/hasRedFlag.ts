import { redFlagsOf } from '../symptoms/redFlagsOf';
import type { KeptCheckIn } from './keptSchema';

/** Returns whether a check-in has a red flag, ticked or implied: its ward gets it, however old the phone makes it. */
export function hasRedFlag({ answers: { answers, redFlags } }: Pick<KeptCheckIn, 'answers'>): boolean {
  return redFlagsOf(answers, redFlags).length > 0;
}
