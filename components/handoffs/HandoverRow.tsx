import Link from 'next/link';
import type { WardHandoff } from '../../lib/handoffs/schema';
import { paths } from '../../lib/paths';
import { bedlessText } from '../../lib/patients/bedlessText';
import { severities } from '../../lib/handoffs/severities';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { patientName } from '../ui/PatientName';
import { SelectBox } from '../ui/SelectBox';
import { actionWords, courseWords, stateWords } from './handoffWords';
import styles from './HandoversScreen.module.css';

interface HandoverRowProps {
  item: WardHandoff;
  now: number;
  timeZone: string;
  isChosen: boolean;
  /** Null: the user hands no one on. */
  onToggle: (() => void) | null;
}

/** One patient of the list: where the handoff is, and what matters of it. */
export function HandoverRow({ item, now, timeZone, isChosen, onToggle }: HandoverRowProps) {
  const { patient, severity, writing, given, received, openActions } = item;
  const shown = [writing, given, received].filter((handoff) => handoff !== null);
  const [text = null] = shown;
  return (
    <tr data-severity={severity ?? undefined}>
      {onToggle === null ? null : (
        <td>
          <SelectBox label={`Select ${patientName(patient)}`} isChecked={isChosen} onChange={onToggle} />
        </td>
      )}
      <th scope="row">
        <Link href={paths.patientHandoffs(patient.id)} prefetch={false}>
          {patientName(patient)}
        </Link>
        <div>
          MRN {patient.mrn} · {formatCalendarDate(patient.dateOfBirth)}
        </div>
        <div>
          {patient.unit === null ? bedlessText(patient.profile) : `${patient.unit} · Bed ${patient.bed ?? 'not set'}`}
        </div>
      </th>
      <td>{severity === null ? 'Not set' : <span className={styles.severity}>{severities[severity]}</span>}</td>
      <td>
        {shown.length === 0 ? 'No handoff yet' : null}
        {shown.map((handoff) => (
          <div key={handoff.id}>
            <strong>{stateWords[handoff.state]}</strong> {courseWords(handoff, now, timeZone)}
          </div>
        ))}
        {text === null || text.summary === '' ? null : <div>{text.summary}</div>}
        {text?.question == null ? null : <div>Question: {text.question}</div>}
      </td>
      <td>
        {(text?.contingencies ?? []).map(({ condition, action }) => (
          <div key={`${condition} ${action}`}>
            If {condition}, then {action}
          </div>
        ))}
        {openActions.map((action) => (
          <div key={action.id}>{actionWords(action, now, timeZone)}</div>
        ))}
      </td>
    </tr>
  );
}
