import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useContext,
  useId,
  type PointerEvent,
} from 'react';
import {
  EVENTS,
  Joyride,
  STATUS,
  type EventData,
  type Options,
  type Step,
  type TooltipRenderProps,
} from 'react-joyride';
import { logWarning } from '../../lib/log';
import { type TourStep, progressText, tourSize } from '../../lib/tour/tourSteps';
import { NativeButton } from '../ui/NativeButton';
import { tourBarId } from './TourAlertBar';
import styles from './TourCard.module.css';
import { TourActsContext } from './tourActs';
import { bringIntoSight, findTarget, freeFrom, isHidden, narrowQuery, scrollOffset, stickyEdge } from './tourTarget';

/**
 * A card of the walkthrough. The page around it stays in use: it is no modal dialog and holds no keyboard, because a
 * real alert may need both.
 */
function TourCard({ index, step }: Pick<TooltipRenderProps, 'index' | 'step'>) {
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const acts = useContext(TourActsContext);
  useEffect(() => {
    focusCard(card.current);
  }, []);
  const isWelcome = index === 0;
  const isLast = index === tourSize - 1;
  return (
    <section
      ref={card}
      role="dialog"
      aria-modal={false}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      tabIndex={-1}
      className={isWelcome ? styles.welcome : styles.card}
      // The room that the banners and the header leave.
      style={{ maxHeight: step.styles.tooltip.maxHeight }}
      data-tour-card=""
      onPointerDown={holdPress}
    >
      {isWelcome ? null : (
        <button type="button" className={styles.close} aria-label="Close the walkthrough" onClick={acts.dismiss}>
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M3 3l10 10M13 3L3 13" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
        </button>
      )}
      <h2 id={`${id}-title`}>{step.title}</h2>
      <p id={`${id}-text`}>{step.content}</p>
      {isWelcome ? (
        <div className={styles.choices}>
          <span data-tour-primary="">
            <NativeButton look="primary" onClick={acts.next}>
              Get Started
            </NativeButton>
          </span>
          <NativeButton onClick={acts.later}>Show me later</NativeButton>
          <NativeButton look="text" onClick={acts.dismiss}>
            Dismiss all Wardlight walkthrough steps
          </NativeButton>
        </div>
      ) : (
        <div className={styles.foot}>
          <span className={styles.progress}>{progressText(index)}</span>
          <span data-tour-primary="">
            <NativeButton look="primary" onClick={acts.next}>
              {isLast ? 'Finish' : 'Next'}
            </NativeButton>
          </span>
        </div>
      )}
    </section>
  );
}

/** The card follows its target while the page scrolls: a button that moves under a press keeps the press. */
function holdPress({ target, pointerId }: PointerEvent<HTMLElement>): void {
  if (target instanceof Element) {
    target.closest('button')?.setPointerCapture(pointerId);
  }
}

/** Puts the keyboard on the card's main button, unless someone is typing. */
function focusCard(card: HTMLElement | null): void {
  const isTyping = document.activeElement?.closest('input, textarea, select, [contenteditable]') != null;
  if (!isTyping) {
    card?.querySelector<HTMLElement>('[data-tour-primary] button')?.focus({ preventScroll: true });
  }
}

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
