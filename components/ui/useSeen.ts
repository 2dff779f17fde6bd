import { useState } from 'react';

/** The state on which a form is based, beside the one that polls have brought since. */
export interface Seen<State> {
  state: State;
  /** Somebody has changed it since. */
  isOld: boolean;
  /** Takes the present state. */
  showPresent: () => void;
}

/**
 * Keeps the state that a form was opened with. With that of the last poll a save would overwrite a change that its user
 * has not seen; with this one the server refuses it.
 */
export function useSeen<State extends { version: number }>(present: State): Seen<State> {
  const [state, setState] = useState(present);
  return {
    state,
    isOld: state.version !== present.version,
    showPresent: () => {
      setState(present);
    },
  };
}
