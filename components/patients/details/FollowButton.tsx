import { Button } from 'antd';
import { useServerLost } from '../../../hooks/useServerLost';
import { Icon } from '../../ui/Icon';
import styles from './FollowButton.module.css';

interface FollowButtonProps {
  /** The patient's. */
  name: string;
  /** Null: not known. */
  isFollowed: boolean | null;
  isWaiting: boolean;
  /** Little room: several patients side by side. */
  isCompact: boolean;
  onPress: () => void;
}

/** Follows a patient, or no longer: what is new about those whom a user follows is on the user's start page. */
export function FollowButton({ name, isFollowed, isWaiting, isCompact, onPress }: FollowButtonProps) {
  const isLost = useServerLost() !== null;
  const isOff = isLost || isFollowed === null;
  return (
    <Button
      className={isCompact ? styles.compact : styles.follow}
      aria-label={`Follow ${name}`}
      aria-pressed={isFollowed === true}
      // Not `disabled`: the button would lose the keyboard.
      aria-disabled={isOff}
      aria-busy={isWaiting}
      title={
        isLost
          ? 'Not reachable: nothing can be sent now'
          : isFollowed === true
            ? 'You follow this patient: what is new is on your start page'
            : 'Follow: what is new about this patient is then on your start page'
      }
      icon={<Icon name="bookmark" />}
      onClick={isOff || isWaiting ? undefined : onPress}
    >
      {isCompact ? null : <span className={styles.word}>{isFollowed === true ? 'Followed' : 'Follow'}</span>}
    </Button>
  );
}
