import { Select } from 'antd';
import Link from 'next/link';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { paths } from '../../lib/paths';
import { dateOfBirthText } from '../../lib/patients/dateOfBirthText';
import { patientPatch } from '../../lib/patients/schema';
import { dayOf } from '../../lib/time/dayOf';
import { DateOfBirthField } from '../ui/DateOfBirthField';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { patientIdentity } from '../ui/PatientName';
import { RefusalText } from '../ui/RefusalText';
import { SchemaForm } from '../ui/SchemaForm';
import { profileChoices, sexChoices } from '../ui/patientChoices';
import { useSeen } from '../ui/useSeen';
import type { CareDrawerProps } from './careDrawer';

/** Corrects a patient's identity. Only what was changed is sent, so that it overwrites nothing else. */
export function EditPatientDrawer({ patient: present, user, now: initialNow, onChanged, onClose }: CareDrawerProps) {
  const today = dayOf(useNow(initialNow), user.site.timeZone);
  const change = useCall('changePatient');
  const seen = useSeen(present);
  const patient = seen.state;
  const { familyName, givenName, dateOfBirth, mrn, sex, profile } = patient;
  const initial = { familyName, givenName, dateOfBirth, mrn, sex, profile };
  return (
    <FormDrawer title={`Edit: ${patientIdentity(patient)}`} onClose={onClose}>
      <SchemaForm
        schema={patientPatch.extend({ dateOfBirth: dateOfBirthText(user.site.dateOrder, today).optional() })}
        initial={initial}
        seen={seen}
        bodyOf={(typed) => ({
          version: patient.version,
          ...Object.fromEntries(
            Object.entries(typed).filter(([name, value]) => !Object.entries(initial).some(isSame(name, value))),
          ),
        })}
        send={async (body) => {
          await change({ params: { id: patient.id }, body });
          onChanged();
          onClose();
        }}
        refusalText={(failure) => (
          <>
            <RefusalText done="saved" failure={failure} seen={seen} />{' '}
            {failure.code === 'mrn_exists' && failure.id !== null ? (
              <Link href={paths.patientDetails([failure.id])} prefetch={false}>
                Open that patient
              </Link>
            ) : null}
          </>
        )}
        submitLabel="Save"
      >
        <div className="field-pair">
          <FormField name="familyName" label="Family name" />
          <FormField name="givenName" label="Given name" />
          <DateOfBirthField site={user.site} today={today} />
          <FormField name="mrn" label="MRN" hint="Medical record number" />
        </div>
        <FormField name="sex" label="Sex">
          <Select options={sexChoices} />
        </FormField>
        <FormField name="profile" label="Profile" hint="Open alerts close when the profile changes: other rules apply">
          <Select options={profileChoices} />
        </FormField>
      </SchemaForm>
    </FormDrawer>
  );
}

const isSame =
  (name: string, value: unknown) =>
  ([known, before]: [string, unknown]): boolean =>
    known === name && before === value;
