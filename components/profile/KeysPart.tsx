import { useSingleKeysChoice } from '../../hooks/useSingleKeysChoice';

/** Whether single keys act; kept in this browser, for this user. */
export function KeysPart({ userId }: { userId: number }) {
  const [isOn, choose] = useSingleKeysChoice(userId);
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={({ target }) => choose(target.checked)} /> Single keys, in this
      browser. In the list of alerts: <kbd>J</kbd> and <kbd>K</kbd> move, <kbd>Enter</kbd> opens the patient,{' '}
      <kbd>A</kbd> acknowledges, <kbd>T</kbd> takes. Beside a patient’s charts: <kbd>H</kbd> opens the handoffs,{' '}
      <kbd>N</kbd> writes a note
    </label>
  );
}
