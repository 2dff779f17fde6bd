import type { PatientRow } from '../db/rows';

/** The site of the heartbeat: no user belongs to it. */
export const heartbeatSite = 0;

/**
 * The invented patient of the heartbeat. It is neither in the store nor among the patients in memory, so no list, count
 * or export can show it. Only the heartbeat's samples find it, by this MRN on this site.
 */
export const heartbeatPatient: PatientRow = {
  id: 0,
  site_id: heartbeatSite,
  mrn: 'heartbeat',
  given_name: '',
  family_name: '',
  date_of_birth: '1970-01-01',
  sex: 'unknown',
  unit_id: null,
  bed: null,
  profile: 'continuous',
  spo2_scale: 1,
  news2_exempt_for: null,
  state: 'active',
  version: 1,
  created_at: 0,
  updated_at: 0,
};
