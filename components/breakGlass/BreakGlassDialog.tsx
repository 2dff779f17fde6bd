import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react';
import { useBreakGlassActs } from '../../hooks/useBreakGlassActs';
import { breakGlassBody, maxReasonLength, minReasonLength } from '../../lib/breakGlass/schema';
import type { User } from '../../lib/session/schema';
import { useAct } from '../ui/useAct';
import { Field } from '../ui/Field';
import { fieldErrors, focusFirstError, type FieldErrors } from '../ui/fieldErrors';
import { FormFailure } from '../ui/FormFailure';
import { NativeButton } from '../ui/NativeButton';
import { SubmitButton } from '../ui/SubmitButton';
import shell from '../ui/dialog.module.css';
import styles from './BreakGlassDialog.module.css';

interface BreakGlassDialogProps {
  user: Pick<User, 'site' | 'units'>;
  onClose: () => void;
}

/** Asks why, and says what it means, before every unit of the site is opened. The reason stays while it is refused. */
export function BreakGlassDialog({ user, onClose }: BreakGlassDialogProps) {
  const { open } = useBreakGlassActs();
  const { isWaiting, failure, carryOut } = useAct();
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const titleId = useId();
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    focusFirstError(form.current);
  }, [errors]);
  const submit = async (): Promise<void> => {
    const parsed = breakGlassBody.safeParse({ reason: reason.replace(/\s+/g, ' ') });
    setErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (parsed.success && (await carryOut(() => open(parsed.data.reason)))) {
      onClose();
    }
  };
  const wrong = errors.reason ?? failure?.fields.reason;
  return (
    <dialog
      ref={dialog}
      className={`${shell.dialog} ${styles.dialog}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <form
        ref={form}
        method="post"
        noValidate
        className={styles.form}
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h2 id={titleId} className={styles.title}>
          Emergency access
        </h2>
        <ul className={styles.facts}>
          <li>
            For 60 minutes you can view every patient of {user.site.name}, not only those of your own units. You cannot
            change anything there.
          </li>
          <li>
            Administrators are notified at once with your name and your reason. Every view of a patient is audited.
          </li>
          <li>It ends by itself, or earlier if you end it.</li>
        </ul>
        <FormFailure>{failure === null ? null : `Not opened. ${failure.message}`}</FormFailure>
        <Field
          label="Reason"
          hint={`At least ${minReasonLength} characters. Do not name a patient here.`}
          error={wrong}
        >
          {(control) => (
            <textarea
              {...control}
              className="ant-input ant-input-outlined wardlight ant-input-css-var"
              rows={3}
              maxLength={maxReasonLength}
              required
              autoFocus
              value={reason}
              onChange={({ target }) => {
                setReason(target.value);
              }}
            />
          )}
        </Field>
        <div className={styles.acts}>
          <SubmitButton isWaiting={isWaiting}>Open all units for 60 minutes</SubmitButton>
          <NativeButton onClick={onClose}>Cancel</NativeButton>
        </div>
      </form>
    </dialog>
  );
}
