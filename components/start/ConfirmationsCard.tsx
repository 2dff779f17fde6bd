import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { userTypeLabels } from '../../lib/session/userTypes';
import type { Confirmation } from '../../lib/users/schema';
import { FormFailure } from '../ui/FormFailure';
import { NativeButton } from '../ui/NativeButton';
import { useAction } from '../ui/useAction';
import styles from './StartScreen.module.css';

/** The accounts that wait for somebody else's confirmation; nothing while there are none. */
export function ConfirmationsCard() {
  const items = useRead('listConfirmations', {}, { everyMs: 15_000 }).data?.items ?? [];
  return items.length === 0 ? null : (
    <section className={styles.card} aria-labelledby="confirmations">
      <h2 id="confirmations">Accounts to confirm</h2>
      <p className={styles.quiet}>
        An administrator opened them. They may do nothing until a ward lead, a physician or another administrator
        confirms that the right person has them.
      </p>
      {items.map((item) => (
        <ConfirmationRow key={item.id} item={item} />
      ))}
    </section>
  );
}

function ConfirmationRow({ item: { id, name, type, isAdmin, openedBy, mayConfirm } }: { item: Confirmation }) {
  const confirmUser = useCall('confirmUser');
  const { failure, isWaiting, carryOut } = useAction();
  const [isAsked, setIsAsked] = useState(false);
  const role = `${userTypeLabels[type]}${isAdmin ? ', administrator' : ''}`;
  return (
    <div className={styles.one}>
      <p className={styles.lead}>{name}</p>
      <p className={styles.quiet}>
        {role}
        {openedBy === null ? '' : `, opened by ${openedBy}`}
      </p>
      {isAsked ? <p>Confirm only if {name} asked you for it and chose the password.</p> : null}
      <FormFailure>{failure === null ? null : `Not confirmed. ${failure.message}`}</FormFailure>
      {!mayConfirm ? (
        <p className={styles.quiet}>You opened it, so somebody else confirms it.</p>
      ) : (
        <div className={styles.acts}>
          {isAsked ? (
            <>
              <NativeButton
                look="primary"
                aria-disabled={isWaiting}
                onClick={() => void carryOut(() => confirmUser({ params: { id } }))}
              >
                Yes, confirm
              </NativeButton>
              <NativeButton
                onClick={() => {
                  setIsAsked(false);
                }}
              >
                Cancel
              </NativeButton>
            </>
          ) : (
            <NativeButton
              onClick={() => {
                setIsAsked(true);
              }}
            >
              Confirm {name}
            </NativeButton>
          )}
        </div>
      )}
    </div>
  );
}
