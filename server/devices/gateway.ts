import { z } from 'zod';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import type { DeviceRow, PatientRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import type { LiveState } from '../liveState';

const ids = z.array(z.int());
const gatewayProposal = z.object({ units: ids, by: z.int().nullable() });

/** The units of a gateway: confirmed ones, those that one person proposed, and until when it is to be confirmed. */
const readGateway = (row: DeviceRow) => ({
  // What cannot be read lets nothing in.
  units: row.gateway_units === null ? null : (readJson(ids, row.gateway_units) ?? []),
  proposal: row.gateway_proposal === null ? null : readJson(gatewayProposal, row.gateway_proposal),
  until: row.gateway_until,
});

/** Every sample asks, and a row never changes: another one takes its place. */
const known = new WeakMap<DeviceRow, ReturnType<typeof readGateway>>();

/** Returns what a device may send as a gateway (`readGateway`). */
export function gatewayStateOf(row: DeviceRow): ReturnType<typeof readGateway> {
  const state = known.get(row) ?? readGateway(row);
  known.set(row, state);
  return state;
}

/** What a sample says of its patient; `at`: when it was taken, by the server's clock. */
interface Named {
  dateOfBirth: string | undefined;
  at: EpochMs;
  receivedAt: EpochMs;
}

/**
 * Returns whether a token may write a sample of a patient: it is the patient of the device at that time, or of a unit
 * of the gateway with the right date of birth, or the device is still to be confirmed as a gateway. What it kept back
 * from a time when it was on this patient by mistake it may not.
 */
export function mayWrite(device: DeviceRow, patient: PatientRow, named: Named, liveState: LiveState): boolean {
  const { units, proposal, until } = gatewayStateOf(device);
  const fits = (reached: readonly number[]): boolean =>
    named.dateOfBirth === patient.date_of_birth && reached.includes(patient.unit_id ?? 0);
  if (liveState.deviceStays.wasWrong(device.id, patient.id, named.at)) {
    return false;
  }
  if (until !== null && named.receivedAt < until) {
    if (!fits(proposal?.units ?? [patient.unit_id ?? 0])) {
      liveState.misfits.set(device.id, named.receivedAt);
    }
    return true;
  }
  return units === null ? liveState.deviceStays.at(device.id, named.at) === patient.id : fits(units);
}

const readyAfterMs = 10 * 60_000;

/**
 * Returns what changes in a device's row if a user wants it to be a gateway of these units, none: of none. A second
 * user confirms by wanting the same. Rejects with 422 if a unit is not of the site, and with 409 `gateway_not_ready`
 * if the device has just sent what would be refused then: a ward must not fall silent.
 */
export function changedGateway(
  device: DeviceRow,
  unitIds: readonly number[],
  { by, now }: { by: number | null; now: EpochMs },
  { units: known, misfits }: Pick<LiveState, 'units' | 'misfits'>,
): Pick<DeviceRow, 'gateway_proposal'> & Partial<Pick<DeviceRow, 'gateway_units' | 'gateway_until'>> {
  if (unitIds.some((id) => known.get(id)?.site_id !== device.site_id)) {
    throw new HttpError(422, 'invalid', 'unitIds: no such unit.', { fields: { unitIds: 'is not of this site' } });
  }
  const units = [...new Set(unitIds)].sort((a, b) => a - b);
  const { proposal } = gatewayStateOf(device);
  if (units.length === 0) {
    return { gateway_units: null, gateway_proposal: null, gateway_until: null };
  }
  if (proposal === null || proposal.by === by || String(proposal.units) !== String(units)) {
    return { gateway_proposal: JSON.stringify({ units, by }) };
  }
  if (now - (misfits.get(device.id) ?? 0) < readyAfterMs) {
    throw new HttpError(
      409,
      'gateway_not_ready',
      'In the last 10 min it sent values without the right dateOfBirth, or of other units. They would be refused.',
    );
  }
  return { gateway_units: JSON.stringify(units), gateway_proposal: null, gateway_until: null };
}
