import { useNow } from '../../hooks/useNow';
import { useSound } from '../../hooks/SoundProvider';
import styles from './SoundPause.module.css';

/** "Sound paused by N. Demo, 1:12": on every screen (screens.md section 11). */
export function SoundPause({ initialNow }: { initialNow: number }) {
  const { pause } = useSound();
  const now = useNow(initialNow);
  const left = pause === null ? 0 : Date.parse(pause.until) - now;
  return (
    <span role="status" className={styles.pause} title={pause?.by}>
      {pause === null || left <= 0 ? null : (
        <>
          Sound paused by {pause.by}, <span aria-hidden="true">{minutesAndSeconds(left)}</span>
        </>
      )}
    </span>
  );
}

function minutesAndSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
