import { useCurrentUser } from '../../hooks/useCurrentUser';
import { Icon } from '../ui/Icon';

/** Locks the screen while the user is away. */
export function LockEntry() {
  const { lock } = useCurrentUser();
  return (
    <button
      type="button"
      className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
      onClick={() => void lock()}
    >
      <Icon name="lock" />
      <span>Lock screen</span>
    </button>
  );
}
