import { useEffect, useRef, useSyncExternalStore } from 'react';
import { serverNow } from '../../lib/api/serverClock';
import { parseInstant } from '../../lib/time/parseInstant';
import type { VitalKind } from '../../lib/vitals/kinds';
import type { LatestValue } from '../../lib/vitals/schema';
import { isArrival, screenDelay, takeArrival, type ArrivedAnswer } from '../../lib/vitals/screenDelay';

/** The answers that changed values on this page, for the lamp that says how long they take to get here. */
let answers: readonly ArrivedAnswer[] = [];
/** The newest value that is drawn and not painted yet. */
let drawn: number | null = null;
const listeners = new Set<() => void>();

/**
 * Watches one place on the screen for newer values. What stands there first was waited for by nobody, and neither is
 * what comes while the page is hidden.
 */
export function useNotedArrival(kind: VitalKind, latest: LatestValue | undefined): void {
  const before = useRef<{ kind: VitalKind; receivedAt: number } | null>(null);
  const receivedText = latest?.receivedAt;
  const asOfText = latest?.asOf;
  useEffect(() => {
    const receivedAt = receivedText === undefined ? null : parseInstant(receivedText);
    const asOf = asOfText === undefined ? null : parseInstant(asOfText);
    const last = before.current;
    before.current = receivedAt === null ? null : { kind, receivedAt };
    if (last?.kind === kind && receivedAt !== null && asOf !== null && isArrival(last, { receivedAt, asOf })) {
      noteDrawn(receivedAt);
    }
  }, [kind, receivedText, asOfText]);
}

/** How long values take from the server to this screen, in milliseconds; null before any has changed. */
export function useScreenDelay(): number | null {
  return useSyncExternalStore(
    subscribe,
    () => screenDelay(answers),
    () => null,
  );
}

function noteDrawn(receivedAt: number): void {
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
    // Not in the frame's own task: React would draw in it everything else that waits to be drawn, before the frame is
    // painted.
    setTimeout(tell);
  });
}

function tell(): void {
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
