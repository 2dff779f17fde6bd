import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './Banners.module.css';

const heightVariable = '--wl-banners-height';

/**
 * Keeps its banners at the top of the window, one below the other, over everything that scrolls. `--wl-banners-height`
 * says how high they are: drawers and dialogs begin below them, so that neither covers the other.
 */
export function Banners({ children }: { children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null) {
      return undefined;
    }
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(heightVariable, `${Math.ceil(element.getBoundingClientRect().height)}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(heightVariable);
    };
  }, []);
  return (
    <div ref={region} className={styles.banners}>
      {children}
    </div>
  );
}
