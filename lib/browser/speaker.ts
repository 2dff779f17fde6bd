import { bursts, type Signal } from '../sound/bursts';
import { scheduleBurst } from './scheduleBurst';
import { createListeners } from './listeners';

const volumeKey = 'soundVolume';
/** Says that a user has tested the sound in this browser: it may then switch itself on with the next touch. */
const testedKey = 'soundTested';
/** Percent. The quietest is never silence (clinical.md section 3: no sound is ever off without end). */
export const quietest = 20;
const loudest = 100;
const usual = 60;

/** The events of a user for which browsers allow sound. */
const gestures = ['pointerdown', 'keydown'] as const;

const { subscribe, notify } = createListeners();
let context: AudioContext | null = null;

/** Returns whether this page may sound now. Browsers allow it only after the user has touched the page. */
export function isSpeakerOn(): boolean {
  return context?.state === 'running';
}

/** Calls the listener when that changes. Returns the function that stops it. */
export const onSpeaker = subscribe;

/** Switches the speaker on; call it in an event of the user. Resolves with whether it is on. */
export async function switchSpeakerOn(): Promise<boolean> {
  if (typeof AudioContext !== 'function') {
    return false;
  }
  if (context === null) {
    context = new AudioContext();
    context.addEventListener('statechange', notify);
  }
  await context.resume().catch(() => undefined);
  return isSpeakerOn();
}

/** Notes that the sound was tested in this browser. */
export function noteSoundTest(): void {
  try {
    localStorage.setItem(testedKey, 'yes');
  } catch {
    // Without storage each page has to be allowed again.
  }
}

/**
 * In a browser whose sound was tested before: switches the speaker on as soon as the browser allows it, at the latest
 * with the next touch of the page. Returns the function that stops waiting for one.
 */
export function switchSpeakerOnAgain(): () => void {
  if (isSpeakerOn() || !wasTested()) {
    return () => undefined;
  }
  const stop = (): void => {
    for (const gesture of gestures) {
      document.removeEventListener(gesture, switchOn, { capture: true });
    }
  };
  function switchOn(): void {
    void switchSpeakerOn().then((isOn) => {
      if (isOn) {
        stop();
      }
    });
  }
  for (const gesture of gestures) {
    document.addEventListener(gesture, switchOn, { capture: true });
  }
  // The page was touched before, for example on the way from sign-in.
  if (navigator.userActivation.hasBeenActive) {
    switchOn();
  }
  return stop;
}

function wasTested(): boolean {
  try {
    return localStorage.getItem(testedKey) === 'yes';
  } catch {
    return false;
  }
}

/** Plays a burst once; does nothing while the speaker is off. */
export function playBurst(signal: Signal): void {
  if (context !== null && isSpeakerOn()) {
    scheduleBurst(context, bursts[signal], readVolume() / 100, context.currentTime + 0.02);
  }
}

/** Returns the volume in percent, from `quietest` to 100. */
export function readVolume(): number {
  try {
    return withinBounds(Number(localStorage.getItem(volumeKey) ?? usual));
  } catch {
    return usual;
  }
}

/** Keeps the volume in this browser; what is quieter than `quietest` becomes that. */
export function writeVolume(percent: number): void {
  try {
    localStorage.setItem(volumeKey, String(withinBounds(percent)));
  } catch {
    // Without storage the usual volume counts.
  }
}

function withinBounds(percent: number): number {
  return Number.isFinite(percent) ? Math.min(loudest, Math.max(quietest, Math.round(percent))) : usual;
}
