import { useState, type ReactNode } from 'react';
import { AsyncView, type ViewState } from '../ui/AsyncView';
import { FormDrawer } from '../ui/FormDrawer';
import { ListSkeleton } from '../ui/ListSkeleton';
import { patientIdentity } from '../ui/PatientName';
import styles from './care.module.css';
import type { CareDrawerProps } from './careDrawer';

interface DecisionDrawerProps<Data> extends CareDrawerProps {
  title: string;
  text: string;
  /** What is loading. */
  label: string;
  answer: ViewState<Data>;
  children: (present: Data, onDone: () => void) => ReactNode;
}

/** A drawer for what a clinician decides for a patient, never by what was read before their present version. */
export function DecisionDrawer<Data extends { version: number }>(props: DecisionDrawerProps<Data>) {
  const { patient, user, title, text, label, answer, onChanged, onClose, children } = props;
  // The cache may hold what was so at an earlier visit.
  const [{ version: atLeast }] = useState(patient);
  const skeleton = <ListSkeleton label={label} rows={2} />;
  return (
    <FormDrawer title={`${title}: ${patientIdentity(patient)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p>{text}</p>
        <AsyncView
          answer={answer}
          isEmpty={({ version }) => version < atLeast}
          skeleton={skeleton}
          empty={() => skeleton}
          timeZone={user.site.timeZone}
        >
          {(present) =>
            children(present, () => {
              onChanged();
              onClose();
            })
          }
        </AsyncView>
      </div>
    </FormDrawer>
  );
}
