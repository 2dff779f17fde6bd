import { planNames, type PlanName } from '../../lib/alerts/escalationTimes';
import type { EscalationSettings } from '../../lib/alerts/escalationTimesSchema';
import { askedWords, planLabels, repeatWords, secondsWords } from '../../lib/alerts/escalationTimesWords';
import { AdminTable } from './AdminTable';
import styles from './AlertSettings.module.css';

const columns = ['Alert', 'At once', 'Step 1', 'Step 2', 'Step 3'];

/** Whom each alert asks and when, with the default and what is proposed where they differ. */
export function EscalationTable({ settings }: { settings: EscalationSettings }) {
  const proposed = settings.proposals.find(({ state }) => state === 'proposed')?.wanted;
  const now = repeatWords(settings.now.repeat);
  const usual = repeatWords(settings.default.repeat);
  const wanted = proposed === undefined ? now : repeatWords(proposed.repeat);
  return (
    <>
      <AdminTable label="Escalation" columns={columns}>
        {planNames.map((name) => (
          <tr key={name} className="ant-table-row">
            <th scope="row" className="ant-table-cell">
              {planLabels[name]}
            </th>
            <td className="ant-table-cell">{askedWords(name, 0)}</td>
            {[0, 1, 2].map((step) => (
              <td key={step} className="ant-table-cell">
                <Step name={name} step={step} settings={settings} proposed={proposed} />
              </td>
            ))}
          </tr>
        ))}
      </AdminTable>
      <p className={styles.repeat}>
        {now} of one patient and parameter ask the next step at once.
        {now === usual ? null : <span className={styles.below}>default: {usual}</span>}
        {wanted === now ? null : <span className={styles.proposed}>proposed: {wanted}</span>}
      </p>
    </>
  );
}

interface StepProps {
  name: PlanName;
  /** The place among the steps after the first. */
  step: number;
  settings: EscalationSettings;
  proposed: EscalationSettings['now'] | undefined;
}

function Step({ name, step, settings, proposed }: StepProps) {
  const after = settings.now.steps[name][step];
  const usual = settings.default.steps[name][step] ?? 0;
  const wanted = proposed?.steps[name][step];
  if (after === undefined) {
    return null;
  }
  return (
    <>
      <strong>after {secondsWords(after)}</strong>
      <span className={styles.below}>{askedWords(name, step + 1)}</span>
      {after === usual ? null : <span className={styles.below}>default {secondsWords(usual)}</span>}
      {wanted === undefined || wanted === after ? null : (
        <span className={styles.proposed}>proposed: {secondsWords(wanted)}</span>
      )}
    </>
  );
}
