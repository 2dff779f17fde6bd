import { Button } from 'antd';
import { useId, useRef, useState } from 'react';
import { formatDayAndTime, zoneLabel } from '../../lib/time/formatTime';
import type { SecretLink } from '../../lib/users/schema';
import styles from './admin.module.css';

interface SecretLinkBoxProps {
  /** What the link is, "Invitation for ines@ward.test". */
  title: string;
  link: SecretLink;
  timeZone: string;
}

/** A link that the server tells this once: to be copied and handed over, unless a mail has carried it already. */
export function SecretLinkBox({ title, link: { link, expiresAt, mailed }, timeZone }: SecretLinkBoxProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const expires = Date.parse(expiresAt);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setSaid('Copied.');
    } catch {
      // Without HTTPS a browser keeps its clipboard closed.
      field.current?.select();
      setSaid('The browser does not allow copying here. The link is selected: press Ctrl C.');
    }
  };
  return (
    <div className={styles.link}>
      <label htmlFor={id}>
        <strong>{title}</strong>
      </label>
      <div>
        <input
          id={id}
          ref={field}
          readOnly
          value={link}
          autoComplete="off"
          className="ant-input ant-input-outlined wardlight ant-input-css-var"
          onFocus={({ target }) => {
            target.select();
          }}
        />
        <Button onClick={() => void copy()}>Copy</Button>
      </div>
      <p role="status" className={styles.text}>
        {said}
      </p>
      <p className={styles.text}>
        {mailed ? 'It was sent by mail as well.' : 'No mail was sent: hand it over yourself, to this person alone.'} It is shown this once,
        works once, and until {formatDayAndTime(expires, timeZone)} {zoneLabel(expires, timeZone)}.
      </p>
    </div>
  );
}
