import { startTransition } from 'react';
import client from 'react-dom/client';

/**
 * Makes Next hydrate the page as a transition: in slices of some milliseconds, between which the browser scrolls and
 * paints. Next's pages router hydrates in one task, 400 ms on a slow computer. A click before the end still hydrates
 * the rest at once. React's documentation names this way of calling `hydrateRoot`; Next has no setting for it.
 */
export function hydrateInSlices(): void {
  const { hydrateRoot } = client;
  Object.assign(client, {
    hydrateRoot: (...given: Parameters<typeof hydrateRoot>) => {
      let root: ReturnType<typeof hydrateRoot> | undefined;
      startTransition(() => {
        root = hydrateRoot(...given);
      });
      return root;
    },
  });
}
