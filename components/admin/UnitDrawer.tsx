import { Button, Select } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { Unit } from '../../lib/units/schema';
import type { ListedUser } from '../../lib/users/schema';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { Field } from '../ui/Field';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import styles from './admin.module.css';
import { UnitNameForm } from './UnitNameForm';
import { useAction } from '../ui/useAction';

interface UnitDrawerProps {
  /** As the list shows it now. */
  unit: Unit;
  timeZone: string;
  onClose: () => void;
  onRetired: () => void;
}

/** All that an administrator can do with one unit. */
export function UnitDrawer({ unit, timeZone, onClose, onRetired }: UnitDrawerProps) {
  const rename = useCall('renameUnit');
  const [said, setSaid] = useState('');
  return (
    <FormDrawer title={unit.name} onClose={onClose}>
      <div className={styles.drawer}>
        <div role="status" className={said === '' ? undefined : styles.said}>
          {said}
        </div>
        <UnitNameForm
          submitLabel="Rename"
          initialName={unit.name}
          send={(body) => rename({ params: { id: unit.id }, body })}
          onDone={(name) => setSaid(`Renamed to ${name}.`)}
        />
        <People unit={unit} timeZone={timeZone} onSaid={setSaid} />
        <Retire unit={unit} onRetired={onRetired} />
      </div>
    </FormDrawer>
  );
}

const nameOf = ({ fname, lname }: ListedUser): string => `${fname} ${lname}`;

/** The people of the unit. It says what a change means for what they see before they are changed. */
function People({
  unit,
  timeZone,
  onSaid,
}: Pick<UnitDrawerProps, 'unit' | 'timeZone'> & { onSaid: (text: string) => void }) {
  const users = useRead('listUsers', {});
  const change = useCall('changeUser');
  const { failure, carryOut } = useAction();
  const [chosen, setChosen] = useState<number | null>(null);
  const put = (user: ListedUser, unitIds: number[], done: string): void => {
    onSaid('');
    const body = { version: user.version, unitIds };
    void carryOut(
      () => change({ params: { id: user.id }, body }),
      () => onSaid(done),
    );
  };
  return (
    <section aria-labelledby="people">
      <h2 id="people">People</h2>
      <FormFailure failure={failure} done="changed" />
      <AsyncView answer={users} skeleton={<ListSkeleton label="People are loading" rows={2} />} timeZone={timeZone}>
        {({ items }) => {
          const members = items.filter(({ units }) => units.some(({ id }) => id === unit.id));
          const others = items.filter((user) => user.state === 'active' && !members.includes(user));
          const picked = others.find(({ id }) => id === chosen);
          return (
            <div className={styles.form}>
              {members.length === 0 ? (
                <p className={styles.text}>No one belongs to this unit. Users without a unit see the whole site.</p>
              ) : (
                <ul className={styles.people} aria-label={`People of ${unit.name}`}>
                  {members.map((user) => (
                    <li key={user.id}>
                      <span>
                        {nameOf(user)}
                        <span className={styles.quiet}>, {userTypeLabels[user.type]}</span>
                      </span>
                      <ConfirmButton
                        label="Remove"
                        name={`Remove ${nameOf(user)} from ${unit.name}`}
                        question={
                          user.units.length === 1
                            ? `Remove ${nameOf(user)}? This is their last unit: after that they see the whole site.`
                            : `Remove ${nameOf(user)}?`
                        }
                        onConfirm={() => {
                          const left = user.units.map(({ id }) => id).filter((id) => id !== unit.id);
                          put(user, left, `${nameOf(user)} was removed.`);
                        }}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <Field
                label="Add a person"
                hint={picked?.units.length === 0 ? losesSite(nameOf(picked)) : 'Their other units stay as they are'}
              >
                {(control) => (
                  <Select<number | null>
                    {...control}
                    showSearch={{ optionFilterProp: 'label' }}
                    placeholder="Choose a person"
                    value={picked === undefined ? null : chosen}
                    options={others.map((user) => ({
                      value: user.id,
                      label: `${user.lname}, ${user.fname}: ${userTypeLabels[user.type]}`,
                    }))}
                    onChange={setChosen}
                  />
                )}
              </Field>
              <div>
                <Button
                  disabled={picked === undefined}
                  onClick={() => {
                    if (picked !== undefined) {
                      setChosen(null);
                      put(picked, [...picked.units.map(({ id }) => id), unit.id], `${nameOf(picked)} was added.`);
                    }
                  }}
                >
                  Add to {unit.name}
                </Button>
              </div>
            </div>
          );
        }}
      </AsyncView>
    </section>
  );
}

function losesSite(name: string): string {
  return (
    `${name} has no unit and sees the whole site. ` +
    'After this they see this unit only, unless their role reaches further.'
  );
}

function Retire({ unit, onRetired }: Pick<UnitDrawerProps, 'unit' | 'onRetired'>) {
  const remove = useCall('deleteUnit');
  const { failure, carryOut } = useAction();
  return (
    <section aria-labelledby="retire">
      <h2 id="retire">Retire the unit</h2>
      <p className={styles.text}>
        Only an empty unit can be retired: move its patients and remove its people first. Its assignments go with it;
        the audit log stays.
      </p>
      <FormFailure failure={failure} done="retired" />
      <ConfirmButton
        label="Retire"
        question={`Retire ${unit.name}?`}
        onConfirm={() => void carryOut(() => remove({ params: { id: unit.id } }), onRetired)}
      />
    </section>
  );
}
