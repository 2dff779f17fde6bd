import { Checkbox, Select } from 'antd';
import { userTypeLabels, userTypes } from '../../lib/session/userTypes';
import { FormField } from '../ui/FormField';

const types = userTypes.map((value) => ({ value, label: userTypeLabels[value] }));

/** The role of a user on the ward. */
export function TypeField() {
  return (
    <FormField name="type" label="Role">
      <Select showSearch={{ optionFilterProp: 'label' }} options={types} />
    </FormField>
  );
}

/** Whether a user administers the site, in addition to the role. */
export function AdminField() {
  return (
    <FormField
      name="isAdmin"
      label="Administration"
      isOptional
      hint="In addition to the role. It opens no patient by itself."
      valuePropName="checked"
    >
      <Checkbox>Administers users, devices and the site</Checkbox>
    </FormField>
  );
}
