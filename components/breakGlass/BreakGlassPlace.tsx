import dynamic from 'next/dynamic';
import type { User } from '../../lib/session/schema';
import { askForBreakGlass, useIsAsking } from './asking';
import { canBreakGlass } from './BreakGlassOffer';

// A rare state: neither the dialog nor the schema that judges its reason is fetched before somebody asks for it.
const BreakGlassDialog = dynamic(() => import('./BreakGlassDialog').then((module) => module.BreakGlassDialog), {
  ssr: false,
});

/** Where the dialog of the emergency access stands, once in the shell. */
export function BreakGlassPlace({ user }: { user: User }) {
  return useIsAsking() && canBreakGlass(user) ? (
    <BreakGlassDialog
      user={user}
      onClose={() => {
        askForBreakGlass(false);
      }}
    />
  ) : null;
}
