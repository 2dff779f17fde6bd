import type { LimitFault, Range } from './limits';

/** Returns what is wrong with a limit in words, for a form field. `range` is how far the limit may be moved. */
export function limitFaultWords(fault: LimitFault, range: Range | undefined): string {
  switch (fault) {
    case 'out_of_bounds':
      return range === undefined ? 'is out of bounds' : `is not a whole number from ${range.min} to ${range.max}`;
    case 'no_such_limit':
      return 'is no limit of this rule';
    case 'never_off':
      return 'can be off only in comfort care, because this alert is HIGH';
    case 'not_for_this_scale':
      return 'is not for this SpO2 scale';
    default:
      return fault satisfies never;
  }
}
