import { Button } from 'antd';
import { useRef, useState, type ChangeEvent } from 'react';
import { useProfile } from '../../hooks/useProfile';
import type { User } from '../../lib/session/schema';
import { FormFailure } from '../ui/FormFailure';
import styles from './profile.module.css';
import { shrinkPicture } from './shrinkPicture';

/** The picture that colleagues of the site see. */
export function PicturePart({ user }: { user: User }) {
  const { changePicture, removePicture, isWaiting } = useProfile();
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const choose = async (file: File): Promise<void> => {
    const picture = await shrinkPicture(file);
    if (picture === null) {
      setFailure('The file is not a picture that this browser can show. Choose a PNG or JPEG.');
      return;
    }
    setFailure((await changePicture(picture))?.message ?? null);
  };
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const [file] = target.files ?? [];
    if (file !== undefined) {
      void choose(file);
    }
    target.value = '';
  };
  const remove = async (): Promise<void> => {
    setFailure((await removePicture())?.message ?? null);
  };

  return (
    <>
      <FormFailure>{failure}</FormFailure>
      <div className={styles.row}>
        {user.userImage === null ? (
          <span>You have no picture.</span>
        ) : (
          <img src={user.userImage} alt="You" className={styles.picture} />
        )}
        <input ref={input} type="file" hidden aria-label="Picture" accept="image/png,image/jpeg" onChange={onChange} />
        <Button disabled={isWaiting} onClick={() => input.current?.click()}>
          Choose a picture
        </Button>
        {user.userImage === null ? null : (
          <Button disabled={isWaiting} onClick={() => void remove()}>
            Remove the picture
          </Button>
        )}
      </div>
    </>
  );
}
