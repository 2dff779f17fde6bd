import { Button } from 'antd';
import { useId, useRef, useState } from 'react';
import styles from './admin.module.css';

/** A device's token, which the server tells this once: to be copied into the device. */
export function TokenBox({ token }: { token: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(token);
      setSaid('Copied.');
    } catch {
      // Without HTTPS a browser keeps its clipboard closed.
      field.current?.select();
      setSaid('The browser does not allow copying here. The token is selected: press Ctrl C.');
    }
  };
  return (
    <div className={styles.link}>
      <label htmlFor={id}>
        <strong>Token</strong>
      </label>
      <div>
        <input
          id={id}
          ref={field}
          readOnly
          value={token}
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
      <p className={styles.text}>Enter it in the device. It is shown this once; whoever has it can send values in this device’s name.</p>
    </div>
  );
}
