import type { User } from '../../lib/session/schema';
import { NativeButton } from '../ui/NativeButton';
import { askForBreakGlass } from './asking';

/** Whether the user has emergency access and it is not open now. */
export function canBreakGlass({
  permissions,
  breakGlassUntil,
}: Pick<User, 'permissions' | 'breakGlassUntil'>): boolean {
  return permissions.includes('breakGlass') && breakGlassUntil === null;
}

/** Opens the dialog of emergency access, for users who `canBreakGlass`. `onAsk` closes what is around the button. */
export function BreakGlassButton({ onAsk }: { onAsk?: () => void }) {
  return (
    <NativeButton
      onClick={() => {
        onAsk?.();
        askForBreakGlass(true);
      }}
    >
      Emergency access
    </NativeButton>
  );
}

/**
 * Offers emergency access in the place of a patient who is not shown. It says the same whether the patient is in
 * another unit, at another site or nowhere.
 */
export function BreakGlassOffer({
  user,
  onAsk,
}: {
  user: Pick<User, 'permissions' | 'breakGlassUntil' | 'units'>;
  onAsk?: () => void;
}) {
  return canBreakGlass(user) ? (
    <p>
      You see the patients of {user.units.map(({ name }) => name).join(', ')}. In an emergency you can open the other
      units of your site. <BreakGlassButton onAsk={onAsk} />
    </p>
  ) : null;
}
