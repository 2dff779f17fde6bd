import { readAs, sentText, shownWords, takenRange } from '../../lib/mappings/readAs';
import type { MappingsResponse, SenderCode } from '../../lib/mappings/schema';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import styles from './admin.module.css';

interface LastValuesProps {
  code: SenderCode;
  kind: VitalKind | undefined;
  isUnitless: boolean;
  shown: MappingsResponse['shown'];
}

/** The last numbers of a code against the range of a vital sign, beside what that shows in the site now. */
export function LastValues({ code: { last }, kind, isUnitless, shown }: LastValuesProps) {
  const range =
    kind === undefined ? null : (
      <p className={styles.text}>
        {kinds[kind].label} is taken from {takenRange(kind)}. {shownWords(kind, shown[kind])}
      </p>
    );
  if (last.length === 0) {
    return (
      <>
        {range}
        <p className={styles.text}>It has sent no number since the server started.</p>
      </>
    );
  }
  return (
    <>
      {range}
      <table className={styles.lastValues} aria-label="Its last values">
        <thead>
          <tr>
            <th scope="col">Sent</th>
            <th scope="col">Would be</th>
          </tr>
        </thead>
        <tbody>
          {last.map((sent, index) => (
            // They have no name, and no order but this one.
            <tr key={index}>
              <td>{sentText(sent)}</td>
              <td>{kind === undefined ? '' : readAs({ kind, isUnitless }, sent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
