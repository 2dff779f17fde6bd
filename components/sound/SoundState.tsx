import { useState } from 'react';
import { useNow } from '../../hooks/useNow';
import { useSound } from '../../hooks/SoundProvider';
import { useSpeaker } from '../../hooks/useSpeaker';
import { Icon } from '../ui/Icon';
import { onDemand } from '../ui/onDemand';
import styles from './SoundState.module.css';

const SoundTest = onDemand(() => import('./SoundTest').then((module) => module.SoundTest));

/**
 * Says whether this screen sounds alerts, and on every screen for how long somebody has paused the sound (screens.md
 * section 11). "NO SOUND" stays until the user has allowed and tested it, because browsers are silent before a page is
 * touched.
 */
export function SoundState({ userId, initialNow }: { userId: number; initialNow: number }) {
  const { isNeeded, isOn, pause } = useSound();
  const now = useNow(initialNow);
  const left = pause === null ? 0 : Date.parse(pause.until) - now;
  const pausedBy = pause !== null && left > 0 ? `Sound paused by ${pause.by}` : null;
  const isShownPaused = pausedBy !== null && (isOn || !isNeeded);
  const { switchOn } = useSpeaker();
  const [isTesting, setIsTesting] = useState(false);
  return (
    <>
      <span role="status" className="visually-hidden">
        {pausedBy}
      </span>
      {isNeeded || isShownPaused ? (
        <button
          type="button"
          className={isOn && !isShownPaused ? styles.on : styles.off}
          title={isShownPaused ? pausedBy : isOn ? 'Sound is on. Test it' : 'Enable and test the alert sound'}
          disabled={!isNeeded}
          onClick={() => {
            // Here and nowhere else: a browser takes only an event of the user for a permission.
            void switchOn();
            setIsTesting(true);
          }}
        >
          <Icon name={isOn && !isShownPaused ? 'sound' : 'noSound'} />
          {isShownPaused ? (
            <span>
              Sound paused <br />
              {minutesAndSeconds(left)}
            </span>
          ) : isOn ? (
            'Sound on'
          ) : (
            'NO SOUND'
          )}
        </button>
      ) : null}
      {isTesting ? <SoundTest userId={userId} onClose={() => setIsTesting(false)} /> : null}
    </>
  );
}

function minutesAndSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
