import { fullName } from '../../lib/patients/fullName';
import { sql } from 'kysely';
import { mrnEnd } from '../../lib/devices/mrnEnd';
import { quarantinePageSize } from '../../lib/devices/quarantinePageSize';
import type { ListedDevice, RefusedResponse } from '../../lib/devices/schema';
import { compareText, firstDifference } from '../../lib/sortOrder';
import { toInstant } from '../../lib/time/schema';
import { isVitalKind } from '../../lib/vitals/kinds';
import type { RejectionCode } from '../../lib/vitals/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Store } from '../db/open';
import { notFound } from '../http/httpError';
import { inScope, type Scope } from '../http/scope';
import type { Alerts } from '../alerts/alerts';
import { gatewayUnitsOf, readProposedUnits } from './gateway';
import { gatewaysOf } from '../alerts/clockFacts';
import type { LiveState } from '../liveState';
import type { DeviceRow } from '../db/rows';

const dayMs = 86_400_000;
/** Refused samples are counted up to this number: a faulty gateway can fill quarantine with millions. */
const countUntil = 1_000;

/**
 * Returns whether a scope reaches a device: it reaches the device's patient. Every user of the site reaches a device
 * without a patient, because they may assign it.
 */
function isWithinReach(liveState: LiveState, scope: Scope, device: Pick<DeviceRow, 'id' | 'site_id'>): boolean {
  const patient = liveState.patients.get(liveState.assigned.get(device.id) ?? 0);
  return device.site_id === scope.siteId && (patient === undefined || inScope(scope, patient));
}

/** Returns a device. Rejects with 404 if it does not exist or is out of reach. */
export async function requireDevice(store: Store, liveState: LiveState, scope: Scope, id: number): Promise<DeviceRow> {
  const row = await store.db.selectFrom('devices').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined || !isWithinReach(liveState, scope, row)) {
    throw notFound();
  }
  return row;
}

/** The devices that a caller reaches, and the patients whose names they may see (null: none). */
export interface DeviceReach {
  devices: Scope;
  patients: Scope | null;
}

