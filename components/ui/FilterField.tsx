import { Select } from 'antd';
import { Field } from './Field';

interface FilterFieldProps {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  /** Set for many choices: they are found by typing, and their list is as wide as they need. */
  isLong?: boolean;
  onChange: (value: string) => void;
}

/** Chooses by what a list is filtered. */
export function FilterField({ label, isLong = false, ...choice }: FilterFieldProps) {
  const long = isLong && { showSearch: { optionFilterProp: 'label' }, popupMatchSelectWidth: false };
  return <Field label={label}>{(control) => <Select {...control} {...long} {...choice} />}</Field>;
}
