import { redFlags, symptoms } from '../symptoms/symptoms';
import type { EpochMs } from '../time/epochMs';
import type { VitalKind } from '../vitals/kinds';
import { formatVital, roundVital } from '../vitals/roundVital';
import { isRetrospective, type Alert } from './alert';
import { extreme } from '../vitals/buckets';
import type { Evidence } from './evidence';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import { isBeyond, isBeyondAll, type Limit } from './limit';
import { parameterLabels, type Parameter } from './parameters';
import { raisedOften } from './poorSignal';
import { ruleName, type HomeRuleId, type RuleId } from './ruleNames';
import { ofConsciousness, ofExtreme, ofScore, ofScorePart } from './scoreWords';
import {
  alertSince,
  clock,
  lengthOf,
  limitText,
  oftenText,
  valueOf,
  withUnit,
  type Card,
  type SentenceFacts,
  type Words,
} from './sentenceParts';
import { gainWithinMs, spotParameters, spotRules, type SpotParameter, type SpotRule } from './spotRules';
import { ofBattery, ofClock, ofGateway, ofPoorSignal, ofServerClock, ofSilence, ofStandby } from './technicalWords';

/**
 * Returns what an alert is about in one sentence for its card: "SpO2 86 % < 88 for 4 min, was 94 at 14:00". The
 * sentence is true at `now` and grows old in a cache. It contains no name of a patient. It begins with `headlineOf`.
 */
export function sentenceOf(alert: Alert, facts: SentenceFacts, now: EpochMs): string {
  return partsOf(alert, facts, now).join(', ');
}

/** Returns whether the present value is back within the limit for certain: the alert ends if it stays so (A11). */
export function isRecovering(alert: Alert, facts: SentenceFacts, now: EpochMs): boolean {
  return alert.condition === 'active' && wordsOf({ alert, facts: rounded(facts), now }).isRecovering === true;
}

/** Returns the first part of the sentence, in bold on the card: "SpO2 86 % < 88 for 4 min". */
export function headlineOf(alert: Alert, facts: SentenceFacts, now: EpochMs): string {
  return partsOf(alert, facts, now)[0] ?? parameterLabels[alert.parameter];
}

function partsOf(alert: Alert, facts: SentenceFacts, now: EpochMs): string[] {
  const card: Card = { alert, facts: rounded(facts), now };
  const {
    active,
    what,
    after = [],
    isRecovering = false,
  } = wordsOf(alert.condition === 'ended' ? explained(card) : card);
  const over = alert.endedAt === null ? null : clock(card, alert.endedAt);
  // With a good signal it was the patient, so that this is said first unless the value is beyond its limit now (A11).
  const often = raisedOften(alert);
  const isFirst = over !== null || isRecovering;
  const isLow = alert.parameter === 'spo2' && alert.rule !== 'spo2.disagree';
  const name = !isLow ? what : isFirst ? 'Desaturated' : 'desaturated';
  const repeated = often === null || often.isPoor ? null : `${name} ${oftenText(often)}`;
  const first = isFirst ? repeated : null;
  const parts =
    over === null
      ? [first, ...active]
      : alert.isWithdrawn
        ? [`Withdrawn: values were corrected`, what, `withdrawn at ${over}`]
        : [first ?? what, `ended at ${over}`, ...after];
  const times = alert.episodes > 1 ? `${alert.episodes} times since ${clock(card, alert.startedAt)}` : null;
  const again = repeated === null || alert.isWithdrawn ? times : first === null ? repeated : null;
  const { from, to, by = null } = facts.limitMoved ?? {};
  const moved = from === undefined ? null : `limit ${from} -> ${to}${by === null ? '' : ` by ${by}`}`;
  const { settled, newest } = facts;
  const counts = settled ? `${settled.source} counts until ${clock(card, settled.until)} (${settled.by})` : null;
  // While it lasts, the value has it beside it.
  const isNamed = over === null || counts === null || newest?.other === undefined;
  const yields = isNamed ? null : `other sensor ${newest.other}`;
  const retrospective = isRetrospective(alert) ? `known only since ${clock(card, alert.ruleRaisedAt)}` : null;
  return [...parts, moved, counts, yields, again, retrospective].filter((part) => part !== null);
}

