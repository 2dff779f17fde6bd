import { Button } from 'antd';
import type { ApiFailure } from '../../lib/browser/client';
import type { Seen } from './useSeen';

interface ShowPresentProps {
  failure: ApiFailure;
  seen: Pick<Seen<unknown>, 'isOld' | 'showPresent'>;
}

/**
 * Beside a refusal because of somebody's change: a button that takes the present state. What was typed stays. It waits
 * for the read that brings that state.
 */
export function ShowPresent({ failure, seen }: ShowPresentProps) {
  if (failure.code !== 'changed_meanwhile') {
    return null;
  }
  return (
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
  );
}
