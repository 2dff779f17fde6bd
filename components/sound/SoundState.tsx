import { useState } from 'react';
import { useNow } from '../../hooks/useNow';
import { useSound } from '../../hooks/SoundProvider';
import { useSpeaker } from '../../hooks/useSpeaker';
import { Icon } from '../ui/Icon';
import { onDemand } from '../ui/onDemand';
import styles from './SoundState.module.css';

const SoundTest = onDemand(() => import('./SoundTest').then((module) => module.SoundTest));

/**
 * Says whether this screen sounds alerts, and who paused them (screens.md section 11). "NO SOUND" stays until the user
 * has allowed and tested it, because browsers are silent before a page is touched.
 */
export function SoundState({ initialNow }: { initialNow: number }) {
  const { isNeeded, isOn, pause } = useSound();
  const { switchOn } = useSpeaker();
  const [isTesting, setIsTesting] = useState(false);
  const now = useNow(initialNow);
  const leftMs = pause === null ? 0 : Date.parse(pause.until) - now;
  return (
    <>
      <span role="status" className={styles.pause}>
        {pause === null || leftMs <= 0 ? null : (
          <>
            Sound paused by {pause.by}, <span aria-hidden="true">{minutesAndSeconds(leftMs)}</span>
          </>
        )}
      </span>
      {isNeeded ? (
        <button
          type="button"
          className={isOn ? styles.on : styles.off}
          title={isOn ? 'Sound is on. Test it' : 'Enable and test the sound of alerts'}
          onClick={() => {
            // Here and nowhere else: a browser takes only an event of the user for a permission.
            void switchOn();
            setIsTesting(true);
          }}
        >
          <Icon name={isOn ? 'sound' : 'noSound'} />
          {isOn ? <span className="visually-hidden">Sound is on. Test it</span> : 'NO SOUND'}
        </button>
      ) : null}
      {isTesting ? (
        <SoundTest
          onClose={() => {
            setIsTesting(false);
          }}
        />
      ) : null}
    </>
  );
}

function minutesAndSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
