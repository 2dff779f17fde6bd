import { Select } from 'antd';
import { useState } from 'react';
import { usePatientSearch } from '../../hooks/usePatientSearch';
import { useRead } from '../../hooks/useRead';
import type { Patient } from '../../lib/patients/schema';
import { Field } from '../ui/Field';
import { patientName } from '../ui/PatientName';

interface PatientFieldProps {
  /** The patient's id; an empty text: all patients. */
  value: string;
  onChange: (id: string) => void;
}

/** Chooses a patient by name or MRN. */
export function PatientField({ value, onChange }: PatientFieldProps) {
  const [text, setText] = useState('');
  const found = usePatientSearch(text);
  return (
    <Field label="Patient" error={undefined}>
      {(control) => (
        <Select
          {...control}
          showSearch={{ filterOption: false, onSearch: setText }}
          allowClear
          popupMatchSelectWidth={false}
          placeholder="All"
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
