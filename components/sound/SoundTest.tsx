import { useEffect, useId, useRef } from 'react';
import { useNotificationChoice } from '../../hooks/useNotificationChoice';
import { useSpeaker } from '../../hooks/useSpeaker';
import dialogStyles from '../ui/dialog.module.css';
import { NativeButton } from '../ui/NativeButton';
import styles from './SoundTest.module.css';

/**
 * Plays the sound of an alert, sets its volume, offers the browser's notifications, and says what this browser can and
 * cannot do.
 */
export function SoundTest({ userId, onClose }: { userId: number; onClose: () => void }) {
  const { isOn, volume, quietest, setVolume, play } = useSpeaker();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    if (isOn) {
      play('medium');
    }
    // Once, when the speaker is on, not with each change of the volume.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isOn]);
  return (
    <dialog
      ref={dialog}
      className={`${dialogStyles.dialog} ${styles.test}`}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <h2 id={titleId}>Alert sound</h2>
      <p role="status" className={styles.text}>
        {isOn
          ? 'You should hear three tones.'
          : 'This browser does not let the page play sound. Allow sound for this site.'}
      </p>
      <label className={styles.volume}>
        Volume {volume} %
        <input
          type="range"
          min={quietest}
          max={100}
          step={10}
          value={volume}
          onChange={({ target }) => setVolume(Number(target.value))}
        />
      </label>
      <p className={styles.text}>
        Nothing heard? Check the volume of this computer. No sound when this browser is closed: keep the bedside alarms
        on and audible.
      </p>
      <NotificationChoice userId={userId} />
      <div className={styles.actions}>
        <NativeButton onClick={() => play('medium')}>Test again</NativeButton>
        <NativeButton look="primary" onClick={() => dialog.current?.close()}>
          Done
        </NativeButton>
      </div>
    </dialog>
  );
}

/** Notifications of the browser while the user looks elsewhere. Off until they are switched on here. */
function NotificationChoice({ userId }: { userId: number }) {
  const { state, isOn, choose } = useNotificationChoice(userId);
  if (state === 'unsupported') {
    return null;
  }
  return (
    <>
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={isOn}
          disabled={state === 'refused'}
          onChange={({ target }) => void choose(target.checked)}
        />
        Notify me while another window is in front
      </label>
      <p role="status" className={styles.text}>
        {state === 'refused'
          ? 'This browser blocks notifications. Allow them for this site in its settings.'
          : 'Notifications say bed and priority, never a name.'}
      </p>
    </>
  );
}
