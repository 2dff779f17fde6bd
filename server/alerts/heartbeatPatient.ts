import type { PatientRow } from '../db/rows';

/** The site of the heartbeat: no user belongs to it. */
export const heartbeatSite = 0;

function inventedPatient(id: number, mrn: string): PatientRow {
  return {
    id,
    site_id: heartbeatSite,
    mrn,
    given_name: '',
    family_name: '',
    date_of_birth: '1970-01-01',
    sex: 'unknown',
    unit_id: null,
    bed: null,
    profile: 'continuous',
    spo2_scale: 1,
    news2_exempt_for: null,
    shares_bed: 0,
    is_trial: 0,
    state: 'active',
    version: 1,
    created_at: 0,
    updated_at: 0,
  };
}

/**
 * The two invented patients of the heartbeat: while one of them sends, the other one is silent. They are neither in the
 * store nor among the patients in memory, so no list, count or export can show them. Only the heartbeat's samples find
 * them, by their MRN on this site.
 */
export const heartbeatPatients: readonly PatientRow[] = [
  inventedPatient(0, 'heartbeat'),
  inventedPatient(-2, 'heartbeat 2'),
];

/** Returns the invented patient of this id, if it is one. */
export function heartbeatPatient(id: number): PatientRow | undefined {
  return heartbeatPatients.find((patient) => patient.id === id);
}
