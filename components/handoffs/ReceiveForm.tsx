import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { useServerLost } from '../../hooks/useServerLost';
import type { Handoff } from '../../lib/handoffs/schema';
import { toPlainText } from '../../lib/plainText';
import { FormFailure } from '../ui/FormFailure';
import { notDone } from '../ui/notDone';
import { TextField } from '../ui/TextField';
import { useAction } from '../ui/useAction';
import styles from './handoffs.module.css';

interface ReceiveFormProps {
  handoff: Handoff;
  name: string;
  userId: number;
  onChanged: (said: string) => void;
}

/** Receives a handoff with a read-back, or returns it with a question. The text is for one of the two. */
export function ReceiveForm({ handoff, name, userId, onChanged }: ReceiveFormProps) {
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const { failure, isWaiting, carryOut } = useAction();
  const receiveHandoffs = useCall('receiveHandoffs');
  const returnHandoff = useCall('returnHandoff');
  const isLost = useServerLost() !== null;
  const { id, version } = handoff;
  const isBlank = text.trim() === '' || isLost || isWaiting;

  const receive = async (): Promise<void> => {
    let problem: string | null = null;
    const isSent = await carryOut(async () => {
      const { items } = await receiveHandoffs({ body: { ids: [{ id, version }], authorId: userId, readBack: text } });
      problem = items[0]?.error?.message ?? null;
      setRefused(problem);
    });
    if (isSent && problem === null) {
      onChanged(`Handoff of ${name} received. You are responsible now.`);
    }
  };
  const giveBack = async (): Promise<void> => {
    const body = { version, authorId: userId, question: text };
    if (await carryOut(() => returnHandoff({ params: { id }, body }))) {
      onChanged('Handoff returned with your question');
    }
  };
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        void receive();
      }}
    >
      <TextField
        label="Read back, or your question"
        hint={isLost ? 'Not reachable: nothing can be sent now' : 'Receive and Return need a text'}
        error={undefined}
        autoComplete="off"
        maxLength={500}
        value={text}
        onChange={(value) => setText(toPlainText(value))}
      />
      <FormFailure>{failure === null ? null : notDone('done', failure)}</FormFailure>
      <FormFailure>{refused === null ? null : `Not received. ${refused}`}</FormFailure>
      <div className={styles.row}>
        <Button type="primary" htmlType="submit" disabled={isBlank}>
          Receive<span className="visually-hidden"> the handoff of {name}</span>
        </Button>
        <Button disabled={isBlank} onClick={() => void giveBack()}>
          Return with the question
        </Button>
      </div>
    </form>
  );
}
