import { kinds } from '../vitals/kinds';
import { formatVital } from '../vitals/roundVital';
import { isBeyond, type Limit } from './limit';
import { news2Rules } from './news2Rules';
import { ruleName } from './ruleNames';
import { alertSince, lengthOf, limitText, type Card, type Words } from './sentenceParts';

/** Returns the words for a score that is too high as a sum. */
export function ofScore(rule: 'news2.high' | 'news2.aggregate'): (card: Card) => Words {
  return (card) => {
    const { facts } = card;
    const limit: Limit = facts.limits?.raise[0] ?? news2Rules[rule].limits.raise[0];
    const limitPart = `limit ${limitText(limit)}`;
    const what = 'NEWS2 high';
    const highest = facts.highest === null ? null : `highest at least ${facts.highest}`;
    const after = [highest, limitPart];
    const news2 = facts.news2 ?? null;
    if (news2 === null) {
      return { active: [what, alertSince(card), ...after], what, after };
    }
    const [least] = news2.range;
    const score = `NEWS2 ${news2.complete ? '' : 'at least '}${least}`;
    const worst = facts.highest === null || facts.highest <= least ? null : highest;
    const active = isBeyond(limit, least)
      ? [`${score} ${limitText(limit)}${isFirst(card) ? '' : lengthOf(card)}`, firstSet(card), worst]
      : [`${score} now`, alertSince(card), ...after];
    return { active, what, after };
  };
}

/** Returns the words for one part of the score that has three points by itself. */
export function ofScorePart(kind: 'respiratoryRate' | 'systolic' | 'temperature'): (card: Card) => Words {
  return (card) => {
    const { label, unit } = kinds[kind];
    const part = card.facts.news2?.parts[kind];
    const what = `${label} scores 3 in NEWS2`;
    const now = typeof part?.value === 'number' ? `${label} ${formatVital(kind, part.value)} ${unit}` : null;
    const points = now === null ? [what] : [now, pointsOf(part?.points)];
    return { active: [...points, firstSet(card), alertSince(card)], what };
  };
}

/** Returns the words for one value that is enough by itself. */
export function ofExtreme(kind: 'respiratoryRate' | 'systolic' | 'temperature'): (card: Card) => Words {
  return (card) => {
    const { label, unit } = kinds[kind];
    const { limits, news2 } = card.facts;
    const value = news2?.parts[kind]?.value;
    const raise = limits?.raise ?? [];
    const what = ruleName(card.alert.rule);
    const limitPart = raise.length === 0 ? null : `limit ${raise.map(limitText).join(' or ')}`;
    if (typeof value !== 'number') {
      return { active: [what, 'no value now', firstSet(card), alertSince(card), limitPart], what, after: [limitPart] };
    }
    const violated = raise.find((limit) => isBeyond(limit, value));
    const now = `${label} ${formatVital(kind, value)} ${unit}`;
    const active = violated === undefined ? [`${now} now`, what, limitPart] : [`${now} ${limitText(violated)}`];
    return { active: [...active, firstSet(card), alertSince(card)], what, after: [limitPart] };
  };
}

const isFirst = ({ facts }: Card): boolean => facts.isConfirmed === false;

/** One save has raised it, and no second one has confirmed it yet (clinical.md section 00, A5). */
const firstSet = (card: Card): string | null => (isFirst(card) ? 'first set, not confirmed' : null);

/** Returns the words for a patient who is not alert. */
export function ofConsciousness(card: Card): Words {
  const part = card.facts.news2?.parts.consciousness;
  const what = 'Not alert (ACVPU)';
  const now = part === undefined ? what : `Consciousness ${part.value}`;
  return { active: [now, part === undefined ? null : pointsOf(part.points), firstSet(card), alertSince(card)], what };
}

function pointsOf(points: number | null | undefined): string {
  return `${points ?? 0} ${points === 1 ? 'point' : 'points'} in NEWS2`;
}
