import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './Banners.module.css';

const heightVariable = '--wl-banners-height';
const storageKey = 'bannersHeight';

/**
 * Runs in the document's head: gives the page the height that the banners had last in a window of this size. It is
 * measured as soon as the page is hydrated. Only if it has changed are the styles of the whole page computed a second
 * time, which takes a slow computer some 100 ms.
 */
export const bannersScript = `(function(){try{var s=localStorage.getItem('${storageKey}').split(' ');
if(s[0]===innerWidth+'x'+innerHeight&&/^\\d{1,3}px$/.test(s[1]))
document.documentElement.style.setProperty('${heightVariable}',s[1])}catch(e){}})()`;

function keepHeight(height: string): void {
  try {
    localStorage.setItem(storageKey, `${innerWidth}x${innerHeight} ${height}`);
  } catch {
    // Storage is full or forbidden: the next page computes its styles twice.
  }
}

/**
 * Keeps its banners at the top of the window, one below the other, over everything that scrolls, and the header below
 * them. `--wl-banners-height` says how high they are: drawers, dialogs and what sticks to the top begin below them, so
 * that neither covers the other. On a narrow or low screen, or one that is zoomed in, the header scrolls with the page.
 */
export function Banners({ header, children }: { header?: ReactNode; children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const banners = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [whole, part] = [region.current, banners.current];
    if (whole === null || part === null) {
      return undefined;
    }
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      // The region has no box where the header is not part of it.
      const { height: ofWhole } = whole.getBoundingClientRect();
      const height = ofWhole === 0 ? part.getBoundingClientRect().height : ofWhole;
      const text = `${Math.ceil(height)}px`;
      style.setProperty(heightVariable, text);
      keepHeight(text);
    });
    observer.observe(whole);
    observer.observe(part);
    return () => {
      observer.disconnect();
      style.removeProperty(heightVariable);
    };
  }, []);
  return (
    <div ref={region} className={styles.region}>
      <div ref={banners} className={styles.banners}>
        {children}
      </div>
      {header}
    </div>
  );
}
