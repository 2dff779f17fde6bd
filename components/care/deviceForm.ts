import { z } from 'zod';
import { deviceAssignment } from '../../lib/devices/schema';
import { dateOfBirthText } from '../../lib/patients/dateOfBirthText';
import type { Patient } from '../../lib/patients/schema';
import type { DateOrder } from '../../lib/time/parseDateOfBirth';

/** The form that puts a device on this patient: both identifiers as typed have to be theirs. */
export function deviceForm(
  { mrn, dateOfBirth }: Pick<Patient, 'mrn' | 'dateOfBirth'>,
  order: DateOrder,
  today: string,
) {
  return deviceAssignment.extend({
    deviceId: z.int('is not chosen'),
    mrn: deviceAssignment.shape.mrn.refine((typed) => typed === mrn, 'is not the one of this patient'),
    dateOfBirth: dateOfBirthText(order, today).refine(
      (typed) => typed === dateOfBirth,
      'is not the one of this patient',
    ),
  });
}
