import { Input, InputNumber, Select } from 'antd';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { defaultSpo2Targets, newSpo2Target } from '../../lib/patients/spo2TargetSchema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientName } from '../ui/PatientName';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

const scales = ([1, 2] as const).map((value) => ({
  value,
  label: `Scale ${value} (usual target ${defaultSpo2Targets[value].low}–${defaultSpo2Targets[value].high} %)`,
}));

/** The scale by which NEWS2 scores SpO2, and the patient's target: what a physician decides. */
export function Spo2TargetDrawer({ patient, user, onChanged, onClose }: CareDrawerProps) {
  const set = useCall('setSpo2Target');
  const params = { id: patient.id };
  const { timeZone } = user.site;
  const target = useRead('getSpo2Target', { params });
  return (
    <FormDrawer title={`SpO2 target: ${patientName(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>Scale 2 is for a risk of hypercapnic respiratory failure with a prescribed target of 88–92 %.</p>
        <AsyncView
          answer={target}
          isEmpty={() => false}
          skeleton={<ListSkeleton label="The target is loading" rows={2} />}
          empty={() => null}
          timeZone={timeZone}
        >
          {({ version, scale, low, high, isConfirmed, history }) => (
            <>
              {isConfirmed ? null : <p>The default applies. It is not confirmed yet.</p>}
              <SchemaForm
                schema={newSpo2Target}
                initial={{ scale, low, high, reason: '' }}
                bodyOf={(typed) => ({ ...typed, version })}
                send={async (body) => {
                  await set({ params, body });
                  onChanged();
                  onClose();
                }}
                refusalText={({ message }) => `Not saved. ${message}`}
                submitLabel="Set target"
              >
                <FormField name="scale" label="SpO2 scale">
                  <Select options={scales} />
                </FormField>
                <FormField name="low" label="Target from, %">
                  <InputNumber />
                </FormField>
                <FormField name="high" label="Target to, %">
                  <InputNumber />
                </FormField>
                <FormField name="reason" label="Reason">
                  <Input autoComplete="off" />
                </FormField>
              </SchemaForm>
              {history.length === 0 ? null : (
                <section aria-label="Earlier targets">
                  <h2>History</h2>
                  <ul className={styles.history}>
                    {history.map((item) => (
                      <li key={item.setAt}>
                        {formatDayAndTime(Date.parse(item.setAt), timeZone)}: {item.low}–{item.high} %, scale{' '}
                        {item.scale}, by {item.setBy.name}. {item.reason}
                      </li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          )}
        </AsyncView>
      </div>
    </FormDrawer>
  );
}
