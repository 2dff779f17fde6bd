import { Button } from 'antd';
import { useState } from 'react';
import { keepComment, keptComment } from '../../hooks/keptTexts';
import { useCall } from '../../hooks/useCall';
import { useServerLost } from '../../hooks/useServerLost';
import { newUuid } from '../../lib/browser/newUuid';
import { toPlainText } from '../../lib/plainText';
import { longestReportText } from '../../lib/reports/schema';
import { FormFailure } from '../ui/FormFailure';
import { notDone } from '../ui/notDone';
import { TextArea } from '../ui/TextArea';
import { useAction } from '../ui/useAction';
import { useSubmit } from '../ui/useSubmit';
import styles from './reports.module.css';

/** Adds to a report. What is typed stays until it is sent, also when the report is closed and opened again. */
export function ReportComment({ reportId, userId }: { reportId: number; userId: number }) {
  const [typed, setTyped] = useState(() => keptComment(userId, reportId) ?? { clientId: newUuid(), text: '' });
  const { failure, isWaiting, carryOut } = useAction();
  const commentReport = useCall('commentReport');
  const isLost = useServerLost() !== null;
  const isBlank = typed.text.trim() === '';
  const change = (text: string): void => {
    const next = { ...typed, text: toPlainText(text) };
    setTyped(next);
    keepComment(userId, reportId, next.text.trim() === '' ? null : next);
  };
  const onSubmit = useSubmit(async () => {
    if (isBlank || isLost) {
      return;
    }
    const body = { ...typed, authorId: userId };
    if (await carryOut(() => commentReport({ params: { id: reportId }, body }))) {
      keepComment(userId, reportId, null);
      setTyped({ clientId: newUuid(), text: '' });
    }
  });
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <TextArea
        label="Comment"
        rows={3}
        maxLength={longestReportText}
        // One that the server may have is not changed: the server would keep what it has.
        isLocked={isWaiting || failure?.isOutcomeUnknown === true}
        error={failure?.fields.text}
        value={typed.text}
        onChange={change}
      />
      <p className={styles.quiet}>{isBlank ? '' : 'Not sent yet'}</p>
      <FormFailure>
        {failure === null
          ? null
          : failure.isOutcomeUnknown
            ? `It is not known whether this was sent. ${failure.message} Send it again: it is added once.`
            : notDone('sent', failure)}
      </FormFailure>
      <div>
        <Button htmlType="submit" disabled={isBlank || isLost} loading={isWaiting && { delay: 300 }}>
          Add comment
        </Button>
      </div>
    </form>
  );
}
