import type { Outcome } from './alert';

/** What came of an alert, as users choose and read it. */
export const outcomeLabels = {
  intervention: 'Something was done',
  no_action_needed: 'No action needed',
  artefact: 'Artefact, not the patient',
  sensor_fixed: 'Sensor fixed',
  known_accepted: 'Known and accepted',
  transferred: 'Patient transferred',
} as const satisfies Record<Outcome, string>;
