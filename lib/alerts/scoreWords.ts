import { kinds } from '../vitals/kinds';
import { formatVital } from '../vitals/roundVital';
import { isBeyond, type Limit } from './limit';
import { news2Rules } from './news2Rules';
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
      ? [`${score} ${limitText(limit)}${lengthOf(card)}`, worst]
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
    return { active: now === null ? [what, alertSince(card)] : [now, pointsOf(part?.points), alertSince(card)], what };
  };
}

/** Returns the words for a patient who is not alert. */
export function ofConsciousness(card: Card): Words {
  const part = card.facts.news2?.parts.consciousness;
  const what = 'Not alert (ACVPU)';
  const now = part === undefined ? what : `Consciousness ${part.value}`;
  return { active: [now, part === undefined ? null : pointsOf(part.points), alertSince(card)], what };
}

function pointsOf(points: number | null | undefined): string {
  return `${points ?? 0} ${points === 1 ? 'point' : 'points'} in NEWS2`;
}
