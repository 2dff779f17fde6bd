import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

interface HiddenCount {
  /** The line of things, which wraps and shows its first line only. */
  ref: RefObject<HTMLDListElement | null>;
  /** How many of them do not fit. */
  hidden: number;
  /** Whether all of them are shown. */
  isOpen: boolean;
  toggle: () => void;
}

/** Counts what does not fit into one line, whenever its width or the number of things changes. */
export function useHiddenCount(count: number): HiddenCount {
  const ref = useRef<HTMLDListElement>(null);
  const [hidden, setHidden] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || isOpen) {
      return undefined;
    }
    const measure = (): void => {
      const top = element.getBoundingClientRect().top;
      const below = [...element.children].filter((child) => child.getBoundingClientRect().top > top + 1);
      setHidden(below.length);
    };
    const observer = new ResizeObserver(measure);
    for (const each of [element, ...element.children]) {
      observer.observe(each);
    }
    return () => {
      observer.disconnect();
    };
  }, [count, isOpen]);
  return { ref, hidden, isOpen, toggle: useCallback(() => setIsOpen((open) => !open), []) };
}
