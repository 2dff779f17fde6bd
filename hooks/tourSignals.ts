import { createPageValue } from './pageValue';

/** What the walkthrough and the screens that it points at say to each other. */

/** How often a user has asked to begin the walkthrough again since the page was loaded. */
const askedTimes = createPageValue(0);
/** The walkthrough points at rows of the list, which must not change their places meanwhile. */
const holdsRows = createPageValue(false);

/** Begins the walkthrough again, from the user's menu. */
export function askForTour(): void {
  askedTimes.set(askedTimes.read() + 1);
}

/** Returns how often the walkthrough was asked for since the page was loaded. */
export const useAskedTour = askedTimes.useValue;

/** Holds the order of the list of patients, or lets it go. */
export const holdRowsForTour = holdsRows.set;

/** Returns whether the walkthrough needs the order of the list of patients to stay. */
export const useRowsHeldForTour = holdsRows.useValue;
