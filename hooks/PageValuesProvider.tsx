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
import { createListeners } from '../lib/browser/listeners';
import { serverNow } from '../lib/browser/serverClock';
import type { MonitoredPatient } from '../lib/patients/staleBeds';
import { isAgeKnown } from '../lib/vitals/freshness';
import { newestAsOf } from '../lib/vitals/newestAsOf';
import type { LatestValues } from '../lib/vitals/schema';
import { newestArrival, screenDelay, takeArrival, type ArrivedResponse } from '../lib/vitals/screenDelay';

/** The part of a patient that the ages of the newest values need. */
export interface PatientValues {
  id: number;
  latest: LatestValues;
}

/** What is known of the values on the page. */
export interface PageValues {
  /** Whether a screen with values is on the page. Other pages poll none, so missing values mean nothing there. */
  areShown: boolean;
  /** The instant from which the newest sample counts, epoch milliseconds; null before the first on this screen. */
  newestAsOf: number | null;
  /** Those whose values are on the page. */
  patients: readonly MonitoredPatient[];
  /** How long values take from the server to the page, in milliseconds; null before the first change. */
  delayMs: number | null;
}

interface PageValuesStore {
  read: () => PageValues;
  subscribe: (listener: () => void) => () => void;
  /** Registers a screen with values and returns its removal. The next screen starts without a newest sample. */
  enter: () => () => void;
  noteNewest: (asOf: number) => void;
  /** Holds the patients of a part of the screen and returns their removal. */
  hold: (patients: readonly MonitoredPatient[]) => () => void;
  /** Measures the delay of a value that the server received at `receivedAt` and the next frame paints. */
  noteDrawn: (receivedAt: number) => void;
}

const none: PageValues = { areShown: false, newestAsOf: null, patients: [], delayMs: null };
const Context = createContext<PageValuesStore | null>(null);

/** Holds the age and the delay of the page's values for the lamp in the header. */
export function PageValuesProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createStore);
  return <Context value={store}>{children}</Context>;
}

/** Returns the age and the delay of the page's values. */
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

/** Notes the patients of a response and the age of its newest value, whether or not their rows are drawn. */
export function useNotedSamples(patients: readonly MonitoredPatient[]): void {
  const store = useContext(Context);
  useEffect(() => {
    const asOf = newestAsOf(patients);
    if (asOf !== null) {
      store?.noteNewest(asOf);
    }
    return store?.hold(patients);
  }, [store, patients]);
}

/**
 * Measures how long the newest value of each response took to the page. Call it in the component whose commit puts the
 * last of these patients' values into the document. A patient's first values, and those of a hidden page, do not count.
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
  const { subscribe, notify } = createListeners();
  let values = none;
  let screens = 0;
  const parts = new Set<readonly MonitoredPatient[]>();
  /** The last responses that changed values on the page. */
  let answers: readonly ArrivedResponse[] = [];
  /** When the server received the newest value that is drawn but not painted yet; null if there is none. */
  let drawn: number | null = null;

  const change = (changed: Partial<PageValues>): void => {
    values = { ...values, ...changed };
    notify();
  };

  return {
    read: () => values,
    subscribe,
    enter: () => {
      screens += 1;
      change({ areShown: true });
      return () => {
        screens -= 1;
        change(screens === 0 ? { areShown: false, newestAsOf: null } : {});
      };
    },
    hold: (patients) => {
      parts.add(patients);
      change({ patients: [...parts].flat() });
      return () => {
        parts.delete(patients);
        change({ patients: [...parts].flat() });
      };
    },
    noteNewest: (asOf) => {
      const at = serverNow();
      // After a step of the server's clock the values of before may lie in the future.
      const isFuture = values.newestAsOf !== null && at !== null && !isAgeKnown(at - values.newestAsOf);
      if (values.newestAsOf === null || isFuture || asOf > values.newestAsOf) {
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
        // Not in the frame's own task: React would draw everything that waits to be drawn before the frame is painted.
        setTimeout(() => {
          change({ delayMs: screenDelay(answers) });
        });
      });
    },
  };
}

const subscribeToNothing = (): (() => void) => () => undefined;
