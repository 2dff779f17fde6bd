import type { User } from '../../lib/session/schema';
import { askForBreakGlass, useIsAsking } from './asking';
import { canBreakGlass } from './BreakGlassOffer';
import { antdOnDemand } from '../ui/antdOnDemand';

// Rarely used, and antd's forms come with it.
const BreakGlassDialog = antdOnDemand(() => import('./BreakGlassDialog').then((module) => module.BreakGlassDialog));

/** Draws the dialog of emergency access while it is open. Part of the shell. */
export function BreakGlassPlace({ user }: { user: User }) {
  return useIsAsking() && canBreakGlass(user) ? (
    <BreakGlassDialog user={user} onClose={() => askForBreakGlass(false)} />
  ) : null;
}
