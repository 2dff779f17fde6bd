import { useLinkSecret } from '../../hooks/useLinkSecret';
import type { User } from '../../lib/session/schema';
import { PlainPage } from '../ui/PlainPage';
import { AlreadySignedIn } from './AlreadySignedIn';
import { NewPasswordForm } from './NewPasswordForm';
import { ResetMailForm } from './ResetMailForm';

/** For users who forgot the password: asks for a reset link, or takes the new password of a user with a link. */
export function ResetPasswordScreen({ user }: { user: User | null }) {
  const { secret, forget } = useLinkSecret('token');
  const title = typeof secret === 'string' ? 'Choose a new password' : 'Reset your password';
  if (user !== null) {
    return <AlreadySignedIn title="Reset your password" user={user} />;
  }
  return (
    <PlainPage title={title}>
      {secret === undefined ? null : secret === null ? (
        <ResetMailForm />
      ) : (
        <NewPasswordForm key={secret} token={secret} onGiveUp={forget} />
      )}
    </PlainPage>
  );
}
