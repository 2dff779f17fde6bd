import { useRef, type SubmitEvent } from 'react';

/**
 * Returns a form's `onSubmit`, which carries out one submit at a time. A double click would otherwise send twice,
 * because a form first fetches its schema and only then waits for the server.
 */
export function useSubmit(submit: () => Promise<void>): (event: SubmitEvent) => void {
  const isUnderWay = useRef(false);
  return (event) => {
    event.preventDefault();
    if (!isUnderWay.current) {
      isUnderWay.current = true;
      void submit().finally(() => {
        isUnderWay.current = false;
      });
    }
  };
}
