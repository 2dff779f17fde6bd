import { useLayoutEffect, useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/browser/listeners';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

/**
 * Also read by `themeScript`. Not a cookie, because the server does not need it: the script sets the attribute before
 * the first paint.
 */
const storageKey = 'theme';
const darkQuery = '(prefers-color-scheme: dark)';

/**
 * Runs in the document's head, before the first paint, so that a dark page is never light first. The wall is dark by
 * default, whatever the system says: it hangs in a corridor at night (screens.md section 9).
 */
export const themeScript = `(function(){var c;try{c=localStorage.getItem('${storageKey}')}catch(e){}
if(location.pathname==='/wall')c=/[?&]theme=day(&|$)/.test(location.search)?'light':'dark';
document.documentElement.dataset.theme=c==='dark'||c==='light'?c:matchMedia('${darkQuery}').matches?'dark':'light'})()`;

const choices = createListeners();

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
  choices.notify();
}

function subscribe(listener: () => void): () => void {
  const followSystem = (): void => {
    apply(storedChoice());
  };
  const system = matchMedia(darkQuery);
  const end = choices.subscribe(listener);
  system.addEventListener('change', followSystem);
  return () => {
    end();
    system.removeEventListener('change', followSystem);
  };
}

/** Shows the wall dark, or as `?theme=day` says, also if it was opened from another page. Its end brings the choice. */
export function useWallTheme(): void {
  useLayoutEffect(() => {
    const isDay = new URLSearchParams(location.search).get('theme') === 'day';
    document.documentElement.dataset.theme = isDay ? 'light' : 'dark';
    return () => {
      apply(storedChoice());
    };
  }, []);
}

/** Returns the chosen appearance and a function that changes it. */
export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, storedChoice, () => 'system'), choose];
}
