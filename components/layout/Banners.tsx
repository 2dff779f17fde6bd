import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './Banners.module.css';

const heightVariable = '--wl-banners-height';

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
      style.setProperty(heightVariable, `${Math.ceil(height)}px`);
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
