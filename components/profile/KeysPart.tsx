import { useAlertKeysChoice } from '../../hooks/useAlertKeysChoice';

/** Whether single keys act in the list of alerts; kept in this browser, for this user. */
export function KeysPart({ userId }: { userId: number }) {
  const [isOn, choose] = useAlertKeysChoice(userId);
  return (
    <label>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          choose(target.checked);
        }}
      />{' '}
      Single keys in the list of alerts, in this browser: <kbd>J</kbd> and <kbd>K</kbd> move, <kbd>Enter</kbd> opens the
      patient, <kbd>A</kbd> acknowledges, <kbd>T</kbd> takes
    </label>
  );
}