/** Returns the devices within reach, sorted by name, or only the one with an id. */
export async function listDevices(
  { store, liveState, alerts }: { store: Store; liveState: LiveState; alerts: Pick<Alerts, 'seenAt'> },
  now: EpochMs,
  reach: DeviceReach,
  id?: number,
): Promise<ListedDevice[]> {
  const { siteId } = reach.devices;
  const rows = await store.db
    .selectFrom('devices')
    .selectAll()
    .select(
      sql<number>`(SELECT count(*) FROM (SELECT 1 FROM quarantine q
        WHERE q.device_id = devices.id AND q.received_at > ${now - dayMs} LIMIT ${countUntil}) AS refused)`.as(
        'refused',
      ),
    )
    .select(
      sql<number | null>`(SELECT max(received_at) FROM quarantine q WHERE q.device_id = devices.id)`.as('refused_at'),
    )
    .where('site_id', '=', siteId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .execute();
  const proposed = await readProposedUnits(store.db, siteId);
  const seen = lastSeen(liveState, siteId);
  const gatewayOf = gatewaysOf(liveState);
  for (const { id: deviceId, refused_at } of rows) {
    seen.set(deviceId, Math.max(seen.get(deviceId) ?? 0, refused_at ?? 0, alerts.seenAt(deviceId) ?? 0));
  }
  // What its sources sent, an HL7 sender has sent.
  for (const [deviceId, at] of seen) {
    seen.set(gatewayOf(deviceId), Math.max(at, seen.get(gatewayOf(deviceId)) ?? 0));
  }
  return rows
    .filter((row) => isWithinReach(liveState, reach.devices, row))
    .sort((a, b) => firstDifference(compareText(a.name, b.name), a.id - b.id))
    .map((row) => ({
      id: row.id,
      name: row.name,
      sender: row.sender_id === null ? null : (liveState.devices.get(gatewayOf(row.id))?.name ?? row.name),
      expectedEveryMs: row.expected_every_ms,
      createdAt: toInstant(row.created_at),
      expiresAt: row.expires_at === null ? null : toInstant(row.expires_at),
      revokedAt: row.revoked_at === null ? null : toInstant(row.revoked_at),
      lastSeenAt: instantOrNull(seen.get(row.id) ?? 0),
      refused: row.refused,
      gateway: {
        unitIds: gatewayUnitsOf(row) ?? [],
        proposedUnitIds: proposed.get(row.id) ?? [],
        until: row.gateway_until === null ? null : toInstant(row.gateway_until),
      },
      patient: presentAssigned(liveState, row.id, reach.patients),
    }));
}

const instantOrNull = (epochMs: number): string | null => (epochMs === 0 ? null : toInstant(epochMs));

/**
 * Returns when the newest sample of each device of a site arrived. The live state knows it, so no device call has to
 * write it.
 */
function lastSeen(liveState: LiveState, siteId: number): Map<number, number> {
  const seen = new Map<number, number>();
  for (const patient of liveState.patients.values()) {
    if (patient.site_id === siteId) {
      for (const kind of liveState.latestOf(patient.id).keys()) {
        for (const { sample } of liveState.latestOfDevices(patient.id, kind)) {
          seen.set(sample.deviceId, Math.max(sample.receivedAt, seen.get(sample.deviceId) ?? 0));
        }
      }
    }
  }
  return seen;
}

function presentAssigned(liveState: LiveState, deviceId: number, names: Scope | null): ListedDevice['patient'] {
  const row = liveState.patients.get(liveState.assigned.get(deviceId) ?? 0);
  if (row === undefined) {
    return null;
  }
  const mayKnow = names !== null && inScope(names, row);
  return {
    location: liveState.locationOf(row),
    mrnEnd: mrnEnd(row.mrn),
    isTrial: row.is_trial === 1,
    identity: mayKnow ? { id: row.id, name: fullName(row.family_name, row.given_name), mrn: row.mrn } : null,
  };
}

const reasons: Readonly<Record<RejectionCode, string>> = {
  malformed_sample: 'The sample lacks something, or holds what no sample has.',
  unknown_patient: 'No patient of this site has the number that it named.',
  other_site_patient: 'It named a patient of another site.',
  discharged_patient: 'The patient is discharged. The device may be on another patient by now.',
  not_its_patient: 'The device was not assigned to this patient at that time, or as a gateway does not send for them.',
  unknown_kind: 'It named a kind of value that is not known here.',
  impossible_value: 'No patient can have this value.',
  unparsable_time: 'Its time cannot be read.',
  time_in_future: 'Its time lies in the future. The clock of the device is wrong.',
  identity_conflict: 'The message does not clearly name one admitted patient of this site.',
  no_identifier: 'The message names no patient by a number, and no bed.',
  unknown_bed: 'The message names no patient, and no one has confirmed which bed its bed is.',
  empty_bed: 'The message names no patient, and there was no one in its bed.',
  bed_changing:
    'The message names no patient, and the patient of its bed changed about that time. A nurse, physician or ward ' +
    'lead releases it for 24 hours on the page of the patient who is in the bed, with the MRN and the date of birth.',
  training: 'The message is marked as training, test or demo.',
  clock_wrong: 'Its time differs from ours by more than 24 hours. The clock of the sender is wrong, or it is old.',
  unknown_unit: 'Its unit is not one in which this kind of value is taken.',
  unknown_text: 'Two people have to say first whether the text beside its code means this kind of value.',
  wrong_code: 'Its code was mapped to this kind of value by mistake.',
  too_many_sources: 'The sender has named more sources than one patient, or one sender, may have.',
};
const isKnownCode = (code: string): code is RejectionCode => Object.hasOwn(reasons, code);

/** Returns one page of a device's refused samples, newest first, without their values and names, since it is here. */
export async function listRefused(
  store: Store,
  { unitIds }: Scope,
  deviceId: number,
  page: number,
): Promise<RefusedResponse> {
  const elsewhere = await store.db
    .selectFrom('device_assignments')
    .innerJoin('patients', 'patients.id', 'device_assignments.patient_id')
    .select(['ended_at', 'unit_id'])
    .where('device_id', '=', deviceId)
    .orderBy('device_assignments.id')
    .execute();
  // Its history ends for a unit that it leaves: nothing from before it was with a patient out of reach.
  const left = elsewhere.findLast(({ unit_id }) => unit_id !== null && unitIds?.includes(unit_id) === false);
  const ofDevice = store.db
    .selectFrom('quarantine')
    .where('device_id', '=', deviceId)
    .where('received_at', '>', left?.ended_at ?? 0);
  const rows = await ofDevice
    .selectAll()
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(quarantinePageSize)
    .offset((page - 1) * quarantinePageSize)
    .execute();
  const { total } = await store.db
    .selectFrom(
      ofDevice
        .select('id')
        .limit(10 * countUntil)
        .as('counted'),
    )
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return {
    items: rows.map(({ id, received_at, code, sample }) => ({
      id,
      receivedAt: toInstant(received_at),
      code,
      reason: isKnownCode(code) ? reasons[code] : 'It was refused.',
      ...whatItSays(sample),
    })),
    total,
  };
}

/** Returns what may be shown of a refused sample. Its text may be cut off and then is not valid JSON. */
function whatItSays(text: string): { kind: RefusedResponse['items'][number]['kind']; mrnEnd: string | null } {
  const sample = parseOrNull(text);
  const { kind, mrn } = typeof sample === 'object' && sample !== null ? (sample as Record<string, unknown>) : {};
  return {
    kind: typeof kind === 'string' && isVitalKind(kind) ? kind : null,
    mrnEnd: typeof mrn === 'string' ? mrnEnd(mrn.trim()) : null,
  };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
