import type { ReactNode } from 'react';
import type { ApiFailure } from '../../lib/browser/client';
import styles from './FormFailure.module.css';
import { notDone } from './notDone';

/** The text itself, or the failure of an action with the participle of what it does: "saved". */
type FormFailureProps = { children: ReactNode } | { failure: ApiFailure | null; done: string };

/** Says why a form was refused, unless a field does. The region is always there, so that its text is read out. */
export function FormFailure(props: FormFailureProps) {
  const text =
    'children' in props ? props.children : props.failure === null ? null : notDone(props.done, props.failure);
  return (
    <div role="alert" className={text === null ? undefined : styles.failure}>
      {text}
    </div>
  );
}