/** Returns the facts with values as the rules evaluate and screens show them (clinical.md section 00, A12). */
function rounded(facts: SentenceFacts): SentenceFacts {
  const { newest, ecg = null, samples } = facts;
  return {
    ...facts,
    newest: newest === null ? null : { ...newest, value: roundVital(newest.kind, newest.value) },
    ecg: ecg === null ? null : roundVital('heartRate', ecg),
    samples: samples.map((sample) => ({ ...sample, value: roundVital(sample.kind, sample.value) })),
  };
}

/**
 * Returns the card by the rule that explains its highest priority, with the limits and the extremes of that rule: one
 * that passed through several tiers was raised by the most urgent of them, and ended in the mildest.
 */
function explained({ alert, facts, now }: Card): Card {
  const worst = facts.worst ?? null;
  if (worst === null) {
    // The limits of an earlier release may be those of another tier.
    return { alert, facts: alert.downgradedAt === null ? facts : { ...facts, limits: null }, now };
  }
  const lowest = extreme(facts.lowest, worst.lowest, Math.min);
  const highest = extreme(facts.highest, worst.highest, Math.max);
  return { alert: { ...alert, rule: worst.rule }, facts: { ...facts, limits: worst.limits, lowest, highest }, now };
}

/** Returns whether the alert keeps its name from a rule that is more urgent than the one that is active now. */
function isMilderNow({ alert: { rule, conditionPriority: priority }, facts: { worst = null } }: Card): boolean {
  return worst !== null && isMoreUrgentRule(worst, { rule, priority });
}

function wordsOf(card: Card): Words {
  const { rule, parameter } = card.alert;
  const [place, read, colour] = rule.split('.');
  const ofHome = place === 'home' ? spotParameters.find((known) => known === read) : undefined;
  if (ofHome !== undefined) {
    return ofReading(card, ofHome, colour);
  }
  // A rule of an earlier release.
  return isKnown(rule)
    ? rules[rule](card)
    : { active: [parameterLabels[parameter], alertSince(card)], what: parameterLabels[parameter] };
}

const isKnown = (rule: string): rule is keyof typeof rules => Object.hasOwn(rules, rule);

