import { Button, Dropdown } from 'antd';
import { useRef, useState } from 'react';
import { useServerLost } from '../../hooks/useServerLost';
import type { Patient } from '../../lib/patients/schema';
import type { Permission } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import { can } from '../../lib/session/can';
import { reachesUnit } from '../../lib/session/reachesUnit';
import { onDemand } from '../ui/onDemand';
import { patientName } from '../ui/PatientName';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

/** What can be done for a patient, in the order of the menu: the frequent first, the last one apart. */
const actions = {
  standby: {
    label: 'Standby',
    needs: 'setStandby',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./StandbyDrawer')).StandbyDrawer),
  },
  comfortCare: {
    label: 'Comfort care',
    needs: 'orderComfortCare',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./ComfortCareDrawer')).ComfortCareDrawer),
  },
  target: {
    label: 'SpO2 target',
    needs: 'setSpo2Scale',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./Spo2TargetDrawer')).Spo2TargetDrawer),
  },
  limits: {
    label: 'Limits',
    needs: 'changeLimits',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./LimitsDrawer')).LimitsDrawer),
  },
  news2: {
    label: 'NEWS2 does not apply',
    needs: 'exemptFromNews2',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./News2ExemptionDrawer')).News2ExemptionDrawer),
  },
  device: {
    label: 'Device',
    needs: 'assignDevices',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./PatientDevicesDrawer')).PatientDevicesDrawer),
  },
  move: {
    label: 'Move bed',
    needs: 'writePatients',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./MoveBedDrawer')).MoveBedDrawer),
  },
  edit: {
    label: 'Edit',
    needs: 'writePatients',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./EditPatientDrawer')).EditPatientDrawer),
  },
  discharge: {
    label: 'Discharge',
    needs: 'writePatients',
    drawer: onDemand<CareDrawerProps>(async () => (await import('./DischargeDrawer')).DischargeDrawer),
  },
} as const satisfies Record<string, { label: string; needs: Permission; drawer: unknown }>;
type Action = keyof typeof actions;
const names = Object.keys(actions).filter((name): name is Action => name in actions);

interface ActionsMenuProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  /** Called after something was changed. */
  onChanged: () => void;
}

/**
 * What this user may do for a patient: each opens a drawer beside the page. Nothing for a discharged patient, and
 * nothing for one whom emergency access alone shows. An open drawer stays, with what was typed.
 */
export function ActionsMenu({ patient, user, now, onChanged }: ActionsMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<Action | null>(null);
  const isLost = useServerLost() !== null;
  const allowed = names.filter((name) => can(user, actions[name].needs));
  const isOffered =
    patient.state !== 'discharged' && allowed.length > 0 && reachesUnit(user, patient.location?.unit ?? null);
  if (!isOffered && opened === null) {
    return null;
  }
  const Drawer = opened === null ? null : actions[opened].drawer;
  return (
    <>
      <Dropdown
        // Not `disabled`: the button would lose the keyboard, and it stays where it is when the server is back.
        trigger={isLost ? [] : ['click']}
        placement="bottomRight"
        menu={{
          items: allowed.map((name) => ({
            key: name,
            label: actions[name].label,
            danger: name === 'discharge',
            disabled: isLost,
          })),
          onClick: ({ key }) => {
            setOpened(names.find((name) => name === key) ?? null);
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
