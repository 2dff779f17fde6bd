/** What every page goes through. Any other spec may fail on its faults, but these fail first. */
const everywhere = ['dashboard', 'firstWard', 'hostile'];

/**
 * The browser specs of each feature, by the name of its folders and files (components/alerts, server/alerts,
 * hooks/useAlerts.ts). A test fails if a spec or a feature's folder is missing.
 */
export const specRows = {
  admin: ['accounts', 'administration', 'hostile', 'units'],
  alerts: ['alertPath', 'alerts', 'intendedUse'],
  api: everywhere,
  assignments: ['units'],
  audit: ['administration'],
  authentication: ['events', 'sessions'],
  backup: ['administration'],
  breakGlass: ['units'],
  browser: everywhere,
  care: ['care'],
  chart: ['chart', 'details'],
  chat: ['chat'],
  checkIn: ['checkIn'],
  cli: ['firstWard'],
  clock: ['alertPath', ...everywhere],
  dashboard: ['dashboard', 'alerts'],
  db: ['crash', ...everywhere],
  demo: ['demo'],
  deviceAlarms: ['interfaces'],
  devices: ['units'],
  disk: everywhere,
  events: ['events', 'outage'],
  export: ['export'],
  follows: ['care'],
  handoffs: ['care'],
  handovers: ['care'],
  health: ['starting'],
  history: ['alerts', 'sidebar'],
  hl7: ['interfaces'],
  hl7Send: ['firstWard'],
  http: ['addresses', 'starting', ...everywhere],
  ingest: ['crash', 'firstWard', 'longList'],
  interfaces: ['administration', 'interfaces'],
  layout: ['dashboard', 'presence', 'sidebar'],
  mail: ['accounts'],
  mappings: ['interfaces'],
  monitoring: ['faults', 'reports'],
  notes: ['care'],
  patient_chart: ['chart'],
  patient_details: ['care', 'details'],
  patients: ['dashboard', 'longList', 'outage'],
  profile: ['sessions'],
  proposals: ['administration', 'interfaces'],
  replay: ['firstWard'],
  reports: ['issueReports'],
  session: ['accounts', 'events', 'sessions'],
  setup: ['demo', 'firstWard'],
  site: ['administration', 'intendedUse'],
  sound: ['presence'],
  start: ['demo', 'starting'],
  symptoms: ['details', 'symptoms'],
  time: everywhere,
  tour: ['tour'],
  ui: everywhere,
  units: ['units'],
  users: ['accounts'],
  vitals: ['details', 'firstWard'],
  wall: ['wall'],
};

/** Returns the names of the specs to run for a list of changed files, sorted. */
export function specsOf(files) {
  return [...new Set(files.flatMap(specsOfFile))].sort();
}

function specsOfFile(file) {
  const spec = /^e2e\/(\w+)\.spec\.ts$/.exec(file);
  if (spec !== null) {
    return [spec[1]];
  }
  const [room = '', ...rest] = file.split('/');
  if (['bench', 'docs', 'lint', 'scripts', 'test'].includes(room) || /\.(md|test\.tsx?)$/.test(file)) {
    return [];
  }
  const [folder] = rest.length > 1 ? rest : [];
  const name = rest.at(-1) ?? '';
  const words =
    folder !== undefined && folder in specRows
      ? [folder]
      : Object.keys(specRows).filter((word) => name.toLowerCase().includes(word.toLowerCase()));
  return words.length === 0 ? everywhere : words.flatMap((word) => specRows[word]);
}
