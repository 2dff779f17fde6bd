type Query = Readonly<Record<string, string | undefined>>;

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** At the end of a patient's address: the notes area opens with its handoffs. */
export const handoffsInFront = '#handoffs';

/** At the end of a patient's address: the note that is scrolled to. */
export const noteInView = (noteId: number): string => `#note-${noteId}`;

/** Every page's address. Components build links from here and never by hand. */
export const paths = {
  start: '/',
  signIn: '/sign_in',
  /** An invitation's link adds `#invitation=…`, which no server sees. */
  signUp: '/sign_up',
  /** A reset's link adds `#token=…`, which no server sees. */
  resetPassword: '/reset_password',
  /** Where a new password leads: sign-in says that it counts. */
  signInAfterReset: '/sign_in?reset=done',
  /** The page for every unknown address; its traces are dropped (lib/monitoring/sentryValues.ts). */
  notFound: '/404',
  /** What the product is for and what it is not; everyone may read it. */
  intendedUse: '/intended_use',
  /** The page of patients at home; a link adds `#` and its secret, which no server sees. */
  checkIn: '/check_in',
  locked: '/locked',
  lockedAndReturn: (wanted: string): string => `/locked?next=${encodeURIComponent(wanted)}`,
  profile: '/profile',
  setup: '/setup',
  dashboard: '/dashboard',
  wall: '/wall',
  wallOf: (unitId: number): string => `/wall?unit=${unitId}`,
  patients: '/patients',
  notReporting: '/patients?view=not_reporting',
  myPatients: '/patients?mine=true',
  patientDetails: (ids: readonly number[]): string => `/patient_details?ids=${ids.join(',')}`,
  /** The page of one patient with the handoffs in front. */
  patientHandoffs: (id: number): string => `/patient_details?ids=${id}${handoffsInFront}`,
  /** The page of one patient with a note in view. */
  patientNote: (id: number, noteId: number): string => `/patient_details?ids=${id}${noteInView(noteId)}`,
  /** The chart of one patient, to be printed. */
  patientChart: (id: number): string => `/patient_chart?id=${id}`,
  assignments: '/assignments',
  assignmentsOf: (unitId: number, shift: 'current' | 'next'): string =>
    `/assignments?unit=${unitId}${shift === 'next' ? '&shift=next' : ''}`,
  handovers: '/handovers',
  /** Issue reports, with the filters of components/reports/reportsAddress. */
  reports: (filters: Readonly<Record<string, string>> = {}): string => withQuery('/reports', filters),
  report: (id: number): string => `/reports?id=${id}`,
  chat: '/chat',
  /** The chat of the people who look after a patient. */
  careTeamChat: (patientId: number): string => `/chat?patient=${patientId}`,
  alertSettings: '/alert_settings',
  /** The history of alerts and the alarm budget, with the filters of lib/alerts/historyAddress. */
  alertHistory: (filters: Readonly<Record<string, string>> = {}): string => withQuery('/alerts', filters),
  adminUsers: '/admin/users',
  adminUnits: '/admin/units',
  adminDevices: '/admin/devices',
  adminInterfaces: '/admin/interfaces',
  adminMappings: '/admin/mappings',
  adminEmergencyAccess: '/admin/emergency_access',
  adminSite: '/admin/site',
  adminAudit: '/admin/audit',
  adminErrors: '/admin/errors',
  adminSites: '/admin/sites',
  /** Files, not pages. */
  auditExport: (query: Query): string => withQuery('/api/v2/audit/export', query),
  alertHistoryExport: (query: Query): string => withQuery('/api/v2/alerts/history/export', query),
  alarmBudgetExport: (query: Query): string => withQuery('/api/v2/alerts/budget/export', query),
  signInAndReturn: (wanted: string): string => `/sign_in?next=${encodeURIComponent(wanted)}`,
  /** After a session that ended: sign-in says since when, by the site's time, the screen shows no alerts. */
  signInAfterEnd: (wanted: string, endedAt: string): string =>
    `/sign_in?next=${encodeURIComponent(wanted)}&ended=${encodeURIComponent(endedAt)}`,
} as const;

/** Returns whether an address of our own is that of a wall. */
export function isWall(address: string): boolean {
  return address === paths.wall || address.startsWith(`${paths.wall}?`);
}

/** At most this many patients stand side by side on the details page. */
export const maxPatientsAtOnce = 8;

/**
 * Takes what a `next` parameter said and returns a path of our own, or null: no other host, no scheme, no backslash.
 */
export function ownPath(text: unknown): string | null {
  // oxlint-disable-next-line no-control-regex -- control characters are what it refuses
  if (typeof text !== 'string' || !/^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(text)) {
    return null;
  }
  const url = new URL(text, 'http://own.invalid');
  // "/.//elsewhere" is a path of ours only until its dot is resolved: what is left names another host.
  return url.host === 'own.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search : null;
}
