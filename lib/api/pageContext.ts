import type { IncomingMessage } from 'node:http';
import type { AlertsPage } from '../alerts/schema';
import type { Patient, PatientsPage, PatientsQuery } from '../patients/schema';
import type { User } from '../session/schema';
import type { Wall } from '../wall/schema';

/**
 * What the server passes to a page's `getServerSideProps` on the request (`req.wardlight`). Next bundles its own copies
 * of modules, and a page must never call our own HTTP. Reads are authorised and audited for this session.
 */
export interface PageContext {
  /** The signed-in user, or null. */
  user: User | null;
  /**
   * True while the session waits for its user's password: only the lock screen may be shown, and no patient is read.
   */
  isLocked: boolean;
  /** When the user last touched a page of this session, epoch milliseconds; null without a session. */
  lastInputAt: number | null;
  /** When the session ends by itself, epoch milliseconds; null without one. */
  sessionEndsAt: number | null;
  /** True while the installation has no user: only /setup makes sense. */
  setupNeeded: boolean;
  /** The server's time, epoch milliseconds. */
  now: number;
  /** True if cookies travel without Secure away from localhost (ALLOW_HTTP): the page shows a banner. */
  insecureTransport: boolean;
  /** The public key of the chat service; null: no chat. */
  chatKey: string | null;
  /** The receiver that this page's error reports name; null if the server keeps them. */
  reportsTo: string | null;
  /** Reports an error that was thrown while a page was rendered, and returns the report's id. */
  reportFault(error: unknown): string;
  /** One page of the site's patients; null if the user may not read patients. */
  readPatients(query: PatientsQuery): Promise<PatientsPage | null>;
  /**
   * One patient of the user's site; null if there is no such row, if it belongs to another site, or if it is not
   * allowed.
   */
  readPatient(id: number): Promise<Patient | null>;
  /**
   * The wall of a unit, or of the user's only one or whole reach (null); null if the user may see no wall, or if the
   * unit is out of reach.
   */
  readWall(unit: number | null): Promise<Wall | null>;
  /** The open alerts within the user's reach; null if the user may not read alerts. */
  readOpenAlerts(): Promise<AlertsPage | null>;
}

export type PageRequest = IncomingMessage & { wardlight?: PageContext };

/** Returns the context of a page's request; throws if Next was started without our server. */
export function pageContext(request: PageRequest): PageContext {
  if (request.wardlight === undefined) {
    throw new Error('This page needs the Wardlight server: start it with npm start or npm run dev');
  }
  return request.wardlight;
}
