import type { FormRule } from 'antd';
import type { FieldErrors } from './fieldErrors';

/**
 * Returns the rule by which a field of antd's form shows its part of the form's errors. The path is the body's, as the
 * server writes it ("location.unit"); an error inside a list ("shiftStarts.0") belongs to the list's field.
 */
export function zodRule(path: string, errorsNow: () => FieldErrors): FormRule {
  return {
    validator: () => {
      const found = Object.entries(errorsNow()).find(([at]) => at === path || at.startsWith(`${path}.`));
      if (found === undefined) {
        return Promise.resolve();
      }
      const [, words] = found;
      // antd puts the field's label in: "Name is empty". "Enter the date of birth" is a sentence already.
      return Promise.reject(new Error(words.startsWith('Enter ') ? words : `\${label} ${words}`));
    },
  };
}
