import { Button, Drawer } from 'antd';
import { useState } from 'react';
import { useUnitActs } from '../../hooks/useUnits';
import { useUserActs } from '../../hooks/useUserActs';
import { useUsers } from '../../hooks/useUsers';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { Unit } from '../../lib/units/schema';
import type { ListedUser } from '../../lib/users/schema';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { SelectField } from '../ui/SelectField';
import styles from './admin.module.css';
import { AdminSkeleton } from './AdminSkeleton';
import { UnitNameForm } from './UnitNameForm';
import { useAct } from '../ui/useAct';

interface UnitDrawerProps {
  /** As the list shows it now. */
  unit: Unit;
  timeZone: string;
  onClose: () => void;
  onRetired: () => void;
}

/** Everything that an administrator does with one unit. */
export function UnitDrawer({ unit, timeZone, onClose, onRetired }: UnitDrawerProps) {
  const { rename } = useUnitActs();
  const [said, setSaid] = useState('');
  return (
    <Drawer title={unit.name} size={480} open onClose={onClose} mask={{ closable: false }}>
      <div className={styles.drawer}>
        <div role="status" className={said === '' ? undefined : styles.said}>
          {said}
        </div>
        <UnitNameForm
          label="Name"
          actLabel="Rename"
          initialName={unit.name}
          onSubmit={(name) => rename(unit.id, name)}
          onDone={(name) => {
            setSaid(`It is called ${name} now, for its patients and people too.`);
          }}
        />
        <People unit={unit} timeZone={timeZone} onSaid={setSaid} />
        <Retire unit={unit} onRetired={onRetired} />
      </div>
    </Drawer>
  );
}

const nameOf = ({ fname, lname }: ListedUser): string => `${fname} ${lname}`;

/** Who belongs to the unit. What that changes of what they see is said before it happens. */
function People({
  unit,
  timeZone,
  onSaid,
}: Pick<UnitDrawerProps, 'unit' | 'timeZone'> & { onSaid: (text: string) => void }) {
  const users = useUsers();
  const { change } = useUserActs();
  const { failure, carryOut } = useAct();
  const [chosen, setChosen] = useState('');
  const put = async (user: ListedUser, unitIds: number[], done: string): Promise<void> => {
    onSaid('');
    if (await carryOut(() => change(user.id, { version: user.version, unitIds }))) {
      onSaid(done);
    }
  };
  return (
    <section aria-labelledby="people">
      <h2 id="people">People</h2>
      <FormFailure>{failure === null ? null : `Nothing was changed. ${failure.message}`}</FormFailure>
      <AsyncView
        answer={users}
        isEmpty={() => false}
        skeleton={<AdminSkeleton label="People are loading" rows={2} />}
        empty={() => null}
        timeZone={timeZone}
      >
        {({ items }) => {
          const members = items.filter(({ units }) => units.some(({ id }) => id === unit.id));
          const others = items.filter((user) => user.state === 'active' && !members.includes(user));
          const picked = others.find(({ id }) => String(id) === chosen);
          return (
            <div className={styles.form}>
              {members.length === 0 ? (
                <p className={styles.text}>Nobody belongs to it. Whoever belongs to no unit sees the whole site.</p>
              ) : (
                <ul className={styles.people} aria-label={`People of ${unit.name}`}>
                  {members.map((user) => (
                    <li key={user.id}>
                      <span>
                        {nameOf(user)}
                        <span className={styles.quiet}>, {userTypeLabels[user.type]}</span>
                      </span>
                      <ConfirmButton
                        label="Take out"
                        name={`Take ${nameOf(user)} out of ${unit.name}`}
                        question={
                          user.units.length === 1
                            ? `Take ${nameOf(user)} out? It is their last unit: after that they see the whole site.`
                            : `Take ${nameOf(user)} out?`
                        }
                        onConfirm={() => {
                          const left = user.units.map(({ id }) => id).filter((id) => id !== unit.id);
                          void put(user, left, `${nameOf(user)} does not belong to it any more.`);
                        }}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <SelectField
                label="Add somebody"
                hint={
                  picked !== undefined && picked.units.length === 0
                    ? `${nameOf(picked)} belongs to no unit so far and sees the whole site. After this it is this unit alone, unless the role reaches further.`
                    : 'Their other units stay as they are'
                }
                value={picked === undefined ? '' : chosen}
                choices={[
                  { value: '', label: 'Choose a person' },
                  ...others.map((user) => ({
                    value: String(user.id),
                    label: `${user.lname}, ${user.fname} (${userTypeLabels[user.type]})`,
                  })),
                ]}
                onChange={setChosen}
              />
              <div>
                <Button
                  disabled={picked === undefined}
                  onClick={() => {
                    if (picked !== undefined) {
                      setChosen('');
                      void put(
                        picked,
                        [...picked.units.map(({ id }) => id), unit.id],
                        `${nameOf(picked)} belongs to it now.`,
                      );
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

function Retire({ unit, onRetired }: Pick<UnitDrawerProps, 'unit' | 'onRetired'>) {
  const { remove } = useUnitActs();
  const { failure, carryOut } = useAct();
  const retire = async (): Promise<void> => {
    if (await carryOut(() => remove(unit.id))) {
      onRetired();
    }
  };
  return (
    <section aria-labelledby="retire">
      <h2 id="retire">Retire the unit</h2>
      <p className={styles.text}>
        Only an empty one: move its patients and take its people out first. Its assignments go with it; what was done
        there stays on record.
      </p>
      <FormFailure>{failure === null ? null : `Not retired. ${failure.message}`}</FormFailure>
      <ConfirmButton label="Retire" question={`Remove ${unit.name} from every list?`} onConfirm={() => void retire()} />
    </section>
  );
}
