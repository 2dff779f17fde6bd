import { Button, Upload } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useOwnCall } from '../../hooks/useOwnCall';
import { useRead } from '../../hooks/useRead';
import { profilePatch, pictureTypes } from '../../lib/profile/schema';
import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { useAction } from '../ui/useAction';
import { KeysPart } from './KeysPart';
import { PasswordForm } from './PasswordForm';
import styles from './profile.module.css';

/** Where the user is signed in, to end a session that is not theirs or was left open. */
function SessionsPart({ timeZone }: { timeZone: string }) {
  const { data, error } = useRead('listOwnSessions', {});
  const endSession = useCall('endOwnSession');
  const endOtherSessions = useCall('endOtherSessions');
  const { isWaiting, failure, carryOut } = useAction();
  if (data === undefined) {
    return <p>{error === undefined ? 'One moment …' : error.message}</p>;
  }
  const at = (instant: string): string => formatDayAndTime(Date.parse(instant), timeZone);
  return (
    <>
      <FormFailure>{failure?.message ?? null}</FormFailure>
      <ul className={styles.sessions}>
        {data.items.map(({ sid, device, ip, startedAt, lastUsedAt, isLocked, isCurrent }) => (
          <li key={sid} className={styles.session}>
            <div>
              <strong>{device}</strong> {isCurrent ? '(this browser)' : ''} {isLocked ? '(locked)' : ''}
              <div className={styles.quiet}>
                Since {at(startedAt)}, last used {at(lastUsedAt)}
                {ip === null ? '' : `, from ${ip}`}
              </div>
            </div>
            {isCurrent ? null : (
              <Button
                disabled={isWaiting}
                aria-label={`End the session of ${device}`}
                onClick={() => void carryOut(() => endSession({ params: { sid } }))}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {data.items.length < 2 ? null : (
        <div>
          <ConfirmButton
            label="End all others"
            question="End every session but this one?"
            onConfirm={() => void carryOut(() => endOtherSessions({}))}
          />
        </div>
      )}
    </>
  );
}

/** Pixels of each edge: more than the server keeps (`pictureEdge`), so that it can scale the picture down. */
const edge = 512;

/**
 * Returns the middle of a chosen file as a small PNG; null if the browser cannot show the file as a picture. So a
 * photograph of any size can be chosen, and only its pixels leave the browser.
 */
async function shrinkPicture(file: File): Promise<(Blob & { type: 'image/png' }) | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const side = Math.min(bitmap.width, bitmap.height);
    const canvas = document.createElement('canvas');
    canvas.width = edge;
    canvas.height = edge;
    canvas
      .getContext('2d')
      ?.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, edge, edge);
    bitmap.close();
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    return blob !== null && isPng(blob) ? blob : null;
  } catch {
    return null;
  }
}

function isPng(blob: Blob): blob is Blob & { type: 'image/png' } {
  return blob.type === 'image/png';
}

/** The picture that colleagues of the site see. */
function PicturePart({ user: { userImage } }: { user: User }) {
  const changePicture = useOwnCall('changePicture');
  const removePicture = useOwnCall('removePicture');
  const { isWaiting, failure, carryOut } = useAction();
  const [isUnreadable, setIsUnreadable] = useState(false);

  const choose = async (file: File): Promise<void> => {
    const picture = await shrinkPicture(file);
    setIsUnreadable(picture === null);
    if (picture !== null) {
      await carryOut(() => changePicture({ body: picture }));
    }
  };
  const remove = async (): Promise<void> => {
    setIsUnreadable(false);
    await carryOut(() => removePicture({}));
  };

  return (
    <>
      <FormFailure>
        {isUnreadable
          ? 'The file is not a picture that this browser can show. Choose a PNG or JPEG.'
          : (failure?.message ?? null)}
      </FormFailure>
      <div className={styles.row}>
        {userImage === null ? (
          <span>You have no picture.</span>
        ) : (
          <img src={userImage} alt="You" className={styles.picture} />
        )}
        <Upload
          accept={pictureTypes.join()}
          showUploadList={false}
          disabled={isWaiting}
          // It is sent by our own call, and as pixels alone.
          beforeUpload={(file) => {
            void choose(file);
            return false;
          }}
        >
          <Button disabled={isWaiting}>Choose a picture</Button>
        </Upload>
        {userImage === null ? null : (
          <Button disabled={isWaiting} onClick={() => void remove()}>
            Remove the picture
          </Button>
        )}
      </div>
    </>
  );
}

/** Changes the names by which colleagues know the user. */
function NamesForm({ user: { fname, lname } }: { user: User }) {
  const changeProfile = useOwnCall('changeProfile');
  const [said, setSaid] = useState('');
  return (
    <>
      <SchemaForm
        schema={profilePatch}
        initial={{ fname, lname }}
        send={async (body) => {
          await changeProfile({ body });
          setSaid('Your name was changed.');
        }}
        refusalText={({ message }) => message}
        submitLabel="Save name"
        onTyped={() => setSaid('')}
      >
        <div className={styles.pair}>
          <FormField name="fname" label="First name" autoComplete="given-name" />
          <FormField name="lname" label="Last name" autoComplete="family-name" />
        </div>
      </SchemaForm>
      <div role="status">{said}</div>
    </>
  );
}

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
