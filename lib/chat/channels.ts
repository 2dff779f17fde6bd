import type { PatientLabel } from './patientLabels';
import type { OpenChannelBody } from './schema';

/** The channel type of the chat service that all our channels use: only members read it. */
export const channelType = 'messaging';

/** What a channel is for. Its id contains numbers of rows and never a name. */
export type ChannelPlace =
  | { kind: 'site'; siteId: number }
  | { kind: 'unit'; unitId: number }
  | { kind: 'careTeam'; patientId: number }
  | { kind: 'direct'; userIds: readonly [number, number] };

/** Returns the id of a channel, the same for every user who opens it. */
export function channelId(place: ChannelPlace): string {
  switch (place.kind) {
    case 'site':
      return `site-${place.siteId}`;
    case 'unit':
      return `unit-${place.unitId}`;
    case 'careTeam':
      return `patient-${place.patientId}`;
    case 'direct': {
      const [one, other] = place.userIds;
      return `direct-${Math.min(one, other)}-${Math.max(one, other)}`;
    }
    default:
      return place satisfies never;
  }
}

/** Returns what a channel is for, read from its id; null if the id is not one of ours. */
export function placeOfChannel(id: string): ChannelPlace | null {
  const [kind, first, second, ...more] = id.split('-');
  const one = numberOf(first);
  const other = numberOf(second);
  if (
    one === null ||
    more.length > 0 ||
    (other === null) !== (kind !== 'direct') ||
    (other === null && second !== undefined)
  ) {
    return null;
  }
  if (kind === 'direct') {
    return other === null || other <= one ? null : { kind, userIds: [one, other] };
  }
  if (kind === 'site') {
    return { kind, siteId: one };
  }
  if (kind === 'unit') {
    return { kind, unitId: one };
  }
  return kind === 'patient' ? { kind: 'careTeam', patientId: one } : null;
}

/** Returns the body that opens a channel of the directory; null for one that the directory does not list. */
export function openBodyOf(id: string): OpenChannelBody | null {
  const place = placeOfChannel(id);
  switch (place?.kind) {
    case 'site':
      return { kind: 'site' };
    case 'unit':
    case 'careTeam':
      return place;
    case 'direct':
    case undefined:
      return null;
    default:
      return place satisfies never;
  }
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

interface NamedPatient {
  id: number;
  givenName: string;
  familyName: string;
  unit: string | null;
  bed: string | null;
}

/**
 * Returns the name of a care team's channel for the chat service, which is outside the hospital: initials and place at
 * most, as far as the site allows. A patient without a place is called by the number.
 */
export function careTeamName({ id, givenName, familyName, unit, bed }: NamedPatient, label: PatientLabel): string {
  const place = [unit, bed === null ? null : `bed ${bed}`].filter((part) => part !== null).join(', ');
  if (label === 'number' || place === '') {
    return `Care team ${id}`;
  }
  const initials = [givenName, familyName]
    .map((name) => `${Array.from(name.trim())[0]?.toUpperCase() ?? ''}.`)
    .join('');
  return label === 'bed' ? `Care team: ${place}` : `Care team: ${initials}, ${place}`;
}
