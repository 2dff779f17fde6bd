import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { EVENTS, Joyride, STATUS, type EventData, type Options, type Step } from 'react-joyride';
import { logWarning } from '../../lib/log';
import type { TourStep } from '../../lib/tour/tourSteps';
import { tourBarId } from './TourAlertBar';
import { TourCard } from './TourCard';
import { bringIntoSight, findTarget, freeFrom, isHidden, narrowQuery, scrollOffset, stickyEdge } from './tourTarget';

interface TourEngineProps {
  steps: readonly TourStep[];
  index: number;
  /** The step's target is there. */
  onFound: () => void;
  /** The card with this index is on the screen. */
  onPlaced: (index: number) => void;
  /** This narrow screen does not draw the target. */
  onHidden: () => void;
  /** The target has not come in time. */
  onMissing: () => void;
  /** The last card was left. */
  onOver: () => void;
}

/** The product specification, section 9. */
const scrollDurationMs = 300;
/** The engine's scrolling is over by then. */
const settledAfterMs = scrollDurationMs + 200;
const spotlightPadding = 10;
/** A page that loads its parts later has them by then. */
const targetWaitMs = 10_000;
/** Between a card and the edges of the room that it has, in CSS pixels. */
const cardMargin = 10;

/** Shows the card of a step beside its target with react-joyride. The step is the caller's. */
export function TourEngine({ steps, index, onFound, onPlaced, onHidden, onMissing, onOver }: TourEngineProps) {
  const { target } = steps[index] ?? { target: '' };
  const [edges, setEdges] = useState({ offset: scrollOffset, from: 0 });
  const [isCalm] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches);
  const measure = useCallback((): void => {
    const element = findTarget(target);
    const edge = element === null || target === 'body' ? 0 : stickyEdge(element);
    setEdges((last) => {
      const wanted = { offset: scrollOffset + Math.ceil(edge), from: Math.ceil(freeFrom()) };
      return last.offset === wanted.offset && last.from === wanted.from ? last : wanted;
    });
  }, [target]);

  const passOver = useEffectEvent((): void => {
    const element = findTarget(target);
    if (element !== null && isHidden(element) && matchMedia(narrowQuery).matches) {
      onHidden();
    }
  });
  useEffect(() => {
    passOver();
  }, [target]);
  useEffect(() => {
    // The header leaves a narrow window while the page scrolls, and banners come and go.
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    const banners = new ResizeObserver(measure);
    const region = document.getElementById(tourBarId)?.parentElement;
    if (region != null) {
      banners.observe(region);
    }
    return () => {
      banners.disconnect();
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [measure]);

  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(settling.current), [target]);
  const latest = useRef<(event: EventData) => void>(() => undefined);
  useLayoutEffect(() => {
    latest.current = ({ type, index: at, status }) => {
      if (type === EVENTS.STEP_BEFORE) {
        measure();
        onFound();
      } else if (type === EVENTS.TOOLTIP) {
        bringIntoSight(findTarget(target), edges.offset);
        // The engine may still be scrolling.
        clearTimeout(settling.current);
        settling.current = setTimeout(() => bringIntoSight(findTarget(target), edges.offset), settledAfterMs);
        onPlaced(at);
      } else if (type === EVENTS.TARGET_NOT_FOUND) {
        logWarning(findTarget(target) === null ? 'Target not mounted' : 'Target not visible');
        onMissing();
      } else if (type === EVENTS.TOUR_END || status === STATUS.FINISHED) {
        onOver();
      }
    };
  });
  // Always the same function: with another one the engine begins to wait for the target again, and would never give up.
  const onEvent = useCallback((event: EventData): void => latest.current(event), []);
  const cards = useMemo(
    (): Step[] => steps.map(({ target, title, content, placement }) => ({ target, title, content, placement })),
    [steps],
  );
  const options: Partial<Options> = {
    scrollOffset: edges.offset,
    scrollDuration: isCalm ? 1 : scrollDurationMs,
    spotlightPadding,
    targetWaitTimeout: targetWaitMs,
    // A stray click must not finish it for ever.
    overlayClickAction: false,
    // Our own keys: Esc in a menu above the overlay is not about the card.
    dismissKeyAction: false,
    disableFocusTrap: true,
    skipBeacon: true,
    width: index === 0 ? 360 : 400,
    overlayColor: 'var(--wl-veil)',
    // Below the banners and the header (1100), drawers and dialogs (1000).
    zIndex: 900,
  };
  const freeFromTop = edges.from + cardMargin;
  // The engine centres the welcome in the whole window, whose top may be covered.
  const lowered = `max(0px, calc(${freeFromTop}px - 50vh + 50%))`;
  const padding = { top: freeFromTop, bottom: cardMargin, left: cardMargin, right: cardMargin };
  return (
    <Joyride
      run
      continuous
      stepIndex={index}
      steps={cards}
      options={options}
      onEvent={onEvent}
      tooltipComponent={TourCard}
      loaderComponent={null}
      scrollToFirstStep
      floatingOptions={{
        hideArrow: true,
        strategy: 'fixed',
        // A target as high as the window begins with what matters most, for example an alert: the card is at its end.
        flipOptions: steps[index]?.placement === 'bottom' ? false : { padding },
        // Over its target rather than outside of the window, or over the header.
        shiftOptions: {
          crossAxis: true,
          boundary: [],
          padding,
        },
      }}
      styles={{
        floater: {
          transition: isCalm ? 'none' : 'opacity 0.3s',
          ...(steps[index]?.placement === 'center' ? { translate: `0 ${lowered}` } : {}),
        },
        tooltip: { maxHeight: `calc(100vh - ${freeFromTop + cardMargin}px)` },
        spotlight: { stroke: 'var(--ant-color-primary)', strokeWidth: 2 },
      }}
    />
  );
}
