import { Select } from 'antd';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { news2ExemptFor, news2ExemptWords } from '../../lib/patients/news2ExemptFor';
import { newNews2Exemption, type News2Exemptions } from '../../lib/patients/news2Exemption';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { FormField } from '../ui/FormField';
import { RefusalText } from '../ui/RefusalText';
import { SchemaForm } from '../ui/SchemaForm';
import { useAction } from '../ui/useAction';
import { useSeen, type Seen } from '../ui/useSeen';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';
import { DecisionDrawer } from './DecisionDrawer';

const choices = news2ExemptFor.map((value) => ({
  value,
  label: `${news2ExemptWords[value].charAt(0).toUpperCase()}${news2ExemptWords[value].slice(1)}`,
}));

/** Marks that NEWS2 does not apply to a patient, or that it applies again; with every earlier mark. */
export function News2ExemptionDrawer(props: CareDrawerProps) {
  const { id } = props.patient;
  return (
    <DecisionDrawer
      {...props}
      title="NEWS2"
      text="Without NEWS2 the patient has no score and no alerts of the score. All other rules stay as they are."
      label="Marks are loading"
      answer={useRead('getNews2Exemptions', { params: { id } })}
    >
      {(present, onDone) => (
        <Marks present={present} patientId={id} timeZone={props.user.site.timeZone} onDone={onDone} />
      )}
    </DecisionDrawer>
  );
}

interface MarksProps {
  present: News2Exemptions;
  patientId: number;
  timeZone: string;
  onDone: () => void;
}

function Marks({ present, patientId, timeZone, onDone }: MarksProps) {
  const seen = useSeen(present);
  const { version, items } = seen.state;
  const form = { seen, patientId, onDone };
  return (
    <div className={styles.drawer}>
      {items.some(isCurrent) ? <EndMark key={version} {...form} /> : <SetMark {...form} />}
      {items.length === 0 ? null : (
        <section aria-label="Earlier marks">
          <h2>History</h2>
          <ul className={styles.history}>
            {items.map((item) => (
              <li key={item.setAt}>{markText(item, timeZone)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

type MarkProps = Pick<MarksProps, 'patientId' | 'onDone'> & { seen: Seen<News2Exemptions> };

const isCurrent = ({ endedAt }: News2Exemptions['items'][number]): boolean => endedAt === null;

function SetMark({ seen, patientId, onDone }: MarkProps) {
  const set = useCall('setNews2Exemption');
  const { version } = seen.state;
  return (
    <SchemaForm
      schema={newNews2Exemption}
      initial={{ because: 'pregnancy', reason: '' }}
      seen={seen}
      bodyOf={(typed) => ({ ...typed, version })}
      send={async (body) => {
        await set({ params: { id: patientId }, body });
        onDone();
      }}
      done="marked"
      submitLabel="NEWS2 does not apply"
    >
      <FormField name="because" label="Because of">
        <Select options={choices} />
      </FormField>
      <FormField name="reason" label="Reason" />
    </SchemaForm>
  );
}

function EndMark({ seen, patientId, onDone }: MarkProps) {
  const end = useCall('endNews2Exemption');
  const { failure, carryOut } = useAction();
  const { version, items } = seen.state;
  const current = items.find(isCurrent);
  return current === undefined ? null : (
    <section aria-label="Mark now">
      <p>
        <strong>NEWS2 does not apply: {news2ExemptWords[current.because]}.</strong> {current.reason}
      </p>
      <FormFailure>
        {failure === null ? null : <RefusalText done="changed" failure={failure} seen={seen} />}
      </FormFailure>
      <ConfirmButton
        label="NEWS2 applies again"
        question="Score this patient by NEWS2 again?"
        onConfirm={() => void carryOut(() => end({ params: { id: patientId }, body: { version } }), onDone)}
      />
    </section>
  );
}

function markText(
  { because, reason, setAt, setBy, endedAt, endedBy }: News2Exemptions['items'][number],
  timeZone: string,
): string {
  const at = (instant: string): string => formatDayAndTime(Date.parse(instant), timeZone);
  const end = endedAt === null || endedBy === null ? '' : ` Ended ${at(endedAt)} by ${endedBy.name}.`;
  return `${at(setAt)}: ${news2ExemptWords[because]}, by ${setBy.name}. ${reason}${end}`;
}
