import type { PatientLimitsResponse } from '../lib/alerts/limitsSchema';
import type { Caller } from './testServer';

type Wanted = { rule: string } & Record<string, unknown>;

/** Sets limits of a patient, based on those that hold, if the caller can read them. */
export async function setPatientLimits(who: Caller, patientId: number, wanted: Wanted) {
  const url = `/api/v2/patients/${patientId}/limits`;
  const known = await who.call('GET', url);
  const items = known.statusCode === 200 ? known.json<PatientLimitsResponse>().items : [];
  const basedOn = items.find(({ rule }) => rule === wanted.rule)?.own?.setAt ?? null;
  return await who.call('PUT', url, { basedOn, ...wanted });
}
