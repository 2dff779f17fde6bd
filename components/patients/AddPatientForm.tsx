import { Checkbox, Select } from 'antd';
import Link from 'next/link';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { ApiFailure } from '../../lib/browser/client';
import { dateOfBirthText } from '../../lib/patients/dateOfBirthText';
import { placeText } from '../../lib/patients/placeText';
import { newPatient, type Patient } from '../../lib/patients/schema';
import { paths } from '../../lib/paths';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { dayOf } from '../../lib/time/dayOf';
import { PlaceFields } from '../care/PlaceFields';
import { FormField } from '../ui/FormField';
import { DateOfBirthField } from '../ui/DateOfBirthField';
import { notDone } from '../ui/notDone';
import { SchemaForm } from '../ui/SchemaForm';
import { profileChoices, sexChoices } from '../ui/patientChoices';
import { PatientName, patientIdentity, patientName } from '../ui/PatientName';

interface AddPatientFormProps {
  onAdded: (name: string) => void;
  user: User;
}

/** The names are those of the body, so that each error finds its field. */
const empty = {
  familyName: '',
  givenName: '',
  dateOfBirth: '',
  mrn: '',
  sex: 'unknown',
  location: { unit: '', bed: '' },
  profile: 'continuous',
  spo2Scale: 1,
  isTrial: false,
};

const scales = [
  { value: 1, label: 'Scale 1 (target 94–98 %)' },
  { value: 2, label: 'Scale 2 (target 88–92 %)' },
];

function bodyOf({ location: { unit, bed }, ...typed }: typeof empty) {
  return { ...typed, location: unit.trim() === '' && bed.trim() === '' ? null : { unit, bed } };
}

/** The form for a new patient. */
export function AddPatientForm({ onAdded, user }: AddPatientFormProps) {
  const createPatient = useCall('createPatient');
  const [openedAt] = useState(() => Date.now());
  const today = dayOf(useNow(openedAt), user.site.timeZone);
  return (
    <SchemaForm
      schema={newPatient.extend({ dateOfBirth: dateOfBirthText(user.site.dateOrder, today) })}
      initial={empty}
      bodyOf={bodyOf}
      send={async (body, _typed, confirm) => {
        onAdded(
          patientName(await createPatient({ body: confirm.length > 0 ? { ...body, confirm: [...confirm] } : body })),
        );
      }}
      refusalText={(failure) => <Refusal failure={failure} />}
      submitLabel="Add patient"
      confirmLabel="Add as another person"
    >
      <div className="field-pair">
        <FormField name="familyName" label="Family name" autoFocus />
        <FormField name="givenName" label="Given name" hint="Empty if there is only one name" isOptional />
        <DateOfBirthField site={user.site} today={today} />
        <FormField name="mrn" label="MRN" hint="Medical record number" />
      </div>
      <FormField name="sex" label="Sex">
        <Select options={sexChoices} />
      </FormField>
      <div className="field-pair">
        <PlaceFields user={user} patientId={null} />
      </div>
      <FormField name="profile" label="Profile">
        <Select options={profileChoices} />
      </FormField>
      {/* Only users who set SpO2 targets choose the scale (clinical.md section 9). */}
      {can(user, 'setSpo2Scale') ? (
        <FormField name="spo2Scale" label="SpO2 scale">
          <Select options={scales} />
        </FormField>
      ) : null}
      <FormField
        name="isTrial"
        label="Trial patient"
        hint="Every screen says “Trial” beside the name. This cannot be changed later."
        valuePropName="checked"
        isOptional
      >
        <Checkbox>An invented patient, to try out a gateway</Checkbox>
      </FormField>
    </SchemaForm>
  );
}

/** The server's message, with a link to the patient who has the MRN, or is in the bed, already. */
function Refusal({ failure }: { failure: ApiFailure }) {
  return (
    <>
      {failure.isOutcomeUnknown ? notDone('added', failure) : failure.message}{' '}
      {['mrn_exists', 'bed_taken'].includes(failure.code) && failure.id !== null ? (
        <Link href={paths.patientDetails([failure.id])} prefetch={false}>
          Open that patient
        </Link>
      ) : null}
      {failure.confirm.map((id) => (
        <LikelyDuplicate key={id} id={id} />
      ))}
    </>
  );
}

/** Somebody who is likely the same person. */
function LikelyDuplicate({ id }: { id: number }) {
  const { data } = useRead('getPatient', { params: { id } });
  return data === undefined ? null : <ComparedPatient patient={data} />;
}

/** A patient with two identifiers to compare, and the place. */
export function ComparedPatient({ patient }: { patient: Patient }) {
  const place = patient.state === 'active' ? placeText(patient) : 'discharged';
  return (
    <div>
      <PatientName patient={patient} /> {patientIdentity(patient)}, {place}
    </div>
  );
}
