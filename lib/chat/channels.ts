import type { PatientLabel } from './patientLabels';

/** The kind of the service that all our channels are of: its members alone read it. */
export const channelType = 'messaging';

/** What a channel is for. Its id holds rows’ numbers and never a name. */
export type ChannelPlace =
  | { kind: 'site'; siteId: number }
  | { kind: 'unit'; unitId: number }
  | { kind: 'careTeam'; patientId: number }
  | { kind: 'direct'; userIds: readonly [number, number] };

/** The id of a channel, the same for whoever opens it. */
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

/** What a channel is for, read back from its id; null where the id is none of ours. */
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
 * The name of a care team's channel as the chat service, which is outside the hospital, gets to see it: initials and
 * place at most, by what the site allows. Who has no place is called by the number.
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
