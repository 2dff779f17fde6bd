import { Form, Input, Select } from 'antd';
import type { ReactNode } from 'react';
import { choiceWords } from '../../lib/chart/entryWords';
import type { WrittenSection } from '../../lib/chart/sections';
import { FormField } from '../ui/FormField';

/** The fields of a section's value, in a `SchemaForm`. */
export function EntryInputs({ section }: { section: WrittenSection }) {
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
          <Text name="name" label="Name" />
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

interface InputProps {
  name: string;
  label: string;
}

function Text({ name, label, isOptional = false }: InputProps & { isOptional?: boolean }) {
  return (
    <FormField name={['value', name]} label={label} isOptional={isOptional}>
      <Input autoComplete="off" />
    </FormField>
  );
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
