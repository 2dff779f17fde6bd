import { Form } from 'antd';
import { staffAdvice } from '../../lib/symptoms/emergencyAdvice';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { redFlags } from '../../lib/symptoms/symptoms';
import type { Patient } from '../../lib/patients/schema';
import styles from './SymptomsDrawer.module.css';
import type { TypedReport } from './typedReport';

interface AdviceNowProps {
  profile: Patient['profile'];
  /** The site's; null: none is set. */
  emergencyNumber: string | null;
}

/**
 * What to do at once, as soon as a red flag is ticked or follows from an answer: it does not wait for the report to be
 * saved. Its place at the top of the drawer stays in sight.
 */
export function AdviceNow({ profile, emergencyNumber }: AdviceNowProps) {
  const form = Form.useFormInstance<TypedReport>();
  const answers = Form.useWatch('answers', form);
  const ticked = Form.useWatch('redFlags', form);
  const found = redFlagsOf(answers ?? {}, ticked ?? []);
  return (
    <div role="alert" className={styles.adviceSlot}>
      {found.length === 0 ? null : (
        <div className={styles.advice}>
          <strong>{staffAdvice(profile, emergencyNumber)}</strong>
          <span>Red flag: {found.map((flag) => redFlags[flag]).join('; ')}.</span>
        </div>
      )}
    </div>
  );
}
