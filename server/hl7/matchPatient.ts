import type { Identifier, OruPatient } from '../../lib/hl7/readOru';
import { namesAgree } from '../../lib/patients/names';
import type { EpochMs } from '../../lib/time/epochMs';
import type { PatientRow } from '../db/rows';
import type { BedKey, BedStays } from '../patients/bedStays';

export type Match =
  | { patient: PatientRow }
  | { code: 'identity_conflict' | 'no_identifier' | 'unknown_bed' | 'empty_bed' | 'bed_changing' };

/** What is known of the patients of a sender's site, and of its beds. */
export interface Ward {
  /** The sender is on trial: it reaches trial patients, and no other sender does. */
  isTrial: boolean;
  /** Whose numbers are MRNs here; none: those of any authority. */
  mrnAuthorities: readonly string[];
  /** Returns who has a number, or the only one who has it but for leading zeros. */
  byMrn(mrn: string): PatientRow | null;
  byId(id: number): PatientRow | null;
  /** Returns which bed a bed of the sender is, by a confirmed mapping; else null. */
  bedOf(senderBed: string): { key: BedKey; mappingId: number } | null;
  stays: Pick<BedStays, 'occupantOf'>;
  /** Returns by how much a clock of what comes by a mapping of a bed is ahead of ours, milliseconds, 0 if none is. */
  aheadMs(mappingId: number): number;
  /** Returns whether we have a patient in another bed than this. */
  isElsewhere(patient: PatientRow, bed: BedKey, times: Times): boolean;
}

/** A value and its way to us, epoch milliseconds. */
export interface Times {
  takenAt: EpochMs;
  receivedAt: EpochMs;
}

/**
 * Returns the one patient of a value, or why there is none. Only an identifier of the type MR counts: any other number
 * may be that of a visit, and somebody else's MRN. One that another authority than the site's has given does not count
 * either. All MRNs of the message have to be this patient's. A birth date and a family name that are sent have to be
 * theirs too, so that a damaged digit, or a monitor that is still on the patient before, reaches no one; nor does a
 * message from the bed of somebody else. The bed decides only where the message names no one by any number. However
 * they are found, a sender on trial reaches trial patients alone, and no other sender reaches these.
 */
export function matchPatient(sent: OruPatient, senderBed: string | null, times: Times, ward: Ward): Match {
  if (!sent.isReadable) {
    return { code: 'identity_conflict' };
  }
  const bed = senderBed === null ? null : ward.bedOf(senderBed);
  const match = sent.hasIdentifier ? byNumber(sent, bed?.key ?? null, times, ward) : byBed(senderBed, bed, times, ward);
  const isOther = 'patient' in match && (isTrial(match.patient) !== ward.isTrial || !isTheirs(sent, match.patient));
  return isOther ? { code: 'identity_conflict' } : match;
}

const isTrial = (patient: PatientRow): boolean => patient.is_trial === 1;

/** One without an authority is taken for ours. */
function isOurs({ authorities }: Identifier, known: readonly string[]): boolean {
  return (
    known.length === 0 || authorities.length === 0 || authorities.some((text) => known.includes(text.normalize('NFC')))
  );
}

/** Returns whether all MR numbers of a message are of other authorities than the site's: none of them is used. */
export function isOfOtherAuthority({ identifiers, isReadable }: OruPatient, known: readonly string[]): boolean {
  const numbers = identifiers.filter(({ type }) => type === 'MR');
  return isReadable && numbers.length > 0 && !numbers.some((identifier) => isOurs(identifier, known));
}

function byNumber(sent: OruPatient, bed: BedKey | null, times: Times, ward: Ward): Match {
  const ours = sent.identifiers.filter((one) => one.type === 'MR' && isOurs(one, ward.mrnAuthorities));
  const numbers = ours.map(({ id }) => id.normalize('NFC'));
  const [patient, ...others] = new Set(numbers.map((number) => ward.byMrn(number)));
  if (patient?.state !== 'active' || others.length > 0) {
    return { code: 'identity_conflict' };
  }
  // But for its zeros a number may be one of another hospital.
  const isSure = numbers.includes(patient.mrn) || sent.familyName !== null || sent.birthDate === patient.date_of_birth;
  const isThere = bed === null || !ward.isElsewhere(patient, bed, times);
  return isSure && isThere ? { patient } : { code: 'identity_conflict' };
}

function byBed(
  senderBed: string | null,
  bed: ReturnType<Ward['bedOf']>,
  { takenAt, receivedAt }: Times,
  ward: Ward,
): Match {
  if (senderBed === null) {
    return { code: 'no_identifier' };
  }
  if (bed === null) {
    return { code: 'unknown_bed' };
  }
  const [from, to] = [Math.min(takenAt, receivedAt), Math.max(takenAt, receivedAt)];
  const first = ward.stays.occupantOf(bed.key, from, to);
  // Nothing is left around the move: by a clock that is ahead, what is sent late may be of just before it.
  const occupancy =
    'isReleased' in first
      ? ward.stays.occupantOf(bed.key, Math.min(from, takenAt - ward.aheadMs(bed.mappingId)), to)
      : first;
  if ('code' in occupancy) {
    return occupancy;
  }
  const patient = ward.byId(occupancy.patientId);
  // They may have been discharged since, and their time there is over five minutes ago.
  return patient?.state === 'active' ? { patient } : { code: 'empty_bed' };
}

function isTheirs({ birthDate, familyName }: OruPatient, { date_of_birth, family_name }: PatientRow): boolean {
  // A year, or a year and a month, may be all that is known.
  const [year, month] = date_of_birth.split('-');
  const known = [null, date_of_birth, year, `${year}${month}`];
  return known.includes(birthDate) && (familyName === null || namesAgree(familyName, family_name));
}
