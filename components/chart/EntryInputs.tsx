import { AutoComplete, Form, Input, Select } from 'antd';
import { useState, type ReactNode } from 'react';
import { useNoteReaders } from '../../hooks/useNoteReaders';
import { choiceWords } from '../../lib/chart/entryWords';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { WrittenSection } from '../../lib/chart/sections';
import { FormField } from '../ui/FormField';

interface EntryInputsProps {
  section: WrittenSection;
  patientId: number;
}

/** The fields of a section's value, in a `SchemaForm`. */
export function EntryInputs({ section, patientId }: EntryInputsProps) {
  switch (section) {
    case 'codeStatus':
      return (
        <>
          <Choice name="status" label="Code status" words={choiceWords.codeStatus} />
          <Unless name="status" is="full">
            <Text name="limits" label="Treatments that are limited" isOptional />
          </Unless>
        </>
      );
    case 'allergies':
      return (
        <>
          <Choice name="is" label="What is known" words={{ allergy: 'An allergy', none: 'No known allergies' }} />
          <Unless name="is" is="none">
            <Text name="substance" label="Substance" />
            <Text name="reaction" label="Reaction" isOptional />
            <Choice name="severity" label="Severity" words={choiceWords.severity} />
          </Unless>
        </>
      );
    case 'oxygen':
      return (
        <>
          <Choice name="device" label="Device" words={choiceWords.oxygenDevice} />
          <Unless name="device" is="roomAir">
            <Text name="flow" label="Flow, L/min" isOptional />
            <Text name="fiO2" label="FiO2, %" isOptional />
          </Unless>
          <Text name="note" label="Note" isOptional />
        </>
      );
    case 'conditions':
      return (
        <>
          <Choice name="is" label="What it is" words={{ condition: 'A condition', caution: 'A caution about SpO2' }} />
          <Unless name="is" is="caution">
            <Text name="name" label="Condition" />
            <Text name="since" label="Since (2019, 2019-03 or 2019-03-07)" isOptional />
          </Unless>
          <Unless name="is" is="condition">
            <Choice name="caution" label="Caution" words={choiceWords.caution} />
          </Unless>
          <Text name="note" label="Note" isOptional />
        </>
      );
    case 'medications':
      return (
        <>
          <Choice name="is" label="What is known" words={{ medication: 'A medication', none: 'No medication' }} />
          <Unless name="is" is="none">
            <Text name="name" label="Medication" />
            <Text name="dose" label="Dose" />
            <Text name="frequency" label="How often" />
            <Text name="note" label="Note" isOptional />
          </Unless>
        </>
      );
    case 'contacts':
      return (
        <>
          <Choice name="role" label="Whose phone" words={choiceWords.contactRole} />
          <Text name="phone" label="Phone" />
          <Unless name="role" is="patient">
            <Text name="name" label="Name" isOptional />
            <Text name="relation" label="Relation" isOptional />
          </Unless>
          <Text name="note" label="Note" isOptional />
        </>
      );
    case 'team':
      return (
        <>
          <Choice name="role" label="Role" words={choiceWords.teamRole} />
          <Colleague patientId={patientId} />
        </>
      );
    case 'identifiers':
      return (
        <>
          <Choice name="type" label="Kind" words={choiceWords.identifierType} />
          <Text name="value" label="Number" />
          <Text name="assigner" label="Issued by" isOptional />
        </>
      );
    default:
      return section satisfies never;
  }
}

/** A user who sees the patient, or a name: the responsible clinician may have no account here. */
function Colleague({ patientId }: { patientId: number }) {
  const form = Form.useFormInstance();
  const [isOpen, setIsOpen] = useState(false);
  const { data = [] } = useNoteReaders(patientId, isOpen);
  const options = data.map(({ id, name, type }) => ({
    key: id,
    value: name,
    label: `${name}, ${userTypeLabels[type]}`,
  }));
  return (
    <>
      <FormField name={['value', 'name']} label="Name" hint="Choose a colleague, or type the name of someone else">
        <AutoComplete
          options={options}
          showSearch={{ filterOption: (typed, option) => namesIn(option?.value, typed) }}
          onFocus={() => setIsOpen(true)}
          onSelect={(name: string, { key }) => {
            form.setFieldsValue({ value: { userId: String(key), userName: name } });
          }}
        >
          <Input autoComplete="off" />
        </AutoComplete>
      </FormField>
      {/* Of the one who was chosen, as long as the name stays as it is. */}
      <Form.Item name={['value', 'userId']} hidden>
        <input type="hidden" />
      </Form.Item>
      <Form.Item name={['value', 'userName']} hidden>
        <input type="hidden" />
      </Form.Item>
    </>
  );
}

const namesIn = (name: string | undefined, typed: string): boolean =>
  name?.toLowerCase().includes(typed.trim().toLowerCase()) === true;

interface InputProps {
  name: string;
  label: string;
}

function Text({ name, label, isOptional = false }: InputProps & { isOptional?: boolean }) {
  return <FormField name={['value', name]} label={label} isOptional={isOptional} />;
}

function Choice({ name, label, words }: InputProps & { words: Readonly<Record<string, string>> }) {
  const options = Object.entries(words).map(([value, text]) => ({ value, label: text }));
  return (
    <FormField name={['value', name]} label={label}>
      {/* Empty is no choice: the field says so in the place of a first one that no one has chosen. */}
      <Select options={[{ value: '', label: 'Choose', disabled: true }, ...options]} />
    </FormField>
  );
}

/** Shows its fields unless another field has a value. */
function Unless({ name, is, children }: { name: string; is: string; children: ReactNode }) {
  const held: unknown = Form.useWatch(['value', name]);
  return held === is ? null : children;
}
