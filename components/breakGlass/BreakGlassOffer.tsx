import type { User } from '../../lib/session/schema';
import { NativeButton } from '../ui/NativeButton';
import { askForBreakGlass } from './asking';

/** Whether emergency access would open anything to this user that is not open. */
export function canBreakGlass({
  permissions,
  breakGlassUntil,
}: Pick<User, 'permissions' | 'breakGlassUntil'>): boolean {
  return permissions.includes('breakGlass') && breakGlassUntil === null;
}

/**
 * The button that leads to the emergency access. The caller has asked `canBreakGlass`. `onAsk` closes what stands
 * around it.
 */
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
 * Stands where a patient was asked for and not shown. It says the same whether there is such a patient in another unit,
 * in another site or nowhere.
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
