import { Form, Input, type InputProps } from 'antd';
import { useContext, type ReactElement, type ReactNode } from 'react';
import { FormRuleContext } from './formContext';

interface FormFieldProps extends Pick<InputProps, 'autoComplete' | 'autoFocus' | 'inputMode' | 'maxLength' | 'type'> {
  /** The path in the body that is sent: `name`, or `['location', 'unit']`. */
  name: string | string[];
  label: string;
  hint?: ReactNode;
  isOptional?: boolean;
  /** Set for a checkbox or a switch, whose value is whether it is on. */
  valuePropName?: 'checked';
  /** The control; without one it is a line of text, which takes the attributes of an input. */
  children?: ReactElement;
}

/** A control of a `SchemaForm` under its label, with its error right below it. */
export function FormField({
  name,
  label,
  hint,
  isOptional = false,
  valuePropName,
  children,
  ...input
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
      {children ?? <Input autoComplete="off" {...input} />}
    </Form.Item>
  );
}