const rules: Record<Exclude<RuleId, HomeRuleId>, (card: Card) => Words> = {
  'spo2.desat': ofValue,
  'spo2.low': ofValue,
  'spo2.below': ofValue,
  'spo2.disagree': ofDisagreement,
  'spo2.over_o2': ofValue,
  'spo2.mild': ofValue,
  'spo2.over_o2_lo': ofValue,
  'spo2.drop': ofTrend('below'),
  'hr.extreme': ofValue,
  'hr.high': ofValue,
  'hr.low': ofValue,
  'hr.fast': ofValue,
  'hr.jump': ofTrend('away from'),
  'signal.poor': ofSignal,
  'signal.perfusion': ofValue,
  'news2.unresponsive': ofConsciousness,
  'news2.extremeRespiratoryRate': ofExtreme('respiratoryRate'),
  'news2.extremeSystolic': ofExtreme('systolic'),
  'news2.extremeTemperature': ofExtreme('temperature'),
  'news2.high': ofScore('news2.high'),
  'news2.aggregate': ofScore('news2.aggregate'),
  'news2.consciousness': ofConsciousness,
  'news2.respiratoryRate': ofScorePart('respiratoryRate'),
  'news2.systolic': ofScorePart('systolic'),
  'news2.temperature': ofScorePart('temperature'),
  'symptoms.red_flag': ofRedFlag,
  'symptoms.amber': ofAmber,
  'symptoms.callRequested': (card) => {
    const what = 'Call requested from home';
    const at = card.alert.condition === 'active' ? `asked at ${clock(card, card.alert.since)}` : null;
    return { active: [what, at], what };
  },
  'outOfReach.violation': ofOutOfReach,
  'readings.missed': ofReadings('A reading is missing'),
  'readings.silent': ofReadings('No readings'),
  'reporting.short': ofSilence('data'),
  'reporting.medium': ofSilence('data'),
  'reporting.long': ofSilence('data', { isOrdered: true }),
  'sensor.short': ofSilence('signal'),
  'sensor.off': ofSilence('signal'),
  'sensor.long': ofSilence('signal', { isOrdered: true }),
  'sensor.poor': ofPoorSignal,
  'sensor.unreliable': (card) => {
    const what = 'Unreliable signal';
    return { active: [what, 'valid less than half of the time', alertSince(card)], what };
  },
  'sensor.unstated': ofEvent('Device stopped stating the signal quality'),
  'gateway.silent': ofGateway,
  'gateway.long': ofGateway,
  'battery.low': ofBattery('Battery low'),
  'battery.empty': ofBattery('Battery nearly empty'),
  'clock.off': ofClock,
  'monitor.identity': ofMonitor('Patient of this monitor does not match', 'check name and number on the monitor'),
  'monitor.authority': ofMonitor(
    'MR number of an authority that the site does not list',
    'an administrator has to compare the list at Admin, Site',
  ),
  'monitor.patient': ofMonitor(
    'Sends for a patient who is not its own',
    'assign the device to its patient, or confirm it as a gateway',
  ),
  'monitor.unconfirmed': ofMonitor(
    'Gateway not confirmed',
    'two persons confirm it at Admin, Devices; else its values will be refused',
  ),
  'monitor.training': ofMonitor('Monitor in training or demo mode', 'end that mode if a patient is on the monitor'),
  'monitor.clock': ofMonitor('Times of this monitor more than a day off', 'set its clock'),
  'monitor.undecided': ofEvent(
    'MRN alone is enough for the values of this sender',
    'two people decide that at Admin, Interfaces',
  ),
  'monitor.none': ofEvent('No monitor is assigned after the discharge was taken back'),
  'standby.renewed': ofStandby,
  'standby.moved': ofEvent('Standby ended by move'),
  'limits.none': () => ({ active: ['No rate limits set'], what: 'No rate limits set' }),
  'handoff.unreceived': ofEvent('Handoff not received'),
  'checkIn.locked': ofEvent(
    'Check-in link locked after too many wrong years of birth',
    'call the patient, make a new link',
  ),
  'checkIn.misused': ofEvent(
    'Check-in link misused: more than 20 check-ins in an hour',
    'call the patient, revoke the link',
  ),
  'report.s1': ofEvent('Issue report: monitoring lost or wrong patient data', 'check the patients'),
  'rules.failed': ofEvent('Rules failed for this patient', 'alerts may be missing'),
  'rules.failed_device': ofEvent('Rules failed for this device', 'alerts may be missing'),
  'record.unreadable': ofEvent('Alert could not be read', 'check the patient'),
  'clock.stepped': ofServerClock,
  'clock.steppedFar': ofServerClock,
  'clock.doubted': ofEvent('Server clock may be wrong by more than a day', 'an administrator has to look at it'),
  'server.fault': ofEvent('Server ended by a fault and was started again', 'check that values arrive'),
  'hl7.refused': ofEvent('Gateways cannot connect', 'look at the monitors, call the operator'),
  'hl7.strangers': ofEvent('Unknown senders fill the HL7 port', 'call the operator'),
  'disk.low': ofEvent('Disk of the server nearly full', 'call the operator'),
};

/** The kind that is shown for a parameter if no value determines it. */
const kindOf = { spo2: 'spo2', rate: 'heartRate', perfusion: 'perfusionIndex' } as const satisfies Partial<
  Record<Parameter, VitalKind>
>;

function isOfValues(parameter: Parameter): parameter is keyof typeof kindOf {
  return Object.hasOwn(kindOf, parameter);
}

/** Of a monitor whose values are refused, with what a person at the bed can do. */
function ofMonitor(what: string, act: string): (card: Card) => Words {
  return ofEvent(what, `what does not fit is in no chart: ${act}`);
}

/** What happened, since when it is an alert, and what to do or to know. */
function ofEvent(what: string, toDo: string | null = null): (card: Card) => Words {
  return (card) => ({ active: [what, alertSince(card), toDo], what });
}

/** The extremes of values that came late: "While out of reach: lowest SpO2 72 % at 12:40" (section 00, A7). */
function ofOutOfReach(card: Card): Words {
  const named = card.facts.samples.map(
    ({ side, measuredAt, ...value }) =>
      `${side === 'high' ? 'highest' : 'lowest'} ${valueOf(value)} at ${clock(card, measuredAt)}`,
  );
  const what = `While out of reach: ${named.length === 0 ? 'values were corrected' : named.join(' and ')}`;
  return { active: [what], what };
}

