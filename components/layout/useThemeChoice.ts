import { useSyncExternalStore } from 'react';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

/**
 * Also read by `themeScript`. Not a cookie, because the server does not need it: the script sets the attribute before
 * the first paint.
 */
const storageKey = 'theme';
const darkQuery = '(prefers-color-scheme: dark)';

/** Runs in the document's head, before the first paint, so that a dark page is never light first. */
export const themeScript = `(function(){var c;try{c=localStorage.getItem('${storageKey}')}catch(e){}
document.documentElement.dataset.theme=c==='dark'||c==='light'?c:matchMedia('${darkQuery}').matches?'dark':'light'})()`;

const listeners = new Set<() => void>();

function storedChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

function apply(choice: ThemeChoice): void {
  const system = matchMedia(darkQuery).matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = choice === 'system' ? system : choice;
}

function choose(choice: ThemeChoice): void {
  try {
    localStorage.setItem(storageKey, choice);
  } catch {
    // Storage is full or forbidden: the choice is then for this page only.
  }
  apply(choice);
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  const followSystem = (): void => {
    apply(storedChoice());
  };
  const system = matchMedia(darkQuery);
  listeners.add(listener);
  system.addEventListener('change', followSystem);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', followSystem);
  };
}

/** Returns the chosen appearance and a function that changes it. */
export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, storedChoice, () => 'system'), choose];
}
