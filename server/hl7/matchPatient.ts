import type { Identifier, OruPatient } from '../../lib/hl7/readOru';
import { hasMrn, numberIs, type SenderSettings } from '../../lib/hl7/senderSettings';
import { areInOtherScripts, initialsAgree, namesAgree } from '../../lib/patients/names';
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
  /** What two people have answered about the sender. */
  settings: SenderSettings;
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
 * Returns the one patient of a value, or why there is none. Only the identifiers that the settings of the sender call
 * MRNs count: any other number may be that of a visit, and somebody else's MRN. One that another authority than the
 * site's has given does not count either. All MRNs of the message have to be this patient's. What else is sent of them
 * has to be theirs too (`isTheirs`), so that a damaged digit, or a monitor that is still on the patient before, reaches
 * no one; nor does a message from the bed of somebody else. The bed decides only where the message names no one by any
 * number, and the settings let it. However they are found, a sender on trial reaches trial patients alone, and no other
 * sender reaches these.
 */
export function matchPatient(sent: OruPatient, senderBed: string | null, times: Times, ward: Ward): Match {
  if (!sent.isReadable) {
    return { code: 'identity_conflict' };
  }
  const bed = senderBed === null ? null : ward.bedOf(senderBed);
  const match = sent.hasIdentifier ? byNumber(sent, bed?.key ?? null, times, ward) : byBed(senderBed, bed, times, ward);
  const isOther =
    'patient' in match && (isTrial(match.patient) !== ward.isTrial || !isTheirs(sent, match.patient, ward));
  return isOther ? { code: 'identity_conflict' } : match;
}

const isTrial = (patient: PatientRow): boolean => patient.is_trial === 1;

/** One without an authority is taken for ours. */
function isOurs({ authorities }: Identifier, known: readonly string[]): boolean {
  return (
    known.length === 0 || authorities.length === 0 || authorities.some((text) => known.includes(text.normalize('NFC')))
  );
}

const mrnsOf = ({ identifiers }: OruPatient, settings: SenderSettings): Identifier[] =>
  identifiers.filter((one) => numberIs(settings, one) === 'mrn');

/** Returns whether all MRNs of a message are of other authorities than the site's: none of them is used. */
export function isOfOtherAuthority(
  sent: OruPatient,
  { settings, mrnAuthorities }: Pick<Ward, 'settings' | 'mrnAuthorities'>,
): boolean {
  const numbers = mrnsOf(sent, settings);
  return sent.isReadable && numbers.length > 0 && !numbers.some((one) => isOurs(one, mrnAuthorities));
}

function byNumber(sent: OruPatient, bed: BedKey | null, times: Times, ward: Ward): Match {
  if (!hasMrn(ward.settings)) {
    return { code: 'no_identifier' };
  }
  const numbers = mrnsOf(sent, ward.settings)
    .filter((one) => isOurs(one, ward.mrnAuthorities))
    .map(({ id }) => id.normalize('NFC'));
  const [patient, ...others] = new Set(numbers.map((number) => ward.byMrn(number)));
  if (patient?.state !== 'active' || others.length > 0) {
    return { code: 'identity_conflict' };
  }
  const isBorn = sent.birthDate === patient.date_of_birth;
  const isSure =
    ward.settings.beside === 'second'
      ? isBorn || (sent.familyName !== null && sent.givenName !== null)
      : // But for its zeros a number may be one of another hospital.
        isBorn || numbers.includes(patient.mrn) || sent.familyName !== null;
  const isThere = bed === null || !ward.isElsewhere(patient, bed, times);
  return isSure && isThere ? { patient } : { code: 'identity_conflict' };
}

function byBed(
  senderBed: string | null,
  bed: ReturnType<Ward['bedOf']>,
  { takenAt, receivedAt }: Times,
  ward: Ward,
): Match {
  if (senderBed === null || !ward.settings.bedRoute) {
    return { code: 'no_identifier' };
  }
  if (bed === null) {
    return { code: 'unknown_bed' };
  }
  const [from, to] = [Math.min(takenAt, receivedAt), Math.max(takenAt, receivedAt)];
  const first = ward.stays.occupantOf(bed.key, from, to);
  // Nothing is left around the move: by a clock that is ahead, what is sent late may be of just before it.
  const occupancy =
    'releasedSince' in first
      ? ward.stays.occupantOf(bed.key, Math.min(from, takenAt - ward.aheadMs(bed.mappingId)), to)
      : first;
  if ('code' in occupancy) {
    return occupancy;
  }
  const patient = ward.byId(occupancy.patientId);
  // They may have been discharged since, and their time there is over five minutes ago.
  return patient?.state === 'active' ? { patient } : { code: 'empty_bed' };
}

/**
 * Returns whether what is sent of a person is a patient's. A year, or a year and a month, may be all that is known of
 * the birth date. A name in another script is no one's before two people have answered about the sender; then it counts
 * as not sent beside the full birth date.
 */
function isTheirs(
  { birthDate, familyName, givenName }: OruPatient,
  patient: PatientRow,
  { settings: { beside } }: Pick<Ward, 'settings'>,
): boolean {
  const { date_of_birth } = patient;
  const [year, month] = date_of_birth.split('-');
  const isUnread = (sent: string, name: string): boolean =>
    beside === 'second' && birthDate === date_of_birth && areInOtherScripts(sent, name);
  const agrees = (sent: string | null, name: string, agree: typeof namesAgree): boolean =>
    sent === null || agree(sent, name) || isUnread(sent, name);
  return (
    [null, date_of_birth, year, `${year}${month}`].includes(birthDate) &&
    agrees(familyName, patient.family_name, namesAgree) &&
    (beside === 'asSent' || agrees(givenName, patient.given_name, initialsAgree))
  );
}