function ofValue(card: Card): Words {
  const { alert, facts } = card;
  const { parameter } = alert;
  const name = parameterLabels[parameter];
  if (!isOfValues(parameter)) {
    return { active: [name, alertSince(card)], what: name };
  }
  const present = facts.newest?.freshness === 'off' ? null : facts.newest;
  const limit = violatedLimit(facts, present?.value ?? null);
  const isHigh = limit?.is === 'atLeast';
  const kind = present?.kind ?? kindOf[parameter];
  const isMilder = isMilderNow(card);
  const named = isMilder ? explained(card) : card;
  const both = extremesOf(named.facts, kind);
  const namedLimit = isMilder ? violatedLimit(named.facts, null) : limit;
  const worst = both ?? (namedLimit === null ? null : worstOf(named.facts, namedLimit, kind));
  const limitPart = namedLimit === null ? null : `limit ${limitText(namedLimit)}`;
  const after = [worst, limitPart];
  const what = ruleName(named.alert.rule, both === null ? namedLimit : null);
  const single = facts.isConfirmed === false ? 'first reading, not confirmed' : null;
  const doubtful = present?.isDoubtful === true ? 'signal questionable' : null;
  const doubt = single === null || doubtful === null ? (single ?? doubtful) : `${single}, ${doubtful}`;
  if (present === null) {
    return { active: [what, worst, limitPart, 'no value now', single, alertSince(card)], what, after };
  }
  const before = isMilder ? [`${what} before`, worst, limitPart] : null;
  const shown = `${valueOf(present)}${beside(facts)}`;
  const reading = readingTime(card, present);
  if (limit === null || !isBeyond(limit, present.value)) {
    const clear = limit === null ? null : clearLimit(facts, limit);
    const isCleared = clear === null || isBeyond(clear, present.value);
    const head = isCleared
      ? `${shown}${reading ?? momentOf(card, present)}`
      : `${shown}${reading ?? ''}, clears at ${clear.value}`;
    // A number that is well again is still marked: the hold runs, which takes certain values of a monitor.
    const isCertain = reading === null && present.freshness !== 'stale' && doubt === null;
    const isBack = clear !== null && isCleared && isCertain;
    const holds = isBack ? 'ends if it stays so' : null;
    // The limit comes first: where there is little room, the end of the sentence is cut.
    const parts = [head, ...(before ?? [worst, limitPart]), doubt, alertSince(card), holds];
    return { active: parts, what, after, isRecovering: isBack };
  }
  const oxygen = parameter === 'spo2' && isHigh ? ' on oxygen' : '';
  const length = facts.isConfirmed === false ? '' : lengthOf(card);
  const wasWorse = isHigh
    ? (facts.highest ?? present.value) > present.value
    : (facts.lowest ?? present.value) < present.value;
  const lasts = reading ?? length;
  const flat =
    typeof facts.pulse === 'number' ? `ECG 0${lasts}, but pulse ${facts.pulse}: check the leads` : `Asystole${lasts}`;
  const isFlat = kind === 'heartRate' && present.value === 0;
  const active = [
    isFlat ? flat : `${shown}${oxygen} ${limitText(limit)}${lasts}`,
    doubt,
    ...(before ?? [wasWorse ? worst : both]),
    wasBefore(card, present.kind),
  ];
  return { active, what, after };
}

function ofDisagreement(card: Card): Words {
  const { alert, facts } = explained(card);
  const what = ruleName(card.alert.rule);
  const { newest } = card.facts;
  const limit = violatedLimit(facts, null);
  const before = [`${ruleName(alert.rule)} before`, limit === null ? null : worstOf(facts, limit, 'spo2')];
  const shown = newest === null ? null : `${valueOf(newest)}${beside(card.facts)}`;
  return { active: [what, shown, ...(isMilderNow(card) ? before : []), alertSince(card)], what };
}

/** " at 14:05" for a single value, which says nothing about the time since then; null for one of a monitor. */
function readingTime(card: Card, { isSingle, at }: NonNullable<SentenceFacts['newest']>): string | null {
  return isSingle === true ? ` at ${clock(card, at)}` : null;
}

/** " now"; " at 14:05" for a value that the screen marks as stale. */
function momentOf(card: Card, { freshness, at }: NonNullable<SentenceFacts['newest']>): string {
  return freshness === 'stale' ? ` at ${clock(card, at)}` : ' now';
}

