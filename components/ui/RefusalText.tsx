import { Button } from 'antd';
import type { ApiFailure } from '../../lib/browser/client';
import { notDone } from './notDone';
import type { Seen } from './useSeen';

interface RefusalTextProps {
  /** The participle: "saved". */
  done: string;
  failure: ApiFailure;
  /** What the action was based on; omitted if it was based on nothing that others change. */
  seen?: Pick<Seen<unknown>, 'isOld' | 'showPresent'>;
}

/**
 * Says that an action failed. Beside a refusal because of somebody's change there is a button that takes the present
 * state. What was typed stays. It waits for the read that brings that state.
 */
export function RefusalText({ done, failure, seen }: RefusalTextProps) {
  const words = notDone(done, failure);
  if (seen === undefined || failure.code !== 'changed_meanwhile') {
    return words;
  }
  return (
    <>
      {words}{' '}
      <Button
        disabled={!seen.isOld}
        onClick={({ currentTarget }) => {
          // The button goes with the refusal; the keyboard stays in the form.
          const drawer = currentTarget.closest('[role="dialog"]');
          drawer?.querySelector<HTMLElement>('input, textarea')?.focus();
          seen.showPresent();
        }}
      >
        Show the present state
      </Button>
    </>
  );
}
