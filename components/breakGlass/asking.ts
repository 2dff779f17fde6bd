import { createPageValue } from '../../hooks/pageValue';

/**
 * Whether the dialog of emergency access is open, which the shell draws once (`BreakGlassPlace`). The user menu, an
 * empty search or a missing patient opens it.
 */
const asking = createPageValue(false);

/** Opens or closes the dialog. */
export const askForBreakGlass = asking.set;

/** Whether the dialog is open. */
export const useIsAsking = asking.useValue;
