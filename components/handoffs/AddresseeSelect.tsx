import type { CallResponse } from '../../lib/browser/client';
import { assignmentRoleLabels, type AssignmentRole } from '../../lib/assignments/roles';
import type { Addressee } from '../../lib/handoffs/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { FieldControl } from '../ui/Field';
import { nativeControl } from '../ui/nativeControl';

/** The colleagues who may see the patient. */
export type Colleagues = CallResponse<'listNoteReaders'>['items'];

interface AddresseeSelectProps {
  /** Of a field, or a name alone where there is no room for one. */
  control: FieldControl | { 'aria-label': string };
  value: Addressee | null;
  /** The first choice if no one needs to be chosen, for example "No owner". */
  noOne?: string;
  colleagues: Colleagues;
  onChange: (value: Addressee | null) => void;
}

/** Chooses a role, or one colleague by name. One who cannot be chosen any more stays chosen as "One person". */
export function AddresseeSelect({ control, value, noOne, colleagues, onChange }: AddresseeSelectProps) {
  const userId = value !== null && 'userId' in value ? value.userId : null;
  const chosen = value === null ? '' : 'role' in value ? value.role : String(value.userId);
  return (
    <select
      {...control}
      className={nativeControl}
      value={chosen}
      onChange={({ target }) => {
        onChange(isRole(target.value) ? { role: target.value } : target.value === '' ? null : userOf(target.value));
      }}
    >
      {noOne === undefined ? null : <option value="">{noOne}</option>}
      <optgroup label="Role">
        {Object.entries(assignmentRoleLabels).map(([role, label]) => (
          <option key={role} value={role}>
            {label}
          </option>
        ))}
      </optgroup>
      <optgroup label="Person">
        {userId === null || colleagues.some(({ id }) => id === userId) ? null : (
          <option value={userId}>One person</option>
        )}
        {colleagues.map(({ id, name, type }) => (
          <option key={id} value={id}>
            {name}, {userTypeLabels[type]}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

const userOf = (value: string): Addressee => ({ userId: Number(value) });

function isRole(value: string): value is AssignmentRole {
  return Object.hasOwn(assignmentRoleLabels, value);
}
