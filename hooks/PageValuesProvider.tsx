import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { serverNow } from '../lib/browser/serverClock';
import { newestAsOf } from '../lib/vitals/newestAsOf';
import type { LatestValues } from '../lib/vitals/schema';
import { newestArrival, screenDelay, takeArrival, type ArrivedResponse } from '../lib/vitals/screenDelay';

/** A patient as far as the ages of the newest values go. */
export interface PatientValues {
  id: number;
  latest: LatestValues;
}

/** What the page knows of the values on it. */
export interface PageValues {
  /** Whether a screen that shows values is on the page: elsewhere none is asked for, and silence says nothing. */
  areShown: boolean;
  /** The instant from which the newest sample counts, epoch milliseconds; null before any has come to this screen. */
  newestAsOf: number | null;
  /** How long values take from the server to the page, in milliseconds; null before any has changed. */
  delayMs: number | null;
}

interface PageValuesStore {
  read: () => PageValues;
  subscribe: (listener: () => void) => () => void;
  /** Registers a screen that shows values; returns its removal. The next screen starts without a newest sample. */
  enter: () => () => void;
  noteNewest: (asOf: number) => void;
  /** Measures the delay of a value that the server received at `receivedAt` and that the next frame paints. */
  noteDrawn: (receivedAt: number) => void;
}

const none: PageValues = { areShown: false, newestAsOf: null, delayMs: null };
const Context = createContext<PageValuesStore | null>(null);

/** Holds what the answers on the page say of its values, for the lamp that says whether and how soon values come. */
export function PageValuesProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createStore);
  return <Context value={store}>{children}</Context>;
}

/** Returns what the page knows of the values on it. */
export function usePageValues(): PageValues {
  const store = useContext(Context);
  return useSyncExternalStore(
    store?.subscribe ?? subscribeToNothing,
    () => store?.read() ?? none,
    () => none,
  );
}

/** Registers the calling screen as one that shows values. */
export function useShownValues(): void {
  const store = useContext(Context);
  useEffect(() => store?.enter(), [store]);
}

/** Takes the age of the newest value of an answer, whether or not the rows of its patients are drawn. */
export function useNotedSamples(patients: readonly PatientValues[]): void {
  const store = useContext(Context);
  useEffect(() => {
    const asOf = newestAsOf(patients);
    if (asOf !== null) {
      store?.noteNewest(asOf);
    }
  }, [store, patients]);
}

/**
 * Measures how long the newest value of each answer took to the page; to be called by the component in whose commit
 * the last of these patients' values is in the document. A patient's first values were waited for by no one, and
 * neither are those of a hidden page.
 */
export function useNotedArrivals(patients: readonly PatientValues[]): void {
  const store = useContext(Context);
  const before = useRef<readonly PatientValues[]>(patients);
  // Before the frame that paints the commit: other effects may run after it.
  useLayoutEffect(() => {
    const receivedAt = newestArrival(before.current, patients);
    before.current = patients;
    if (receivedAt !== null) {
      store?.noteDrawn(receivedAt);
    }
  }, [store, patients]);
}

function createStore(): PageValuesStore {
  const listeners = new Set<() => void>();
  let values = none;
  let screens = 0;
  /** The last answers that changed values on the page. */
  let answers: readonly ArrivedResponse[] = [];
  /** When the server received the newest value that is drawn and not painted yet. */
  let drawn: number | null = null;

  const change = (changed: Partial<PageValues>): void => {
    values = { ...values, ...changed };
    for (const listener of listeners) {
      listener();
    }
  };

  return {
    read: () => values,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    enter: () => {
      screens += 1;
      change({ areShown: true });
      return () => {
        screens -= 1;
        change(screens === 0 ? { areShown: false, newestAsOf: null } : {});
      };
    },
    noteNewest: (asOf) => {
      if (values.newestAsOf === null || asOf > values.newestAsOf) {
        change({ newestAsOf: asOf });
      }
    },
    noteDrawn: (receivedAt) => {
      if (document.visibilityState !== 'visible') {
        return;
      }
      if (drawn !== null) {
        drawn = Math.max(drawn, receivedAt);
        return;
      }
      drawn = receivedAt;
      // The next frame begins when this one is on the screen.
      requestAnimationFrame(() => {
        const paintedAt = serverNow();
        if (drawn !== null && paintedAt !== null) {
          answers = takeArrival(answers, { receivedAt: drawn, paintedAt });
        }
        drawn = null;
        // Not in the frame's own task: React would draw in it everything else that waits to be drawn, before the frame
        // is painted.
        setTimeout(() => {
          change({ delayMs: screenDelay(answers) });
        });
      });
    },
  };
}

const subscribeToNothing = (): (() => void) => () => undefined;
