import { dequal } from 'dequal/lite';
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useSelector } from 'react-redux';
import { takeSoundTurn } from '../lib/browser/tabTurn';
import { isSpeakerOn, onSpeaker, playBurst, switchSpeakerOnAgain } from '../lib/browser/speaker';
import { everyMs } from '../lib/browser/workerClock';
import { nextBurstAt, signalOf, type Signal } from '../lib/sound/bursts';
import type { AlertSound, AskingAlert } from '../lib/sound/soundSchema';
import { can } from '../lib/session/can';
import { isDisplay } from '../lib/session/isDisplay';
import type { User } from '../lib/session/schema';
import { selectStatus } from '../store/session/selectors';
import { poll } from './poll';
import { useAlertStrip } from './AlertStripProvider';
import { useAlertNotifications } from './useAlertNotifications';
import { useAlertsStopped } from './useAlertsStopped';
import { useNotificationChoice } from './useNotificationChoice';
import { usePresenceRead } from './usePresenceRead';
import type { Fresh } from './useReadState';
import { useServerLost } from './useServerLost';

/** What the shell shows of the sound. */
export interface ShownSound {
  /** Whether alerts may ask this user, so that the screen has to sound. */
  isNeeded: boolean;
  /** The browser lets this page sound. */
  isOn: boolean;
  /** The pause of somebody's, which everyone sees; null: none. */
  pause: AlertSound['pause'];
}

const noAlerts: readonly AskingAlert[] = [];
const none: ShownSound = { isNeeded: false, isOn: false, pause: null };
const Context = createContext<ShownSound>(none);

/** Returns the state of the sound. */
export function useSound(): ShownSound {
  return useContext(Context);
}

/**
 * Sounds the most urgent alert that has asked the user, that nothing is live, or that alerts do not run, on every page,
 * on the lock screen and while the server cannot say who is signed in (screens.md section 11). No page and no filter
 * mutes it. One tab of the browser sounds. The worker's clock drives it, so that a hidden tab sounds as well.
 */
export function SoundProvider({ user, children }: { user: User; children: ReactNode }) {
  const response = usePresenceRead('readAlertSound', user, readSound);
  // The screen shows no alert then, and nothing is polled. The user of the page is still in front of it.
  const isUnreachable = useSelector(selectStatus) === 'unreachable';
  const isOn = useSyncExternalStore(onSpeaker, isSpeakerOn, () => false);
  const isNeeded = (response !== null || isUnreachable) && (can(user, 'handleAlerts') || isDisplay(user));
  useEffect(() => (isNeeded && !isOn ? switchSpeakerOnAgain() : undefined), [isNeeded, isOn]);
  const { priority = null, pause = null, asking = noAlerts } = response?.data ?? {};
  const isServerLost = useServerLost() !== null;
  const areAlertsStopped = useAlertsStopped() !== null;
  const signal = isNeeded ? signalOf({ priority, isNotLive: isServerLost || isUnreachable, areAlertsStopped }) : null;
  useBursts(useSoundTurn(isNeeded && isOn) ? signal : null);
  const areNotificationsOn = useNotificationChoice(user.id).isOn && isNeeded;
  useAlertNotifications(areNotificationsOn, { asking, strip: useAlertStrip().items, isSounding: isOn });
  const shown = useMemo(() => ({ isNeeded, isOn, pause }), [isNeeded, isOn, pause]);
  return <Context value={response === null && !isUnreachable ? none : shown}>{children}</Context>;
}

/** Returns whether this tab is the one that sounds. Only tabs whose speaker is on ask for the turn. */
function useSoundTurn(isWanted: boolean): boolean {
  const [hasTurn, setHasTurn] = useState(false);
  useEffect(() => {
    if (!isWanted) {
      return undefined;
    }
    let isOver = false;
    const giveBack = takeSoundTurn(() => {
      if (!isOver) {
        setHasTurn(true);
      }
    });
    return () => {
      isOver = true;
      setHasTurn(false);
      giveBack();
    };
  }, [isWanted]);
  return isWanted && hasTurn;
}

/** Plays the bursts of a signal, the first at once. */
function useBursts(signal: Signal | null): void {
  const last = useRef<{ signal: Signal; at: number } | null>(null);
  useEffect(() => {
    if (signal === null) {
      last.current = null;
      return undefined;
    }
    const play = (): void => {
      const now = performance.now();
      if (nextBurstAt(signal, last.current, now) <= now) {
        last.current = { signal, at: now };
        playBurst(signal);
      }
    };
    play();
    return everyMs(1_000, play);
  }, [signal]);
}

/** Keeps the same object while nothing changes, so that nothing is drawn again. */
async function readSound(held: AlertSound | undefined): Promise<Fresh<AlertSound>> {
  const { data, serverTime } = await poll('readAlertSound', {});
  return { data: held !== undefined && dequal(held, data) ? held : data, serverTime };
}
