import { Select } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { deviceAssignment } from '../../lib/devices/schema';
import { dateOfBirthText } from '../../lib/patients/dateOfBirthText';
import { placeText } from '../../lib/patients/placeText';
import type { Patient } from '../../lib/patients/schema';
import { can } from '../../lib/session/can';
import { dayOf } from '../../lib/time/dayOf';
import { formatDayAndTime } from '../../lib/time/formatTime';
import type { DateOrder } from '../../lib/time/parseDateOfBirth';
import { AsyncView } from '../ui/AsyncView';
import { DateOfBirthField } from '../ui/DateOfBirthField';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientName } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';
import { TakeOff } from '../ui/TakeOff';
import { WithdrawForm } from './WithdrawForm';

/** The form that puts a device on this patient: both identifiers as typed have to be theirs. */
function deviceForm({ mrn, dateOfBirth }: Pick<Patient, 'mrn' | 'dateOfBirth'>, order: DateOrder, today: string) {
  return deviceAssignment.extend({
    deviceId: z.int('is not chosen'),
    mrn: deviceAssignment.shape.mrn.refine((typed) => typed === mrn, 'is not the one of this patient'),
    dateOfBirth: dateOfBirthText(order, today).refine(
      (typed) => typed === dateOfBirth,
      'is not the one of this patient',
    ),
  });
}

/** Says what taking a device off does not end (clinical.md section 00, A4). */
const goOn = ({ alerts }: CareDrawerProps['patient']): string =>
  alerts.some(({ priority }) => priority !== 'low') ? ' Open alerts about the patient stay open without a value.' : '';

/** The devices of a patient: take one off, put one on. Both identifiers are typed from the wristband. */
export function PatientDevicesDrawer({ patient, user, now, onChanged, onClose }: CareDrawerProps) {
  const today = dayOf(useNow(now), user.site.timeZone);
  const devices = useRead('listDevices', {});
  const assign = useCall('assignDevice');
  const [said, setSaid] = useState('');
  const name = patientName(patient);
  return (
    <FormDrawer title={`Devices: ${name}`} onClose={onClose}>
      <div className={styles.drawer}>
        <div role="status">{said}</div>
        <AsyncView
          answer={devices}
          skeleton={<ListSkeleton label="Devices are loading" rows={2} />}
          timeZone={user.site.timeZone}
        >
          {({ items }) => {
            const theirs = items.filter((device) => device.patient?.identity?.id === patient.id);
            const others = items.filter((device) => device.revokedAt === null && !theirs.includes(device));
            return (
              <div className={styles.drawer}>
                {theirs.length === 0 ? <p>No device is assigned.</p> : null}
                {theirs.map((device) => (
                  <section key={device.id} aria-label={device.name}>
                    <h2>{device.name}</h2>
                    <TakeOff
                      device={device}
                      question={`Take ${device.name} off ${name}? Its silence then raises no alert.${goOn(patient)}`}
                      onDone={() => {
                        setSaid(`${device.name} was taken off.`);
                        onChanged();
                      }}
                    />
                  </section>
                ))}
                <SchemaForm
                  schema={deviceForm(patient, user.site.dateOrder, today)}
                  initial={{ deviceId: null, mrn: '', dateOfBirth: '' }}
                  send={async ({ deviceId, ...body }) => {
                    await assign({ params: { id: deviceId }, body });
                    setSaid('Assigned.');
                    onChanged();
                  }}
                  done="assigned"
                  submitLabel={`Put it on ${name} (${placeText(patient)})`}
                  isEmptiedWhenSent
                >
                  <FormField name="deviceId" label="Device">
                    <Select
                      showSearch={{ optionFilterProp: 'label' }}
                      placeholder="Choose a device"
                      options={others.map((device) => ({
                        value: device.id,
                        label: device.patient === null ? device.name : `${device.name}, on another patient`,
                      }))}
                    />
                  </FormField>
                  <FormField name="mrn" label="MRN" hint="From the wristband" />
                  <DateOfBirthField site={user.site} today={today} />
                </SchemaForm>
                {can(user, 'writePatients') && user.type !== 'physician' ? (
                  <WrongStay
                    patient={patient}
                    timeZone={user.site.timeZone}
                    onWithdrawn={(device) => {
                      setSaid(`What ${device} sent in that time is withdrawn.`);
                      onChanged();
                    }}
                  />
                ) : null}
              </div>
            );
          }}
        </AsyncView>
      </div>
    </FormDrawer>
  );
}

interface WrongStayProps extends Pick<CareDrawerProps, 'patient'> {
  timeZone: string;
  onWithdrawn: (device: string) => void;
}

/** Withdraws what a device sent during one of the times when it was on the patient, because it was the wrong one. */
function WrongStay({ patient, timeZone, onWithdrawn }: WrongStayProps) {
  const { data, error } = useRead('readChart', { params: { id: patient.id } });
  const withdraw = useCall('withdrawDevice');
  const stays = (data?.sections.devices ?? []).filter(({ status }) => status !== 'entered_in_error');
  const at = (instant: string | undefined): string =>
    instant === undefined ? 'now' : formatDayAndTime(Date.parse(instant), timeZone);
  if (error !== undefined) {
    return <p role="alert">When devices were on the patient cannot be read: {error.message}</p>;
  }
  return stays.length === 0 ? null : (
    <WithdrawForm
      title={`Was on ${patientName(patient)} by mistake`}
      label="Values of"
      options={stays.map(({ id, value, effectiveAt, mark }) => ({
        value: String(id),
        label: `${value.name}, ${at(effectiveAt ?? undefined)} to ${at(mark?.at)}`,
      }))}
      send={async (chosen, reason) => {
        const stay = stays.find(({ id }) => String(id) === chosen);
        if (stay !== undefined) {
          const body = { patientId: patient.id, stayId: stay.id, reason };
          await withdraw({ params: { id: stay.value.deviceId }, body });
          onWithdrawn(stay.value.name);
        }
      }}
    />
  );
}
