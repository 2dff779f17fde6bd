import type { AlertsPage } from '../../lib/alerts/schema';
import type { User } from '../../lib/session/schema';
import { antdOnDemand } from '../ui/antdOnDemand';
import type { OpenedDialog } from './useAlertDialog';

const AlertDrawer = antdOnDemand(() => import('./AlertDrawer').then((module) => module.AlertDrawer));

interface OpenedAlertDialogProps {
  dialog: OpenedDialog | null;
  /** The last response with the open alerts. */
  page: AlertsPage | undefined;
  user: User;
  onClose: () => void;
}

/**
 * The dialog that is open about an alert, if one is. It shows the alert as the last response has it; one that is not
 * among the open alerts is closed if these are all there.
 */
export function OpenedAlertDialog({ dialog, page, user, onClose }: OpenedAlertDialogProps) {
  if (dialog === null) {
    return null;
  }
  const open = page?.items.find(({ id }) => id === dialog.alert.id);
  return (
    <AlertDrawer
      is={dialog.is}
      alert={open ?? dialog.alert}
      isClosed={open === undefined && page !== undefined && page.items.length >= page.total}
      opened={dialog.alert.version}
      user={user}
      onClose={onClose}
    />
  );
}
