import { Input } from 'antd';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { ReadState } from '../../hooks/readState';
import type { DevicesResponse } from '../../lib/devices/schema';
import { pauseWords } from '../../lib/patients/pauseWords';
import { placeText } from '../../lib/patients/placeText';
import type { Patient } from '../../lib/patients/schema';
import { can } from '../../lib/session/can';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { patientName } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';
import { dischargeForm } from './dischargeForm';

/** Ends the monitoring of a patient, after their MRN was typed. It says what ends with it. */
export function DischargeDrawer({ patient, user, now: initialNow, onChanged, onClose }: CareDrawerProps) {
  const change = useCall('changePatient');
  const pause = pauseWords(patient, useNow(initialNow));
  return (
    <FormDrawer title={`Discharge: ${patientName(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          <strong>
            {patientName(patient)}, MRN {patient.mrn}, {placeText(patient)}
          </strong>{' '}
          leaves every list within seconds, and no alert is raised for them any more. With it end:
        </p>
        <ul className={styles.history}>
          {can(user, 'readAlerts') ? <OpenAlerts patient={patient} /> : null}
          {can(user, 'readDevices') ? <Devices patient={patient} /> : null}
          <li>{pause === null ? 'No standby and no comfort care' : pause}</li>
        </ul>
        <SchemaForm
          schema={dischargeForm(patient)}
          initial={{ mrn: '' }}
          send={async (body) => {
            await change({ params: { id: patient.id }, body });
            onChanged();
            onClose();
          }}
          refusalText={({ message }) => `Not discharged. ${message}`}
          submitLabel="Discharge"
        >
          <FormField name="mrn" label="MRN" hint="From the wristband">
            <Input autoComplete="off" />
          </FormField>
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

function OpenAlerts({ patient }: { patient: Patient }) {
  const { data } = useRead('listAlerts', { query: { patientId: String(patient.id) } });
  if (data === undefined || 'unchanged' in data) {
    return <li>Open alerts: not known yet</li>;
  }
  return (
    <>
      {data.items.length === 0 ? <li>No open alert</li> : null}
      {data.items.map((alert) => (
        <li key={alert.id}>Open alert: {alert.sentence}</li>
      ))}
    </>
  );
}

function Devices({ patient }: { patient: Patient }) {
  const devices: ReadState<DevicesResponse> = useRead('listDevices', {});
  const theirs = (devices.data?.items ?? []).filter((device) => device.patient?.identity?.id === patient.id);
  if (devices.data === undefined) {
    return <li>Devices: not known yet</li>;
  }
  return theirs.length === 0 ? (
    <li>No assigned device</li>
  ) : (
    theirs.map(({ id, name }) => <li key={id}>The assignment of {name}</li>)
  );
}
