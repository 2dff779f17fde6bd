import { Button, Form, Input, Select } from 'antd';
import { useState } from 'react';
import { usePatients } from '../../hooks/usePatients';
import { useRead } from '../../hooks/useRead';
import { maxPageSize } from '../../lib/api/pageSize';
import { isLimited } from '../../lib/session/isLimited';
import type { User } from '../../lib/session/schema';
import { unitKey } from '../../lib/units/unitKey';
import { FormField } from '../ui/FormField';
import { patientName } from '../ui/PatientName';

interface PlaceFieldsProps {
  user: User;
  /** The patient who moves; null: a new one. */
  patientId: number | null;
}

/**
 * Unit and bed. The unit is one of the site's: a mistyped name would make a second ward. Only users who reach the whole
 * site add one, and only for a new patient: no one moves into a ward that is not there. The bed says who is in it.
 */
export function PlaceFields({ user, patientId }: PlaceFieldsProps) {
  const [isNewUnit, setIsNewUnit] = useState(false);
  const { data } = useRead('listUnits', {});
  const form = Form.useFormInstance();
  const unit: unknown = Form.useWatch(['location', 'unit'], form);
  const bed: unknown = Form.useWatch(['location', 'bed'], form);
  const isWholeSite = !isLimited(user);
  // A new patient of a user with units is admitted there; a patient who is there already may move anywhere.
  const names = patientId === null && !isWholeSite ? user.units : (data?.items ?? []);
  // A unit that is not there yet has no bed that is taken.
  const unitId = names.find(({ name }) => name === unit)?.id;
  const hasPlace = unitId !== undefined && typeof bed === 'string' && bed.trim() !== '';
  return (
    <>
      <FormField
        name={['location', 'unit']}
        label="Unit"
        isOptional
        hint={
          isWholeSite && patientId === null ? (
            <Button
              type="link"
              onClick={() => {
                form.setFieldValue(['location', 'unit'], '');
                setIsNewUnit(!isNewUnit);
              }}
            >
              {isNewUnit ? 'Choose a known unit' : '+ New unit'}
            </Button>
          ) : undefined
        }
      >
        {isNewUnit ? (
          <Input autoComplete="off" placeholder="Name of the new unit" />
        ) : (
          <Select
            showSearch={{ optionFilterProp: 'label' }}
            options={[{ value: '', label: 'No unit' }, ...names.map(({ name }) => ({ value: name, label: name }))]}
          />
        )}
      </FormField>
      <FormField
        name={['location', 'bed']}
        label="Bed"
        isOptional
        hint={hasPlace ? <Occupant unitId={unitId} bed={bed} patientId={patientId} /> : undefined}
      />
    </>
  );
}

/** Says who is in a bed, of the patients within the user's reach. The server checks it among all. */
function Occupant({ unitId, bed, patientId }: { unitId: number; bed: string; patientId: number | null }) {
  const { data } = usePatients({
    state: 'active',
    unit: unitId,
    mine: false,
    attention: false,
    sort: 'familyName',
    page: 1,
    pageSize: maxPageSize,
    text: '',
  });
  const occupant = data?.items.find(
    ({ id, location }) => id !== patientId && location !== null && unitKey(location.bed) === unitKey(bed),
  );
  return <span aria-live="polite">{occupant === undefined ? null : `Occupied by ${patientName(occupant)}`}</span>;
}
