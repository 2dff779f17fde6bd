import { Select } from 'antd';
import { useState } from 'react';
import { usePatientSearch } from '../../hooks/usePatientSearch';
import { useRead } from '../../hooks/useRead';
import type { Patient } from '../../lib/patients/schema';
import { Field } from './Field';
import { patientName } from './PatientName';

interface PatientFieldProps {
  /** The patient's id; an empty text: no patient is chosen. */
  value: string;
  /** What no choice means. */
  placeholder: string;
  error?: string;
  onChange: (id: string) => void;
}

/** Chooses a patient by name or MRN. */
export function PatientField({ value, placeholder, error, onChange }: PatientFieldProps) {
  const [text, setText] = useState('');
  const found = usePatientSearch(text);
  return (
    <Field label="Patient" error={error}>
      {(control) => (
        <Select
          {...control}
          showSearch={{ filterOption: false, onSearch: setText }}
          allowClear
          popupMatchSelectWidth={false}
          placeholder={placeholder}
          notFoundContent={
            text.trim() === '' ? 'Type a name or an MRN' : found === undefined ? 'Searching …' : 'No patient found'
          }
          value={value === '' ? undefined : value}
          labelRender={({ label }) => label ?? <ChosenPatient id={value} />}
          options={(found ?? []).map((patient) => ({ value: String(patient.id), label: labelOf(patient) }))}
          onChange={(id: string | undefined) => onChange(id ?? '')}
        />
      )}
    </Field>
  );
}

function ChosenPatient({ id }: { id: string }) {
  const patient = useRead('getPatient', { params: { id: Number(id) } }, { everyMs: 600_000 }).data;
  return patient === undefined ? `Patient ${id}` : labelOf(patient);
}

const labelOf = (patient: Patient): string => `${patientName(patient)}, MRN ${patient.mrn}`;
