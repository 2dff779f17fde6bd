import { useState } from 'react';
import { useSound } from '../../hooks/SoundProvider';
import { useSpeaker } from '../../hooks/useSpeaker';
import { Icon } from '../ui/Icon';
import { onDemand } from '../ui/onDemand';
import styles from './SoundState.module.css';

const SoundTest = onDemand(() => import('./SoundTest').then((module) => module.SoundTest));

/**
 * Says whether this screen sounds alerts (screens.md section 11). "NO SOUND" stays until the user has allowed and
 * tested it, because browsers are silent before a page is touched.
 */
export function SoundState({ userId }: { userId: number }) {
  const { isNeeded, isOn } = useSound();
  const { switchOn } = useSpeaker();
  const [isTesting, setIsTesting] = useState(false);
  return (
    <>
      {isNeeded ? (
        <button
          type="button"
          className={isOn ? styles.on : styles.off}
          title={isOn ? 'Sound is on. Test it' : 'Enable and test the alert sound'}
          onClick={() => {
            // Here and nowhere else: a browser takes only an event of the user for a permission.
            void switchOn();
            setIsTesting(true);
          }}
        >
          <Icon name={isOn ? 'sound' : 'noSound'} />
          {isOn ? 'Sound on' : 'NO SOUND'}
        </button>
      ) : null}
      {isTesting ? (
        <SoundTest
          userId={userId}
          onClose={() => {
            setIsTesting(false);
          }}
        />
      ) : null}
    </>
  );
}
