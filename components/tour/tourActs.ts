import { createContext } from 'react';

/** What the buttons of a card do. */
export interface TourActs {
  next: () => void;
  later: () => void;
  dismiss: () => void;
}

const nothing = (): void => undefined;

/** A context, because the walkthrough's engine draws the card. */
export const TourActsContext = createContext<TourActs>({ next: nothing, later: nothing, dismiss: nothing });
