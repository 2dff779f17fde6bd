import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { KeysPart } from './KeysPart';
import { NamesForm } from './NamesForm';
import { PasswordForm } from './PasswordForm';
import { PicturePart } from './PicturePart';
import styles from './profile.module.css';
import { SessionsPart } from './SessionsPart';

/** The user's own account. Their role and units are changed by administrators. */
export function ProfileScreen({ user }: { user: User }) {
  return (
    <div className={styles.page}>
      <div>
        <h1>Profile</h1>
        <div className={styles.quiet}>
          {user.email} · {userTypeLabels[user.type]} · {user.site.name}
        </div>
      </div>
      <section aria-labelledby="profile-name" className={styles.part}>
        <h2 id="profile-name">Name</h2>
        <NamesForm user={user} />
      </section>
      <section aria-labelledby="profile-picture" className={styles.part}>
        <h2 id="profile-picture">Picture</h2>
        <PicturePart user={user} />
      </section>
      <section aria-labelledby="profile-password" className={styles.part}>
        <h2 id="profile-password">Password</h2>
        <PasswordForm />
      </section>
      <section aria-labelledby="profile-keys" className={styles.part}>
        <h2 id="profile-keys">Keyboard</h2>
        <KeysPart userId={user.id} />
      </section>
      <section aria-labelledby="profile-sessions" className={styles.part}>
        <h2 id="profile-sessions">Your sessions</h2>
        <SessionsPart timeZone={user.site.timeZone} />
      </section>
    </div>
  );
}
