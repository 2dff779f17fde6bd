import Link from 'next/link';
import { useState, type SubmitEvent } from 'react';
import { useCall } from '../../hooks/useCall';
import { paths } from '../../lib/paths';
import { FormFailure } from '../ui/FormFailure';
import { PlainPage } from '../ui/PlainPage';
import { SubmitButton } from '../ui/SubmitButton';
import { TextField } from '../ui/TextField';
import { useAction } from '../ui/useAction';
import { useTimeZones } from '../ui/useTimeZones';
import { DemoPeople, type Person } from './DemoPeople';
import styles from './FirstPage.module.css';

/** Starts the demo ward. The field for the setup code appears if the server asks for it (from another computer). */
function StartDemo() {
  const startDemo = useCall('startDemo');
  const { isWaiting, failure, carryOut } = useAction();
  const [people, setPeople] = useState<readonly Person[] | null>(null);
  const { ownZone } = useTimeZones();
  const [code, setCode] = useState('');
  const [asksForCode, setAsksForCode] = useState(false);
  if (failure?.fields.code !== undefined && !asksForCode) {
    setAsksForCode(true);
  }
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const body = { timeZone: ownZone, ...(code.trim() === '' ? {} : { code }) };
    void carryOut(async () => {
      setPeople((await startDemo({ body })).people);
    });
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

/** The page of an installation without users: set up a ward of its own, or start the demo ward. */
export function FirstPage() {
  return (
    <PlainPage title="No users yet" isWide hasStatement>
      <p className={styles.text}>
        Wardlight shows the SpO<sub>2</sub> and heart rate of many patients on one screen, each number with its age.
        There are two ways to begin.
      </p>
      <section className={styles.way} aria-labelledby="own-ward">
        <h2 id="own-ward">Your own ward</h2>
        <p className={styles.text}>
          Name your site and create the first user. You need the setup code that the server printed in its terminal.
        </p>
        <Link
          href={paths.setup}
          prefetch={false}
          className="ant-btn wardlight ant-btn-primary ant-btn-color-primary ant-btn-variant-solid"
        >
          <span>Set up this installation</span>
        </Link>
      </section>
      <StartDemo />
    </PlainPage>
  );
}
