import { recipientsOf, type EscalationStep, type Recipients } from '../../lib/alerts/escalation';
import { defaultBounds } from '../../lib/alerts/limits';
import { canHold } from '../../lib/assignments/canHold';
import { holders } from '../../lib/assignments/holders';
import type { EpochMs } from '../../lib/time/epochMs';
import { readPeople, type Person } from '../assignments/queries';
import { shiftOf } from '../assignments/shiftOf';
import type { PatientRow } from '../db/rows';
import type { Store } from '../db/open';
import type { LiveState } from '../liveState';
import { heartbeatSite } from './heartbeatPatient';
import { readHolding, type Holding } from './holding';
import { readSites, type RuleSite } from './loadRuleStates';
import type { PatientRuleState } from './patientRuleState';
import type { Subject } from './subject';

export interface AlertsParts {
  store: Store;
  liveState: LiveState;
  /** Epoch milliseconds. */
  now: () => EpochMs;
}

const noHolding: Holding = {
  limits: {},
  ownLimits: {},
  bounds: defaultBounds,
  standby: null,
  comfortCare: null,
  timeZone: 'UTC',
};
/** How often the users of all sites are read again, in milliseconds. */
const peopleEveryMs = 10_000;

/** What alerts need to know beside values, in memory: the sites, the users, and the settings of patients. */
export class PeopleAndSites {
  private people = new Map<number, Map<number, Person>>();
  private peopleAt = -Infinity;

  private constructor(
    private readonly parts: AlertsParts,
    private sites: Map<number, RuleSite>,
    private holdings: Map<number, Holding>,
  ) {}

  static async load(parts: AlertsParts): Promise<PeopleAndSites> {
    const { store, liveState } = parts;
    return new PeopleAndSites(
      parts,
      await readSites(store.db),
      await readHolding(store.db, [...liveState.patients.values()]),
    );
  }

  rulesAreOn(siteId: number): boolean {
    return this.sites.get(siteId)?.rulesAreOn ?? false;
  }

  holdingOf(patientId: number): Holding {
    return this.holdings.get(patientId) ?? noHolding;
  }

  timeZoneOf(siteId: number): string {
    return this.sites.get(siteId)?.timeZone ?? 'UTC';
  }

  /**
   * Returns from when on the rules raise alerts for a patient: not before the site's rules were on or the patient was
   * here. Epoch milliseconds.
   */
  raisesFrom({ row, resetAt }: PatientRuleState): EpochMs {
    return Math.max(row.created_at, this.sites.get(row.site_id)?.rulesSince ?? Infinity, resetAt.readings ?? 0);
  }

  /** Returns the people whom a step asks at `at` (epoch milliseconds). */
  recipientsOf(subject: Subject, step: EscalationStep, at: EpochMs): Recipients {
    const { liveState } = this.parts;
    const row = subject.patientId === null ? undefined : liveState.patients.get(subject.patientId);
    const unit = row === undefined ? null : liveState.unitOf(row);
    const site = this.sites.get(subject.siteId);
    if (unit === null || site === undefined) {
      return recipientsOf(step, []);
    }
    const held = holders(liveState.assignmentsOf(unit.id), shiftOf(site, 'current', at).start);
    const ofSubject = held.filter(({ patientId }) => patientId === null || patientId === subject.patientId);
    const known = this.people.get(subject.siteId);
    return recipientsOf(
      step,
      ofSubject.map(({ role, userId }) => {
        const person = userId === null ? undefined : known?.get(userId);
        return { role, userId: person?.isActive === true && canHold(role, person, unit.id) ? person.id : null };
      }),
    );
  }

  /** Reads the users of all sites again if it is due. */
  async readPeopleAgain(): Promise<void> {
    const { store, now } = this.parts;
    if (now() - this.peopleAt >= peopleEveryMs) {
      const found = new Map<number, Map<number, Person>>();
      for (const [siteId, site] of this.sites) {
        if (site.rulesAreOn && siteId !== heartbeatSite) {
          found.set(siteId, await readPeople(store, siteId));
        }
      }
      this.people = found;
      this.peopleAt = now();
    }
  }

  /** Reads the sites and the settings of all patients again; the users are due then. */
  async readSitesAgain(): Promise<void> {
    const { store, liveState } = this.parts;
    this.sites = await readSites(store.db);
    this.holdings = await readHolding(store.db, [...liveState.patients.values()]);
    this.peopleAt = -Infinity;
  }

  /** Reads the settings of a patient again. */
  async readHoldingAgain(row: PatientRow): Promise<void> {
    this.holdings.set(row.id, (await readHolding(this.parts.store.db, [row])).get(row.id) ?? noHolding);
  }
}
