import { Form } from 'antd';
import { emergencyAdvice } from '../../lib/symptoms/emergencyAdvice';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { redFlags } from '../../lib/symptoms/symptoms';
import styles from './SymptomsDrawer.module.css';
import type { TypedReport } from './typedReport';

/**
 * What to do at once, as soon as a red flag is ticked or follows from an answer: it does not wait for the report to be
 * saved. Its place at the top of the drawer stays in sight.
 */
export function AdviceNow({ emergencyNumber }: { emergencyNumber: string | null }) {
  const form = Form.useFormInstance<TypedReport>();
  const answers = Form.useWatch('answers', form);
  const ticked = Form.useWatch('redFlags', form);
  const found = redFlagsOf(answers ?? {}, ticked ?? []);
  return (
    <div role="alert" className={styles.adviceSlot}>
      {found.length === 0 ? null : (
        <div className={styles.advice}>
          <strong>{emergencyAdvice(emergencyNumber)}</strong>
          <span>Red flag: {found.map((flag) => redFlags[flag]).join('; ')}.</span>
        </div>
      )}
    </div>
  );
}
