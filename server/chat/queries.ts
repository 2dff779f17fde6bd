import { canHold } from '../../lib/assignments/canHold';
import { holders } from '../../lib/assignments/holders';
import { careTeamName, channelId, type ChannelPlace } from '../../lib/chat/channels';
import type { PatientLabel } from '../../lib/chat/patientLabels';
import type { ChatDirectory } from '../../lib/chat/schema';
import { markTrial } from '../../lib/patients/markTrial';
import { reachOf } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { mineOf, readPeople, type Person } from '../assignments/queries';
import { shiftOf } from '../assignments/shiftOf';
import type { Store } from '../db/open';
import { scopeOf } from '../http/scope';
import { compareText, firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Session } from '../session/session';
import { siteRow } from '../site/queries';
import { unitInScope } from '../units/queries';
import type { LiveState } from '../liveState';
import type { PatientRow } from '../db/rows';
import type { ChatPerson } from './streamDoor';

/** Returns a signed-in user as the chat service knows them. */
export function chatPersonOf({ id, fname, lname, email, siteId, userImage }: User): ChatPerson {
  return { id, name: `${fname} ${lname}`, email, siteId, image: userImage };
}

/** Returns the users of a site who may chat, by id. */
export async function readMembers(store: Store, siteId: number): Promise<Map<number, Person>> {
  const people = await readPeople(store, siteId);
  return new Map([...people].filter(([, person]) => person.isActive && reachOf(person, 'chat') !== null));
}

/** Returns what the chat service may see of a site's patients. */
export async function readPatientLabel({ db }: Store, siteId: number): Promise<PatientLabel> {
  return (await siteRow(db, siteId)).chat_patient_label;
}

/** Returns the name of a patient's channel as the chat service sees it. */
export function outsideName(liveState: LiveState, row: PatientRow, label: PatientLabel): string {
  const { id, given_name: givenName, family_name: familyName, bed } = row;
  const name = careTeamName({ id, givenName, familyName, unit: liveState.unitNameOf(row), bed }, label);
  return markTrial(name, { isTrial: row.is_trial === 1 });
}

/** Returns who looks after a patient in the current shift: nurse, buddy, and those responsible for the whole unit. */
export function careTeamOf(
  liveState: LiveState,
  site: User['site'],
  patient: PatientRow,
  members: ReadonlyMap<number, Person>,
  now: EpochMs,
): Person[] {
  const unit = liveState.unitOf(patient);
  if (unit === null) {
    return [];
  }
  const { start } = shiftOf(site, 'current', now);
  const team = new Map<number, Person>();
  for (const { role, patientId, userId } of holders(liveState.assignmentsOf(unit.id), start)) {
    const member = userId === null ? undefined : members.get(userId);
    if (member !== undefined && (patientId === null || patientId === patient.id) && canHold(role, member, unit.id)) {
      team.set(member.id, member);
    }
  }
  return [...team.values()];
}

/** Returns whether a user may be in a channel. Channels of two people do not depend on units. */
export function mayBeIn(liveState: LiveState, session: Session, place: ChannelPlace, now: EpochMs): boolean {
  const { user } = session;
  const scope = scopeOf(session, 'readPatients', now);
  switch (place.kind) {
    case 'site':
      return place.siteId === user.siteId;
    case 'unit': {
      const unit = liveState.units.get(place.unitId);
      return unit?.site_id === user.siteId && (user.units.some(({ id }) => id === unit.id) || unitInScope(unit, scope));
    }
    case 'careTeam':
      return scope !== null && liveState.patientInScope(place.patientId, scope)?.state === 'active';
    case 'direct':
      return place.userIds.includes(user.id);
    default:
      return place satisfies never;
  }
}

/**
 * Returns the channels to which a user belongs by default: the site's, those of their units, and the care teams of
 * their patients.
 */
export function ownPlaces(liveState: LiveState, user: User, now: EpochMs): ChannelPlace[] {
  return [
    { kind: 'site', siteId: user.siteId },
    ...user.units.map(({ id }): ChannelPlace => ({ kind: 'unit', unitId: id })),
    ...mineOf(liveState, user, now)
      .filter((id) => liveState.patients.get(id)?.state === 'active')
      .map((patientId): ChannelPlace => ({ kind: 'careTeam', patientId })),
  ];
}

/**
 * Returns the people and care teams to whom a user can write: the teams of their own patients and of those they ask
 * for. The titles name patients: they are for the user's own screen only.
 */
export async function readDirectory(
  store: Store,
  liveState: LiveState,
  session: Session,
  asked: readonly number[],
  now: EpochMs,
): Promise<{ directory: ChatDirectory; patientIds: number[] }> {
  const { user } = session;
  const scope = scopeOf(session, 'readPatients', now);
  const members = await readMembers(store, user.siteId);
  const patients = [...new Set([...(scope === null ? [] : mineOf(liveState, user, now)), ...asked])]
    .map((id) => (scope === null ? null : liveState.patientInScope(id, scope)))
    .filter((row) => row?.state === 'active')
    .filter((row) => row !== null);
  const units = [...liveState.units.values()]
    .filter((row) => mayBeIn(liveState, session, { kind: 'unit', unitId: row.id }, now) && row.site_id === user.siteId)
    .sort((a, b) => compareText(a.name, b.name));
  const directory: ChatDirectory = {
    channels: [
      { id: channelId({ kind: 'site', siteId: user.siteId }), kind: 'site', title: user.site.name },
      ...units.map(({ id, name }) => ({
        id: channelId({ kind: 'unit', unitId: id }),
        kind: 'unit' as const,
        title: name,
      })),
      ...patients.map((row) => ({
        id: channelId({ kind: 'careTeam', patientId: row.id }),
        kind: 'careTeam' as const,
        title: markTrial(`${row.given_name} ${row.family_name}${row.bed === null ? '' : `, bed ${row.bed}`}`, {
          isTrial: row.is_trial === 1,
        }),
      })),
    ],
    colleagues: [...members.values()]
      .filter(({ id }) => id !== user.id)
      .sort((a, b) => firstDifference(compareText(a.name, b.name), a.id - b.id))
      .map(({ id, name, type }) => ({ id, name, type })),
  };
  return { directory, patientIds: patients.map(({ id }) => id) };
}
