import { useState, type SubmitEvent } from 'react';
import { useStartDemo } from '../../hooks/useStartDemo';
import { useTimeZones } from '../ui/useTimeZones';
import { FormFailure } from '../ui/FormFailure';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import { DemoPeople } from './DemoPeople';
import styles from './FirstPage.module.css';

/**
 * The demo ward by one press; from another machine the server asks for its code first, and only then is there a field
 * for it.
 */
export function StartDemo() {
  const { start, isWaiting, failure, people } = useStartDemo();
  const { ownZone } = useTimeZones();
  const [code, setCode] = useState('');
  const [asksForCode, setAsksForCode] = useState(false);
  if (failure?.fields.code !== undefined && !asksForCode) {
    setAsksForCode(true);
  }
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void start({ timeZone: ownZone, ...(code.trim() === '' ? {} : { code }) });
  };
  return (
    <section className={styles.way} aria-labelledby="demo-ward">
      <h2 id="demo-ward">A demo ward</h2>
      {people === null ? (
        <>
          <p className={styles.text}>
            24 simulated patients in beds and at home. No real patients, and no device is needed.
          </p>
          <form method="post" noValidate className={styles.form} onSubmit={onSubmit}>
            <FormFailure>{failure === null ? null : `The demo ward was not started. ${failure.message}`}</FormFailure>
            {asksForCode ? (
              <TextField
                label="Setup code"
                hint="The server printed it in its terminal when it started."
                autoComplete="off"
                spellCheck={false}
                autoFocus
                required
                value={code}
                onChange={setCode}
                error={failure?.fields.code}
              />
            ) : null}
            <SubmitButton isWaiting={isWaiting}>Start the demo ward</SubmitButton>
          </form>
        </>
      ) : (
        <DemoPeople people={people} />
      )}
    </section>
  );
}
