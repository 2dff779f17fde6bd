import type { User } from '../../lib/session/schema';
import { PlainPage } from '../ui/PlainPage';
import { AlreadySignedIn } from './AlreadySignedIn';
import { NewPasswordForm } from './NewPasswordForm';
import { ResetMailForm } from './ResetMailForm';
import { useLinkSecret } from './useLinkSecret';

/** The way back for whoever forgot the password: asks for a link, and takes the new password of whoever came by one. */
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
