import { useLinkSecret } from '../../hooks/useLinkSecret';
import type { User } from '../../lib/session/schema';
import { PlainPage } from '../ui/PlainPage';
import { AlreadySignedIn } from './AlreadySignedIn';
import { InvitationForm } from './InvitationForm';
import { RegistrationForm } from './RegistrationForm';

const title = 'Sign up';

/** Creates an account by an invitation's link, or asks for one if a site allows that. */
export function SignUpScreen({ user }: { user: User | null }) {
  const { secret } = useLinkSecret('invitation');
  if (user !== null) {
    return <AlreadySignedIn title={title} user={user} />;
  }
  return (
    <PlainPage title={title} isWide hasStatement>
      {secret === undefined ? null : secret === null ? (
        <RegistrationForm />
      ) : (
        <InvitationForm key={secret} invitation={secret} />
      )}
    </PlainPage>
  );
}
