import { useOwnCall } from '../../hooks/useOwnCall';
import banner from '../ui/Banner.module.css';
import { NativeButton } from '../ui/NativeButton';
import { useAction } from '../ui/useAction';

/** Says on every page by whose link the password was set, until the user has taken note of it. */
export function PasswordLinkBanner({ by }: { by: string }) {
  const see = useOwnCall('seePasswordLink');
  const { failure, carryOut } = useAction();
  return (
    <div role="status">
      <div className={`${banner.notice} ${banner.acting}`}>
        <span>
          <strong>Your password was set through a link made by {by}.</strong> If you did not ask for it, say so to
          another administrator.
        </span>
        <NativeButton onClick={() => void carryOut(() => see({}))}>OK</NativeButton>
        {failure === null ? null : <span>This is shown again. {failure.message}</span>}
      </div>
    </div>
  );
}
