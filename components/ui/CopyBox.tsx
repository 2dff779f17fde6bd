import { Button, Input, type InputRef } from 'antd';
import { useContext, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import styles from './CopyBox.module.css';
import { LossContext } from './formContext';

interface CopyBoxProps {
  title: string;
  /** Its name in a sentence: "link", "token". */
  noun: string;
  secret: string;
  /** What to do with it. */
  children: ReactNode;
}

/** Shows a secret that the server sends only once, focused and selected. Its drawer asks before it closes uncopied. */
export function CopyBox({ title, noun, secret, children }: CopyBoxProps) {
  const id = useId();
  const field = useRef<InputRef>(null);
  const [said, setSaid] = useState({ about: secret, text: '' });
  const noteLoss = useContext(LossContext);
  useEffect(() => {
    noteLoss(id, 'secret');
    field.current?.focus();
    return () => {
      noteLoss(id, null);
    };
  }, [noteLoss, id, secret]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      setSaid({ about: secret, text: 'Copied.' });
      noteLoss(id, null);
    } catch {
      // Without HTTPS a browser keeps its clipboard closed.
      field.current?.select();
      setSaid({
        about: secret,
        text: `The browser does not allow copying here. The ${noun} is selected: press Ctrl C.`,
      });
    }
  };
  return (
    <div className={styles.box}>
      <label htmlFor={id}>
        <strong>{title}</strong>
      </label>
      <div>
        <Input
          id={id}
          ref={field}
          readOnly
          value={secret}
          autoComplete="off"
          onCopy={() => noteLoss(id, null)}
          onFocus={({ target }) => target.select()}
        />
        <Button onClick={() => void copy()}>Copy</Button>
      </div>
      <p role="status">{said.about === secret ? said.text : ''}</p>
      <p>{children}</p>
    </div>
  );
}
