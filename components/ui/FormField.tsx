import { Form, Input } from 'antd';
import { useContext, type ReactElement, type ReactNode } from 'react';
import { FormRuleContext } from './formContext';

interface FormFieldProps {
  /** The path in the body that is sent: `name`, or `['location', 'unit']`. */
  name: string | string[];
  label: string;
  hint?: ReactNode;
  isOptional?: boolean;
  /** Set for a checkbox or a switch, whose value is whether it is on. */
  valuePropName?: 'checked';
  /** The control; without one it is a line of text. */
  children?: ReactElement;
}

/** A control of a `SchemaForm` under its label, with its error right below it. */
export function FormField({
  name,
  label,
  hint,
  isOptional = false,
  valuePropName,
  children = <Input autoComplete="off" />,
}: FormFieldProps) {
  const ruleOf = useContext(FormRuleContext);
  return (
    <Form.Item
      name={name}
      label={label}
      extra={hint}
      required={!isOptional}
      valuePropName={valuePropName}
      rules={[ruleOf([name].flat().join('.'))]}
    >
      {children}
    </Form.Item>
  );
}
