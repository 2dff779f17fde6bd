import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';

/** What each drawer of the Actions menu gets. */
export interface CareDrawerProps {
  /** As the page shows it now. */
  patient: Patient;
  user: User;
  /** The server's time at the first paint of the page, epoch milliseconds. */
  now: number;
  /** Called after something was changed, before the drawer closes. */
  onChanged: () => void;
  onClose: () => void;
}