/** "PR 30 /min (ECG 80)": the ECG sees another rate. "SpO2 75 % (oximeter)": the assigned device has none. */
function beside({ ecg = null, newest }: SentenceFacts): string {
  const other = newest?.other === undefined ? undefined : `other sensor ${newest.other}`;
  const known = [newest?.source, ecg === null ? undefined : `ECG ${ecg}`, other];
  const words = known.filter((word) => word !== undefined);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** Returns the worst value on the side of a limit; null if it is unknown, or of another source and within the limit. */
function worstOf({ lowest, highest }: SentenceFacts, limit: Limit, kind: VitalKind): string | null {
  const { is } = limit;
  const worst = is === 'atLeast' ? highest : lowest;
  return worst === null || !isBeyond(limit, worst)
    ? null
    : `${is === 'atLeast' ? 'highest' : 'lowest'} ${formatVital(kind, worst)}`;
}

/** Returns both extremes if each is beyond a limit (clinical.md section 0, E9); otherwise null. */
function extremesOf({ limits, lowest, highest }: SentenceFacts, kind: VitalKind): string | null {
  const beyond = (limits?.raise ?? []).filter((limit) => {
    const extreme = limit.is === 'atLeast' ? highest : lowest;
    return extreme !== null && isBeyond(limit, extreme);
  });
  return beyond.length < 2 || lowest === null || highest === null
    ? null
    : `lowest ${formatVital(kind, lowest)}, highest ${formatVital(kind, highest)}`;
}

/** Returns the value from which on a condition on the side of `limit` ends, or null. */
function clearLimit({ limits }: SentenceFacts, { is }: Limit): Limit | null {
  return (limits?.clear ?? []).find((clear) => (clear.is === 'atLeast') !== (is === 'atLeast')) ?? null;
}

/** Returns the limit that the value is beyond, or the only limit, or the only one that the extremes are beyond. */
function violatedLimit({ limits, lowest, highest }: SentenceFacts, value: number | null): Limit | null {
  const raise = limits?.raise ?? [];
  const beyond = (values: readonly (number | null)[]): Limit[] =>
    raise.filter((limit) => values.some((one) => one !== null && isBeyond(limit, one)));
  const [now = null] = beyond([value]);
  if (now !== null) {
    return now;
  }
  const candidates = raise.length === 1 ? raise : beyond([lowest, highest]);
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

/** Returns the last certain value well within the limits before the alert was raised. */
function wasBefore(card: Card, kind: VitalKind): string | null {
  const clear = card.facts.limits?.clear ?? [];
  const isWell = (value: number): boolean => clear.length > 0 && isBeyondAll(clear, value);
  const before = card.facts.samples.find(
    (sample) =>
      sample.kind === kind && !sample.isDoubtful && sample.measuredAt < card.alert.ruleRaisedAt && isWell(sample.value),
  );
  return before === undefined ? null : `was ${formatVital(kind, before.value)} at ${clock(card, before.measuredAt)}`;
}

function ofTrend(where: string): (card: Card) => Words {
  return (card) => {
    const { alert, facts } = card;
    const name = parameterLabels[alert.parameter];
    const what = `${name} over 15 min ${where} the median of 24 h`;
    const { medians = null, newest } = facts;
    const kind = newest?.kind ?? null;
    const active =
      medians === null || kind === null
        ? what
        : `${name} ${medians.recent < medians.day ? 'down' : 'up'}: median ${formatVital(kind, medians.recent)} ` +
          `over 15 min, ${formatVital(kind, medians.day)} over 24 h`;
    const present = newest === null || newest.freshness === 'off' ? null : newest;
    const shown = present === null ? null : `${withUnit(present)}${momentOf(card, present)}`;
    return { active: [active, shown, alertSince(card)], what };
  };
}

function ofSignal(card: Card): Words {
  return ofEvent(`${parameterLabels[card.alert.parameter]} doubtful`)(card);
}

function ofRedFlag(card: Card): Words {
  const flags = card.facts.report?.redFlags ?? [];
  const named = flags.length === 0 ? null : `Red flag: ${flags.map((flag) => redFlags[flag]).join('; ')}`;
  const words = ofReport(card, named, 'Red flag');
  // It stays until a person ends it (clinical.md section 0, Y1), who has to know that.
  const error = card.facts.report?.isInError === true ? 'entered in error: resolve it to end it' : null;
  return { ...words, active: [...words.active, error] };
}

function ofAmber(card: Card): Words {
  const { changes = [], isWorse = false } = card.facts.report ?? {};
  const [first, ...others] = changes.map(({ symptom, is }) => {
    const { label } = symptoms[symptom];
    return is === 'new' ? `New ${label.toLowerCase()}` : `${label} worse`;
  });
  const all = first === undefined ? null : [first, ...others.map((name) => name.toLowerCase())].join(', ');
  const named = !isWorse ? all : all === null ? 'Symptoms worse than yesterday' : `Worse than yesterday: ${all}`;
  return ofReport(card, named, 'New or worse symptoms');
}

/** `named` says what was reported, and comes first: where there is little room, the end of a sentence is cut. */
function ofReport(card: Card, named: string | null, name: string): Words {
  const { report = null } = card.facts;
  const reported = report === null ? 'reported' : `reported at ${clock(card, report.at)}`;
  return named === null
    ? { active: [`${name} ${reported}`], what: `${name} ${reported}` }
    : { active: [named, reported], what: `${named}, ${reported}` };
}

function ofReadings(name: string): (card: Card) => Words {
  return (card) => {
    const { newest } = card.facts;
    return {
      active: [name, newest === null ? null : `last one at ${clock(card, newest.at)}`],
      what: 'Readings missing',
    };
  };
}

/** A reading at home says how bad it is and, if a second one is asked for, whether it is confirmed. */
function ofReading(card: Card, parameter: SpotParameter, colour: string | undefined): Words {
  const { newest, isConfirmed = null } = card.facts;
  const { recheck }: SpotRule = spotRules[parameter];
  const shade = colour === 'red' || colour === 'amber' ? colour : 'raised';
  const confirmed = recheck === null || isConfirmed === null ? null : isConfirmed ? 'confirmed' : 'not confirmed yet';
  if (parameter === 'weight') {
    return ofWeight(card, shade);
  }
  const what = `${parameterLabels[parameter]} reading ${shade}`;
  const limit = violatedLimit(card.facts, newest?.value ?? null);
  const limitPart = limit === null ? null : `limit ${limitText(limit)}`;
  const kind = newest?.kind ?? (parameter === 'rate' ? 'pulseRate' : parameter);
  const late = lateReading(card);
  const after = [limit === null ? null : worstOf(card.facts, limit, kind), limitPart, late];
  if (newest === null) {
    return { active: [what, confirmed, limitPart, late], what, after };
  }
  // A value can be below the patient's own baseline without being beyond a limit.
  const isBeyondIt = limit !== null && isBeyond(limit, newest.value);
  // A better reading does not end a tier at once (section 0, S3): the card says what it rests on.
  const { lowest, highest } = card.facts;
  const isExtremeBeyond = limit !== null && [lowest, highest].some((one) => one !== null && isBeyond(limit, one));
  const rest = !isBeyondIt && isExtremeBeyond ? worstOf(card.facts, limit, kind) : null;
  const isLate = late !== null && card.facts.samples.some(({ measuredAt }) => measuredAt === newest.at);
  const value = `${valueOf(newest)}${isBeyondIt ? ` ${limitText(limit)}` : ''}`;
  const head = isLate ? `${value} ${late}` : readAt(card, newest, isBeyondIt ? limit : null);
  return { active: [head, shade, confirmed, rest, isLate ? null : late], what, after };
}

/** "taken at 08:00, arrived at 13:05": a phone kept the reading that raised the alert. Null: it came in time. */
function lateReading(card: Card): string | null {
  const late = card.facts.samples.find(({ arrivedAt }) => arrivedAt !== undefined);
  return late?.arrivedAt === undefined
    ? null
    : `taken at ${clock(card, late.measuredAt)}, arrived at ${clock(card, late.arrivedAt)}`;
}

function ofWeight(card: Card, shade: string): Words {
  const { newest, samples } = card.facts;
  const gain = gainOf(samples);
  const up = `up${gain === null ? '' : ` ${gain.toFixed(1)} kg`} within three days`;
  const what = `Weight ${up}`;
  return { active: newest === null ? [what, shade] : [readAt(card, newest), up, shade], what };
}

function readAt(card: Card, newest: NonNullable<SentenceFacts['newest']>, limit: Limit | null = null): string {
  return `${valueOf(newest)}${limit === null ? '' : ` ${limitText(limit)}`} at ${clock(card, newest.at)}`;
}

/** Returns how much the newest weight exceeds the lowest one of three days, in kg; null if it does not. */
function gainOf(samples: Evidence['samples']): number | null {
  const [last, ...earlier] = samples.filter(({ kind }) => kind === 'weight');
  const counted =
    last === undefined ? [] : earlier.filter(({ measuredAt }) => last.measuredAt - measuredAt <= gainWithinMs);
  if (last === undefined || counted.length === 0) {
    return null;
  }
  const gain = roundVital('weight', last.value - Math.min(...counted.map(({ value }) => value)));
  return gain > 0 ? gain : null;
}
