import { latin1 } from '../../test/damagedMessage';
import { inopOf } from './inops';
import { parseMessage } from './parseMessage';
import { readOru } from './readOru';

/** Returns what the line of an INOP says: "noSignal spo2 pulseRate", or null. */
function saidBy(code: string, text: string, more = '||||||F'): string | null {
  const lines = [
    'MSH|^~\\&|||||20260501100009||ORU^R01|C|P|2.3',
    'PID|||A-100^^^^MR',
    `OBX||TX|${code}||${text}${more}`,
  ];
  const parsed = parseMessage(latin1([...lines, ''].join('\r')));
  const [observation] = parsed.ok
    ? (readOru(parsed.message, { timeZone: 'UTC', receivedAt: 0 })[0]?.observations ?? [])
    : [];
  const inop = observation === undefined ? null : inopOf(observation);
  return inop === null ? null : [inop.means, ...inop.numbers.map(({ kind }) => kind)].join(' ');
}
const hard = '5^HardInop^MDIL-ALERT';
const soft = '6^SoftInop^MDIL-ALERT';
const oximeter = 'spo2 pulseRate perfusionIndex';

describe('an INOP', () => {
  it.each([
    // Words of the capture that are about no number of ours, or about none at all.
    [hard, 'PAP No Pulse'],
    [hard, 'No Data Monitor '],
    [soft, 'Cannot Analyze QT'],
    [soft, 'PAP   Change Scale'],
    // Words that look alike.
    [hard, 'SpO2 NO PULSE'],
    [hard, 'SpO2 No Pulse 5'],
    [hard, 'SpO2x No Pulse'],
    [hard, 'SpO2No Pulse'],
    [hard, 'RR Leads Off'],
    [hard, 'Leads Off'],
    [hard, 'SpO2 Pulse?'],
    [hard, ''],
    // The same words under the code of an alarm, of another system, and of a value.
    ['1^RedAlarm^MDIL-ALERT', 'SpO2 No Pulse'],
    ['5^HardInop^L', 'SpO2 No Pulse'],
    ['0002-4bb8^SpO2^MDIL', 'SpO2 No Pulse'],
  ])('says nothing of a number: %s "%s"', (code, text) => {
    expect(saidBy(code, text)).toBeNull();
  });

  it.each(['||||||X', '||||||D', '||||||W', '||||||', '|||TEST|||F', '|||DEMO|||F'])(
    'says nothing with the status and flags of a line that does not count: %s',
    (more) => {
      expect(saidBy(hard, 'SpO2 No Pulse', more)).toBeNull();
    },
  );

  it.each([
    [hard, 'SpO2   No Pulse', `noSignal ${oximeter}`],
    [hard, 'SpO2T  No Pulse', 'noSignal spo2'],
    [soft, 'SpO2   Searching', `noSignal ${oximeter}`],
    [hard, 'SpO2 No Sensor', `noSignal ${oximeter}`],
    [hard, 'SpO2 Sensor Off', `noSignal ${oximeter}`],
    [hard, 'SpO2 Sensor Malf', `noSignal ${oximeter}`],
    [hard, 'SpO2 Unkn.Sensor', `noSignal ${oximeter}`],
    [hard, 'SpO2 Equip Malf', `noSignal ${oximeter}`],
    [hard, 'ECG Leads Off', 'noSignal heartRate'],
    [hard, 'ECG Equip Malf', 'noSignal heartRate'],
    [hard, 'Resp Leads Off', 'noSignal respiratoryRate'],
    [hard, 'Resp Equip Malf', 'noSignal respiratoryRate'],
  ])('of a probe that measures nothing is no signal of its numbers: %s "%s"', (code, text, said) => {
    expect(saidBy(code, text)).toBe(said);
  });

  it.each([
    [soft, 'SpO2   Low Perf', `questionable ${oximeter}`],
    [soft, 'SpO2 Poor Signal', `questionable ${oximeter}`],
    [soft, 'SpO2 Extd.Update', `questionable ${oximeter}`],
    [hard, 'SpO2 Erratic', `questionable ${oximeter}`],
    [hard, 'SpO2 Interference', `questionable ${oximeter}`],
    [hard, 'SpO2T NoisySignal', 'questionable spo2'],
    [hard, 'Resp Erratic', 'questionable respiratoryRate'],
  ])('of a probe that measures badly makes its numbers questionable: %s "%s"', (code, text, said) => {
    expect(saidBy(code, text)).toBe(said);
  });
});
