import { Button, Dropdown } from 'antd';
import { useRef, useState } from 'react';
import { useServerLost } from '../../hooks/useServerLost';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { reachesUnit } from '../../lib/session/reachesUnit';
import { patientName } from '../ui/PatientName';
import styles from './care.module.css';
import { careActionNames, careActions, type CareAction } from './careActions';

interface ActionsMenuProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  /** Called after something was changed. */
  onChanged: () => void;
}

/**
 * What this user may do for a patient: each opens a drawer beside the page. Of a discharged patient only the
 * export, and nothing for one whom emergency access alone shows. An open drawer stays, with what was typed.
 */
export function ActionsMenu({ patient, user, now, onChanged }: ActionsMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<CareAction | null>(null);
  const isLost = useServerLost() !== null;
  const isHere = patient.state !== 'discharged';
  const allowed = careActionNames.filter((name) => can(user, careActions[name].needs) && (isHere || name === 'export'));
  const isOffered = allowed.length > 0 && reachesUnit(user, patient.location?.unit ?? null);
  if (!isOffered && opened === null) {
    return null;
  }
  const Drawer = opened === null ? null : careActions[opened].drawer;
  return (
    <>
      <Dropdown
        // Not `disabled`: the button would lose the keyboard, and it stays where it is when the server is back.
        trigger={isLost ? [] : ['click']}
        placement="bottomRight"
        menu={{
          items: allowed.map((name) => ({
            key: name,
            label: careActions[name].label,
            danger: name === 'discharge',
            disabled: isLost,
          })),
          onClick: ({ key }) => {
            setOpened(careActionNames.find((name) => name === key) ?? null);
          },
        }}
      >
        <Button
          ref={button}
          aria-disabled={isLost}
          className={isLost ? styles.lost : undefined}
          title={isLost ? 'Not reachable: nothing can be sent now' : undefined}
        >
          Actions<span className="visually-hidden"> for {patientName(patient)}</span>
        </Button>
      </Dropdown>
      {Drawer === null ? null : (
        <Drawer
          patient={patient}
          user={user}
          now={now}
          onChanged={onChanged}
          onClose={() => {
            setOpened(null);
            button.current?.focus();
          }}
        />
      )}
    </>
  );
}
