import { Button, Upload } from 'antd';
import { useState } from 'react';
import { useOwnCall } from '../../hooks/useOwnCall';
import type { User } from '../../lib/session/schema';
import { pictureTypes } from '../../lib/profile/schema';
import { FormFailure } from '../ui/FormFailure';
import { useAction } from '../ui/useAction';
import styles from './profile.module.css';
import { shrinkPicture } from './shrinkPicture';

/** The picture that colleagues of the site see. */
export function PicturePart({ user: { userImage } }: { user: User }) {
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
