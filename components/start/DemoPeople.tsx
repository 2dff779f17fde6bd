import { useRouter } from 'next/router';
import { useState } from 'react';
import { useAuthentication } from '../../hooks/useAuthentication';
import type { DemoPeople as People } from '../../hooks/useStartDemo';
import type { ApiFailure } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import { userTypeLabels } from '../../lib/session/userTypes';
import { FormFailure } from '../ui/FormFailure';
import styles from './FirstPage.module.css';

/**
 * Who may sign in to the demo ward. Their passwords stand here and nowhere else, so they are to be noted before going
 * on.
 */
export function DemoPeople({ people }: { people: People }) {
  const router = useRouter();
  const { signIn, isWaiting } = useAuthentication();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const enter = async ({ email, password }: People[number]): Promise<void> => {
    const refused = await signIn({ email, password });
    setFailure(refused);
    if (refused === null) {
      await router.replace(paths.dashboard);
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
