import { InputNumber, Select } from 'antd';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { defaultSpo2Targets, newSpo2Target, type Spo2Target } from '../../lib/patients/spo2TargetSchema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { useSeen } from '../ui/useSeen';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';
import { DecisionDrawer } from './DecisionDrawer';

const scales = ([1, 2] as const).map((value) => ({
  value,
  label: `Scale ${value} (usual target ${defaultSpo2Targets[value].low}–${defaultSpo2Targets[value].high} %)`,
}));

/** The scale by which NEWS2 scores SpO2, and the patient's target: what a physician decides. */
export function Spo2TargetDrawer(props: CareDrawerProps) {
  const { id } = props.patient;
  return (
    <DecisionDrawer
      {...props}
      title="SpO2 target"
      text="Scale 2 is for a risk of hypercapnic respiratory failure with a prescribed target of 88–92 %."
      label="The target is loading"
      answer={useRead('getSpo2Target', { params: { id } })}
    >
      {(present, onDone) => (
        <Target present={present} patientId={id} timeZone={props.user.site.timeZone} onDone={onDone} />
      )}
    </DecisionDrawer>
  );
}

interface TargetProps {
  present: Spo2Target;
  patientId: number;
  timeZone: string;
  onDone: () => void;
}

function Target({ present, patientId, timeZone, onDone }: TargetProps) {
  const set = useCall('setSpo2Target');
  const seen = useSeen(present);
  const { version, scale, low, high, isConfirmed, history } = seen.state;
  return (
    <div className={styles.drawer}>
      {isConfirmed ? null : <p>The default applies. It is not confirmed yet.</p>}
      <SchemaForm
        schema={newSpo2Target}
        initial={{ scale, low, high, reason: '' }}
        seen={seen}
        bodyOf={(typed) => ({ ...typed, version })}
        send={async (body) => {
          await set({ params: { id: patientId }, body });
          onDone();
        }}
        submitLabel="Set target"
      >
        <FormField name="scale" label="SpO2 scale">
          <Select options={scales} />
        </FormField>
        <div className="field-pair">
          <FormField name="low" label="Target from, %">
            <InputNumber />
          </FormField>
          <FormField name="high" label="Target to, %">
            <InputNumber />
          </FormField>
        </div>
        <FormField name="reason" label="Reason" />
      </SchemaForm>
      {history.length === 0 ? null : (
        <section aria-label="Earlier targets">
          <h2>History</h2>
          <ul className={styles.history}>
            {history.map((item) => (
              <li key={item.setAt}>{targetText(item, timeZone)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function targetText(
  { low, high, scale, setAt, setBy, reason }: Spo2Target['history'][number],
  timeZone: string,
): string {
  const when = formatDayAndTime(Date.parse(setAt), timeZone);
  return `${when}: ${low}–${high} %, scale ${scale}, by ${setBy.name}. ${reason}`;
}
