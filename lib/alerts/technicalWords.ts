import { formatOffset } from '../time/formatTime';
import { zoneLag } from '../vitals/deviceClock';
import { kinds } from '../vitals/kinds';
import { alertSince, clock, oftenText, withUnit, type Card, type Words } from './sentenceParts';

/**
 * For values that do not come (`data`), or whose device says that it measures nothing (`signal`): the words of the
 * lists and charts. `isOrdered`: the patient must be monitored without a gap.
 */
export function ofSilence(
  missing: 'data' | 'signal',
  { isOrdered = false }: { isOrdered?: boolean } = {},
): (card: Card) => Words {
  return (card) => {
    const { newest } = card.facts;
    const name = newest === null ? '' : `${kinds[newest.kind].label} `;
    const what = `No ${name}${missing}`;
    const ordered = isOrdered ? ' (continuous monitoring ordered)' : '';
    return newest === null || newest.freshness !== 'off'
      ? { active: [what, `${alertSince(card)}${ordered}`], what }
      : { active: [`${what} since ${clock(card, newest.at)}${ordered}`, `last ${withUnit(newest)}`], what };
  };
}

/** For a signal that raises alerts about the patient again and again. */
export function ofPoorSignal(card: Card): Words {
  const { poor = null } = card.facts;
  const often = poor === null ? '' : `, ${oftenText(poor)}`;
  return { active: [`Poor signal${often}: check the probe`, alertSince(card)], what: 'Poor signal' };
}

/** For a gateway that sends nothing. */
export function ofGateway(card: Card): Words {
  const lastSeenAt = card.facts.device?.lastSeenAt ?? null;
  const what = 'Gateway silent';
  const since = lastSeenAt === null ? [what, alertSince(card)] : [`${what} since ${clock(card, lastSeenAt)}`];
  return { active: [...since, 'nothing comes from its patients'], what };
}

/** For a battery that gets low, with what is left. */
export function ofBattery(name: string): (card: Card) => Words {
  return ({ facts }) => {
    const percent = facts.device?.battery?.percent ?? null;
    const minutes = facts.device?.battery?.minutesLeft ?? null;
    const parts = [percent === null ? null : `${percent} %`, minutes === null ? null : `${minutes} min left`].filter(
      (part) => part !== null,
    );
    return { active: parts.length === 0 ? [name] : [`${name}: ${parts.join(', ')}`], what: name };
  };
}

/** For a device's clock that is wrong. If that may be its zone, a person has to say. */
export function ofClock({ facts }: Card): Words {
  const offsetMs = facts.device?.offsetMs ?? null;
  const what = 'Device clock wrong';
  if (offsetMs === null) {
    return { active: [what], what };
  }
  const minutes = Math.abs(zoneLag(offsetMs) ?? 0) / 60_000;
  const zone = `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
  const [off, question] = minutes === 0 ? [formatOffset(offsetMs), ''] : [zone, ': is its time zone right?'];
  return { active: [`Device clock ${off} ${offsetMs > 0 ? 'behind' : 'ahead'}${question}`], what };
}

/** For a standby that was renewed. */
export function ofStandby(card: Card): Words {
  const standby = card.facts.standby ?? null;
  const what = 'Standby renewed';
  const active = standby === null ? what : `${what} by ${standby.by} until ${clock(card, standby.until)}`;
  return { active: [active], what };
}

/** For a step of the server's clock. */
export function ofServerClock({ facts }: Card): Words {
  const jumpedMs = facts.device?.offsetMs ?? null;
  const what = 'Server clock was set';
  const by = jumpedMs === null ? '' : ` ${jumpedMs > 0 ? 'forward' : 'back'} by ${formatOffset(jumpedMs)}`;
  return { active: [`${what}${by}`, 'check the times of entries around it'], what };
}
