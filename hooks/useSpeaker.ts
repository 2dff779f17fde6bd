import { useState, useSyncExternalStore } from 'react';
import {
  isSpeakerOn,
  noteSoundTest,
  onSpeaker,
  playBurst,
  quietest,
  readVolume,
  switchSpeakerOn,
  writeVolume,
} from '../lib/browser/speaker';
import type { Signal } from '../lib/sound/bursts';

interface Speaker {
  /** The browser lets this page sound. */
  isOn: boolean;
  /** Percent, from `quietest` to 100. */
  volume: number;
  quietest: number;
  setVolume: (percent: number) => void;
  /** Asks the browser to let the page sound; call it in an event of the user. */
  switchOn: () => Promise<boolean>;
  play: (signal: Signal) => void;
}

/** The speaker of this browser. */
export function useSpeaker(): Speaker {
  const isOn = useSyncExternalStore(onSpeaker, isSpeakerOn, () => false);
  const [volume, setShown] = useState(() => (typeof window === 'undefined' ? quietest : readVolume()));
  return {
    isOn,
    volume,
    quietest,
    setVolume: (percent) => {
      writeVolume(percent);
      setShown(readVolume());
    },
    switchOn: async () => {
      noteSoundTest();
      return await switchSpeakerOn();
    },
    play: playBurst,
  };
}
