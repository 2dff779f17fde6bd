import { useRouter } from 'next/router';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import type { ApiFailure, CallResponse } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import { userTypeLabels } from '../../lib/session/userTypes';
import { FormFailure } from '../ui/FormFailure';
import styles from './FirstPage.module.css';

export type Person = CallResponse<'startDemo'>['people'][number];

/** The users of the demo ward. Their passwords are shown here once and nowhere else. */
export function DemoPeople({ people }: { people: readonly Person[] }) {
  const router = useRouter();
  const { signIn, isWaiting } = useAuthentication();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const enter = async ({ email, password, type }: Person): Promise<void> => {
    const refused = await signIn({ email, password });
    setFailure(refused);
    if (refused === null) {
      await router.replace(type === 'display' ? paths.wall : paths.dashboard);
    }
  };
  return (
    <>
      <p role="status" className={styles.text}>
        <strong>The demo ward is running.</strong> Note the passwords: they are shown only once.
      </p>
      <FormFailure>{failure === null ? null : `Sign-in failed. ${failure.message}`}</FormFailure>
      <table className={styles.people}>
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">E-mail and password</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.email}>
              <th scope="row">{userTypeLabels[person.type]}</th>
              <td>
                {person.email}
                <br />
                <code>{person.password}</code>
              </td>
              <td>
                <button
                  type="button"
                  className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
                  aria-label={`Sign in as ${userTypeLabels[person.type]}`}
                  aria-disabled={isWaiting}
                  onClick={() => {
                    if (!isWaiting) {
                      void enter(person);
                    }
                  }}
                >
                  <span>Sign in</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
