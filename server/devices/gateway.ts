import type { Kysely } from 'kysely';
import { z } from 'zod';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import type { DeviceRow, PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import type { LiveState } from '../liveState';
import { closeProposal, decide, propose, proposalsOf, type By } from '../proposals/proposals';

const ids = z.array(z.int());
const wantedUnits = z.object({ units: ids });

/** Every sample asks, and a row never changes: another one takes its place. */
const known = new WeakMap<DeviceRow, number[] | null>();

/** Returns the units of a gateway that two people have confirmed; null: the device sends for its own patient. */
export function gatewayUnitsOf(row: DeviceRow): number[] | null {
  // What cannot be read lets nothing in.
  const units = known.get(row) ?? (row.gateway_units === null ? null : (readJson(ids, row.gateway_units) ?? []));
  known.set(row, units);
  return units;
}

/** Resolves with the units that one person has proposed for each gateway of a site. */
export async function readProposedUnits(db: Kysely<Database>, siteId: number): Promise<Map<number, number[]>> {
  const open = proposalsOf(db, siteId, 'gateway').where('state', '=', 'proposed');
  const rows = await open.select(['object_id', 'wanted']).execute();
  return new Map(rows.map(({ object_id, wanted }) => [object_id, readJson(wantedUnits, wanted)?.units ?? []]));
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
  const hasBirthDate = named.dateOfBirth === patient.date_of_birth;
  if (liveState.deviceStays.wasWrong(device.id, patient.id, named.at)) {
    return false;
  }
  if (device.gateway_until !== null && named.receivedAt < device.gateway_until) {
    const sent = liveState.sentFor.get(device.id) ?? new Map<number, EpochMs>();
    liveState.sentFor.set(device.id, sent.set(hasBirthDate ? (patient.unit_id ?? 0) : 0, named.receivedAt));
    return true;
  }
  const units = gatewayUnitsOf(device);
  return units === null
    ? liveState.deviceStays.at(device.id, named.at) === patient.id
    : hasBirthDate && units.includes(patient.unit_id ?? 0);
}

const readyAfterMs = 10 * 60_000;

/**
 * Resolves with what changes in a device's row if a user wants it to be a gateway of these units, none: of none. A
 * second user confirms by wanting the same. Rejects with 422 if a unit is not of the site, with 409 `proposal_decided`
 * if these are confirmed already, and with 409 `gateway_not_ready` if the device has just sent what would be refused
 * then: a ward must not fall silent.
 */
export async function changeGateway(
  transaction: Kysely<Database>,
  by: By,
  device: DeviceRow,
  unitIds: readonly number[],
  { units: known, sentFor }: Pick<LiveState, 'units' | 'sentFor'>,
): Promise<Partial<Pick<DeviceRow, 'gateway_units' | 'gateway_until'>>> {
  if (unitIds.some((id) => known.get(id)?.site_id !== device.site_id)) {
    throw new HttpError(422, 'invalid', 'unitIds: no such unit.', { fields: { unitIds: 'is not of this site' } });
  }
  const units = [...new Set(unitIds)].sort((a, b) => a - b);
  const subject = { kind: 'gateway', object_id: device.id, about: 'units' } as const;
  if (units.length === 0) {
    await closeProposal(transaction, by, subject);
    return { gateway_units: null, gateway_until: null };
  }
  const last = await proposalsOf(transaction, device.site_id, 'gateway')
    .selectAll()
    .where('object_id', '=', device.id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const isOpen = last?.state === 'proposed';
  const isSame = String(last === undefined ? null : readJson(wantedUnits, last.wanted)?.units) === String(units);
  const isInForce = last?.state === 'approved' && device.gateway_units === JSON.stringify(units);
  if (last === undefined || !isSame || !(isOpen ? last.proposed_by !== by.user.id : isInForce)) {
    await propose(transaction, by, subject, () =>
      Promise.resolve({ wanted: { units }, replaces: isOpen ? last.id : null }),
    );
    return { gateway_units: device.gateway_units };
  }
  const sent = [...(sentFor.get(device.id) ?? [])];
  if (isOpen && sent.some(([unit, at]) => by.now - at < readyAfterMs && !units.includes(unit))) {
    throw new HttpError(
      409,
      'gateway_not_ready',
      'In the last 10 min it sent values without the right dateOfBirth, or of other units. They would be refused.',
    );
  }
  return await decide(transaction, by, ['gateway', last.id], { approves: true }, () =>
    Promise.resolve({ gateway_units: JSON.stringify(units), gateway_until: null }),
  );
}
