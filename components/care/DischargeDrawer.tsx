import { z } from 'zod';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { AlertsPage } from '../../lib/alerts/schema';
import type { ListedDevice } from '../../lib/devices/schema';
import { pauseWords } from '../../lib/patients/pauseWords';
import { placeText } from '../../lib/patients/placeText';
import type { Patient } from '../../lib/patients/schema';
import type { User } from '../../lib/session/schema';
import { instant } from '../../lib/time/schema';
import { AsyncView, type ViewState } from '../ui/AsyncView';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientIdentity, patientName } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import { useSeen } from '../ui/useSeen';
import { SinceField, sinceOf } from './SinceField';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

/** The form of a discharge: the typed MRN has to be the patient's, and becomes the change of their state. */
function dischargeForm({ mrn, version }: Pick<Patient, 'mrn' | 'version'>, site: User['site']) {
  return z
    .object({
      mrn: z
        .string()
        .trim()
        .refine((typed) => typed === mrn, 'is not the one of this patient'),
      since: z
        .string()
        .transform((typed) => sinceOf(typed, site))
        .pipe(instant.optional()),
    })
    .transform(({ since }) => ({ version, state: 'discharged' as const, since }));
}

/**
 * Ends the monitoring of a patient, after their MRN was typed. It says what ends with it, and is not offered until that
 * could be read.
 */
export function DischargeDrawer({ patient: present, user, now: initialNow, onChanged, onClose }: CareDrawerProps) {
  const change = useCall('changePatient');
  const seen = useSeen(present);
  const patient = seen.state;
  const ending = useWhatEnds(patient.id);
  const pause = pauseWords(present, useNow(initialNow));
  return (
    <FormDrawer title={`Discharge: ${patientIdentity(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>
          <strong>
            {patientName(patient)}, MRN {patient.mrn}, {placeText(patient)}
          </strong>{' '}
          leaves every list within seconds, and no more alerts are raised. This also ends:
        </p>
        <AsyncView
          answer={ending}
          skeleton={<ListSkeleton label="What also ends is loading" rows={3} />}
          timeZone={user.site.timeZone}
        >
          {({ alerts, devices }) => (
            <div className={styles.drawer}>
              <ul className={styles.history}>
                {alerts.items.map((alert) => (
                  <li key={alert.id}>Open alert: {alert.sentence}</li>
                ))}
                {alerts.total > alerts.items.length ? (
                  <li>{alerts.total - alerts.items.length} more open alerts</li>
                ) : null}
                {alerts.total === 0 ? <li>No alerts are open</li> : null}
                {devices.map(({ id, name }) => (
                  <li key={id}>The assignment of {name}</li>
                ))}
                {devices.length === 0 ? <li>No device is assigned</li> : null}
                <li>{pause ?? 'No standby or comfort care is set'}</li>
                <li>Every check-in link</li>
              </ul>
              <SchemaForm
                schema={dischargeForm(patient, user.site)}
                initial={{ mrn: '', since: '' }}
                seen={seen}
                send={async (body) => {
                  await change({ params: { id: patient.id }, body });
                  onChanged();
                  onClose();
                }}
                done="discharged"
                submitLabel="Discharge"
              >
                <FormField name="mrn" label="MRN" hint="From the wristband" />
                <SinceField label="Discharged at" site={user.site} />
              </SchemaForm>
            </div>
          )}
        </AsyncView>
      </div>
    </FormDrawer>
  );
}

interface Ending {
  alerts: AlertsPage;
  devices: readonly ListedDevice[];
}

/** Reads what ends with a discharge. One failure for both reads: what is not known must not look like nothing. */
function useWhatEnds(patientId: Patient['id']): ViewState<Ending> {
  const alerts = useRead('listAlerts', { query: { patientId: String(patientId) } });
  const devices = useRead('listDevices', {});
  const { data, asOf } = alerts;
  return {
    data:
      data === undefined || 'unchanged' in data || devices.data === undefined
        ? undefined
        : {
            alerts: data,
            devices: devices.data.items.filter((device) => device.patient?.identity?.id === patientId),
          },
    error: alerts.error ?? devices.error,
    isRefreshing: alerts.isRefreshing || devices.isRefreshing,
    asOf: asOf === null || devices.asOf === null ? null : Math.min(asOf, devices.asOf),
    refresh: () => {
      void alerts.refresh();
      void devices.refresh();
    },
  };
}
