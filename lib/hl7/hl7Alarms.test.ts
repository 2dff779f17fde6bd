import { latin1 } from '../../test/damagedMessage';
import type { HeardAlarm } from '../deviceAlarms/heardAlarm';
import { inopOf } from './inops';
import { parseMessage } from './parseMessage';
import { readAlarms } from './readAlarms';
import { readOru } from './readOru';

describe('an INOP', () => {
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

describe('readAlarms', () => {
  const site = { timeZone: 'Europe/Berlin', receivedAt: Date.parse('2026-05-01T08:00:02Z') };

  /** The alarms of the first patient of a message. */
  function alarmsOf(trigger: string, ...lines: string[]): HeardAlarm[] {
    const head = [`MSH|^~\\&|||||20260501100009||ORU^${trigger}|C|P|2.6`, 'PID|||A-100^^^^MR'];
    const parsed = parseMessage(latin1([...head, ...lines, ''].join('\r')));
    return parsed.ok ? (readAlarms(parsed.message, readOru(parsed.message, site))[0] ?? []) : [];
  }
  const today = (time: string): number => Date.parse(`2026-05-01T${time}Z`);
  const textAlarms = (...texts: string[]): HeardAlarm[] =>
    alarmsOf('R01', 'OBR|||||||20260501100005', ...texts.map((text) => `OBX||TX|${text}||||||F`));

  /** The alarms of a line in UTF-8. */
  function utf8Alarms(line: string): HeardAlarm[] {
    const head = `MSH|^~\\&|||||20260501100009||ORU^R01|C|P|2.6${'|'.repeat(6)}UNICODE UTF-8`;
    const text = [head, 'PID|||A-100^^^^MR', 'OBR|||||||20260501100005', `OBX||TX|${line}||||||F`, ''].join('\r');
    const parsed = parseMessage(Buffer.from(text, 'utf8'));
    return parsed.ok ? (readAlarms(parsed.message, readOru(parsed.message, site))[0] ?? []) : [];
  }

  describe('the alarm texts of an ORU^R01', () => {
    it('are no alarm if they are empty, or if the code is not that of an alarm text', () => {
      expect(
        textAlarms('2^YellowAlarm^MDIL-ALERT||', '2^YellowAlarm^MDIL-ALERT||""', '2^YellowAlarm^L||**RR 40'),
      ).toEqual([]);
    });

    it.each([
      ['1^RedAlarm^MDIL-ALERT||***xTachy 160>140', '***xTachy 160>140', 'high', false],
      ['2^YellowAlarm^MDIL-ALERT||**SpO2   86  <90  ', '**SpO2 86 <90', 'medium', false],
      ['3^ShortYellowAlarm^MDIL-ALERT||* HR     132 >120 ', '* HR 132 >120', 'low', false],
      ['5^HardInop^MDIL-ALERT||SpO2T  No Pulse', 'SpO2T No Pulse', 'low', true],
      ['6^SoftInop^MDIL-ALERT||Cannot Analyze QT', 'Cannot Analyze QT', 'low', true],
      ['9^Other^MDIL-ALERT||Something', 'Something', null, false],
    ])('are read with their priority: %s', (line, text, priority, isTechnical) => {
      expect(textAlarms(line)).toEqual([
        expect.objectContaining({ text, priority, isTechnical, isEvent: false, isEnded: false }),
      ]);
    });

    it('have the time of the message’s order', () => {
      expect(textAlarms('1^RedAlarm^MDIL-ALERT||***Apnea').map(({ at }) => at)).toEqual([
        Date.parse('2026-05-01T08:00:05Z'),
      ]);
    });

    it.each([
      ['20260501093000', '08:00:05', '07:30:00'],
      ['20260501100007', '08:00:07', '08:00:07'],
      ['half past nine', '08:00:05', null],
    ])('are said at the time of the order or later, and began at their own: %s', (own, at, startedAt) => {
      const line = `OBX||TX|1^RedAlarm^MDIL-ALERT||***Apnea||||||F|||${own}`;
      expect(alarmsOf('R01', 'OBR|||||||20260501100005', line)).toEqual([
        expect.objectContaining({ at: today(at), startedAt: startedAt === null ? null : today(startedAt) }),
      ]);
    });

    it('are read without their escapes, and whole', () => {
      expect(textAlarms('1^RedAlarm^MDIL-ALERT||***A \\T\\ B \\X3C\\ 90 ^ C').map(({ text }) => text)).toEqual([
        '***A & B < 90 ^ C',
      ]);
    });

    it('are the same alarm while only their numbers change', () => {
      const [first, second, other] = textAlarms(
        '2^YellowAlarm^MDIL-ALERT||**RR     40  >30  ',
        '2^YellowAlarm^MDIL-ALERT||**RR 59.5 >30',
        '2^YellowAlarm^MDIL-ALERT||**HR 40 >30',
      );
      expect(second?.key).toBe(first?.key);
      expect(other?.key).not.toBe(first?.key);
    });

    it('are two alarms where a number is part of a name', () => {
      const leads = ['V4', 'V3'].map((lead) => `2^YellowAlarm^MDIL-ALERT||**STE ${lead}`);
      expect(new Set(textAlarms(...leads).map(({ key }) => key)).size).toBe(2);
    });

    it('have keys that both engines store', () => {
      expect(textAlarms('2\\X00\\^YellowAlarm^MDIL-ALERT||**RR 40').map(({ key }) => key)).toEqual(['2 **RR #']);
      expect(event(order('E\\X00\\1'), leadOff).map(({ key }) => key)).toEqual(['event E1']);
      const longest = `${'i'.repeat(199)}^${'n'.repeat(20)}^${'u'.repeat(199)}^EUI-64`;
      expect(event(order(longest), leadOff).map(({ key }) => key)).toEqual([`event ${longest}`]);
    });

    it('are cut at 120 characters, and say so', () => {
      const textOf = (sent: string) => textAlarms(`1^RedAlarm^MDIL-ALERT||${sent}`).map(({ text }) => text);
      expect(textOf('x'.repeat(120))).toEqual(['x'.repeat(120)]);
      expect(textOf(`${'x'.repeat(118)} 1234`)).toEqual([`${'x'.repeat(118)} …`]);
    });

    it('have no character that is not seen, and none that turns the direction of what follows', () => {
      const lines = ['**RR \u202E40 >30\u200F', '**RR\u2066 40 >\u00AD30', '**RR\\X07\\ 40 >30'].map(
        (text) => `2^YellowAlarm^MDIL-ALERT||${text}`,
      );
      expect(lines.flatMap((line) => utf8Alarms(line)).map(({ text, key }) => [text, key])).toEqual(
        lines.map(() => ['**RR 40 >30', '2 **RR # >#']),
      );
    });
  });

  /** An alarm as an event, in lines numbered by their last part. */
  function event(order: string, ...lines: string[]): HeardAlarm[] {
    return alarmsOf('R40', order, 'OBX|1||69965^MDC_DEV_MON_PHYSIO_MULTI_PARAM_MDS^MDC|1.0.0.0|||||||X', ...lines);
  }
  const order = (id: string, parent = ''): string =>
    `OBR|1||${id}|196616^MDC_EVT_ALARM^MDC|||20260501100004+0200${'|'.repeat(22)}${parent}`;
  const leadOff = 'OBX|2|CWE|196616^MDC_EVT_ALARM^MDC|1.7.0.0.1|196680^MDC_EVT_LEAD_OFF^MDC|||A~PL~ST|||R';
  const phase = (word: string, code = '68481'): string => `OBX|4|ST|${code}^MDC_ATTR_EVENT_PHASE^MDC|1.7.0.0.3|${word}`;

  describe('the events of an ORU^R40', () => {
    it('are none without an order, and none without the line that says what happened', () => {
      expect(alarmsOf('R40', leadOff, phase('start'))).toEqual([]);
      expect(event(order('E1'), phase('start'))).toEqual([]);
    });

    it('are read from their lines', () => {
      expect(event(order('E1'), leadOff, phase('start'))).toEqual([
        {
          key: 'event E1',
          code: 'MDC_EVT_LEAD_OFF',
          text: 'Lead off',
          priority: 'low',
          isTechnical: true,
          inactivation: null,
          isEvent: true,
          isEnded: false,
          ...{ at: today('08:00:04'), startedAt: today('08:00:04') },
        },
      ]);
    });

    it.each([
      ['end', true],
      ['tpoint', true],
      ['start', false],
      ['continue', false],
      ['update', false],
      ['', false],
    ])('have ended or last by their phase: "%s"', (word, isEnded) => {
      expect(event(order('E1'), leadOff, phase(word)).map((alarm) => alarm.isEnded)).toEqual([isEnded]);
      expect(event(order('E1'), leadOff, phase(word, '68165')).map((alarm) => alarm.isEnded)).toEqual([isEnded]);
    });

    it.each([
      ['inactive', true],
      ['active', false],
      ['latched', false],
    ])('have ended or last by their state: %s', (state, isEnded) => {
      const line = `OBX|5|ST|68482^MDC_ATTR_ALARM_STATE^MDC|1.7.0.0.4|${state}`;
      expect(event(order('E1'), leadOff, line).map((alarm) => alarm.isEnded)).toEqual([isEnded]);
    });

    it('are the same alarm as the one that they follow', () => {
      expect(event(order('E2', 'P1^E1'), leadOff).map(({ key }) => key)).toEqual(['event E1']);
      expect(event(order('E2', 'E1'), leadOff).map(({ key }) => key)).toEqual(['event E1']);
    });

    it('are another alarm if a number is of another namespace', () => {
      const keys = ['E1', 'E1^ICU', 'E1^ER', 'E1^ICU^1.2.3^ISO', 'E2^ICU'].flatMap((id) =>
        event(order(id), leadOff).map(({ key }) => key),
      );
      expect(keys).toEqual(['event E1', 'event E1^ICU', 'event E1^ER', 'event E1^ICU^1.2.3^ISO', 'event E2^ICU']);
    });

    it.each([
      ['P1&ICU^E1&ICU&1.2.3&ISO', 'event E1^ICU^1.2.3^ISO'],
      ['P1^E1', 'event E1^ICU^1.2.3^ISO'],
      ['^E1&ICU', 'event E1^ICU^1.2.3^ISO'],
      ['^E1&ER', 'event E1^ER'],
      ['E1', 'event E1^ICU^1.2.3^ISO'],
    ])('follow a parent, in their own namespace if its is not said: %s', (parent, key) => {
      expect(event(order('E2^ICU^1.2.3^ISO', parent), leadOff).map((alarm) => alarm.key)).toEqual([key]);
    });

    it('began at the earlier of their times, and are said at the later one', () => {
      expect(event(order('E1'), `${leadOff}|||20260501110000+0200`)).toEqual([
        expect.objectContaining({ at: today('09:00:00'), startedAt: today('08:00:04') }),
      ]);
      expect(event(order('E1'), `${leadOff}|||20260501090000+0200`)).toEqual([
        expect.objectContaining({ at: today('08:00:04'), startedAt: today('07:00:00') }),
      ]);
    });

    it('are said with their message if they have lasted for more than a day', () => {
      const old = order('E1').replace('20260501', '20260429');
      expect(event(old, leadOff)).toEqual([
        expect.objectContaining({ at: today('08:00:09'), startedAt: Date.parse('2026-04-29T08:00:04Z') }),
      ]);
    });

    it('take priority and kind from their own lines before the flags', () => {
      const lines = [
        'OBX|7|ST|68484^MDC_ATTR_ALARM_PRIORITY^MDC|1.7.0.0.6|PH',
        'OBX|8|ST|68485^MDC_ATTR_ALERT_TYPE^MDC|1.7.0.0.7|SP',
        'OBX|6|ST|68483^MDC_ATTR_ALARM_INACTIVATION_STATE^MDC|1.7.0.0.5|audio-paused',
      ];
      expect(event(order('E1'), leadOff, ...lines)).toEqual([
        expect.objectContaining({ priority: 'high', isTechnical: false, inactivation: 'audio-paused' }),
      ]);
    });

    it.each([
      ['ST|0^MDCX_EVT_ALERT_ADVISORY^MDC|1.0.0.0.1|Recheck BP', 'Recheck BP'],
      ['CWE|196616^MDC_EVT_ALARM^MDC|1.0.0.0.1|56^MDC_EVT_BATT_LO^MDC^^^^^^Low battery', 'Low battery'],
      ['ST|196670^MDC_EVT_LO^MDC|1.0.0.0.1|150456^MDC_PULS_OXIM_SAT_O2^MDC', 'SpO2 low'],
      ['ST|196648^MDC_EVT_HI^MDC|1.0.0.0.1|147842^MDC_ECG_HEART_RATE^MDC', 'HR high'],
      ['ST|196616^MDC_EVT_ALARM^MDC|1.0.0.0.1|', 'Alarm'],
    ])('have words: %s', (line, text) => {
      expect(event(order('E1'), `OBX|2|${line}|||A~PM~SP|||R`).map((alarm) => alarm.text)).toEqual([text]);
    });

    it('have the device’s own text before all others', () => {
      const own = 'OBX|9|ST|68546^MDC_ATTR_ALERT_TEXT^MDC|1.0.0.0.8|Electrode off';
      expect(event(order('E1'), leadOff, own).map(({ text }) => text)).toEqual(['Electrode off']);
    });

    it('are one for each order', () => {
      const keys = event(order('E1'), leadOff, order('E2'), leadOff).map(({ key }) => key);
      expect(keys).toEqual(['event E1', 'event E2']);
    });
  });
});
