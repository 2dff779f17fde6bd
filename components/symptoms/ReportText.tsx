import type { SymptomReport, UnreadableReport } from '../../lib/symptoms/schema';
import { redFlags } from '../../lib/symptoms/symptoms';
import { vitalKinds, kinds } from '../../lib/vitals/kinds';
import { formatVital } from '../../lib/vitals/roundVital';
import { answersText, sinceYesterdayWords } from '../../lib/symptoms/words';

type Said = Pick<SymptomReport, 'answers' | 'redFlags' | 'breathlessness' | 'mmrc' | 'sinceYesterday'> &
  Partial<Pick<SymptomReport, 'readings'>>;

/** What one report says, in words, the red flags first. */
export function ReportText({ report }: { report: Said | UnreadableReport }) {
  if ('isUnreadable' in report) {
    return <strong>Report {report.id} cannot be read. That does not mean no symptoms.</strong>;
  }
  const { answers, breathlessness, mmrc, sinceYesterday, readings = {} } = report;
  const said = [
    answersText(answers),
    breathlessness === null ? '' : `Breathlessness ${breathlessness} of 10`,
    mmrc === null ? '' : `mMRC ${mmrc}`,
    sinceYesterday === null ? '' : sinceYesterdayWords[sinceYesterday],
    readingsText(readings),
  ].filter((text) => text !== '');
  return (
    <>
      {report.redFlags.length === 0 ? null : (
        <strong>
          ◆ Red flag: {report.redFlags.map((flag) => redFlags[flag]).join('; ')}
          {said.length === 0 ? '' : '. '}
        </strong>
      )}
      {said.join('. ')}
    </>
  );
}

/** "SpO2 95 %, Pulse 80 /min", as it was typed in at home. */
function readingsText(readings: SymptomReport['readings']): string {
  return vitalKinds
    .flatMap((kind) => {
      const value = readings[kind];
      return value === undefined ? [] : [`${kinds[kind].label} ${formatVital(kind, value)} ${kinds[kind].unit}`.trim()];
    })
    .join(', ');
}
