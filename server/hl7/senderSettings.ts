import { proposedAnswers, proposedTexts } from '../../lib/hl7/seenStructure';
import { senderSettings, unanswered, versionOne, type SenderSettings } from '../../lib/hl7/senderSettings';
import type { ProposedSettings, SenderSettingsResponse } from '../../lib/interfaces/schema';
import { readJson } from '../../lib/readJson';
import type { EpochMs } from '../../lib/time/epochMs';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { Store } from '../db/open';
import type { SenderRow } from '../db/rows';
import { invalid, notFound } from '../http/httpError';
import { changedMeanwhile, decide, propose, readProposals, wantedOf, type By } from '../proposals/proposals';
import type { Senders } from './senders';

interface Parts {
  store: Pick<Store, 'db'>;
  hl7: { senders: Pick<Senders, 'ofSite' | 'put' | 'stateOf'> };
}

/** Rows are never changed, only replaced; each message of a sender asks. */
const known = new WeakMap<SenderRow, SenderSettings>();

/** Returns what holds for a sender. Settings that cannot be read are those of one that no one has answered about. */
export function settingsOf(sender: SenderRow): SenderSettings {
  const before = known.get(sender);
  if (before !== undefined) {
    return before;
  }
  const settings = readSettings(sender);
  known.set(sender, settings);
  return settings;
}

function readSettings({ settings, zero_is_no_signal, quarantine_is_accepted }: SenderRow): SenderSettings {
  if (settings !== null) {
    return readJson(senderSettings, settings) ?? unanswered;
  }
  const { partly, wholly } = versionOne.quarantine;
  return {
    ...versionOne,
    isZeroRateNoSignal: zero_is_no_signal === 1,
    quarantine: { partly, wholly: quarantine_is_accepted === 1 ? 'AA' : wholly },
  };
}

/** Resolves with the settings of a site's senders in use, and what is proposed, for a user of the site. */
export async function listSettings(
  { store, hl7 }: Parts,
  user: By['user'],
  now: EpochMs,
): Promise<SenderSettingsResponse> {
  const proposals = await readProposals(store.db, user, 'sender', now);
  const items = hl7.senders.ofSite(user.siteId).map((sender) => {
    const { seen } = hl7.senders.stateOf(sender.id);
    const settings = settingsOf(sender);
    const texts = proposedTexts(settings, seen);
    const open = proposals.find(({ row, shown }) => row.object_id === sender.id && shown.state === 'proposed');
    const wanted = open === undefined ? null : readJson(senderSettings, open.row.wanted);
    return {
      ...{ id: sender.id, name: sender.name, version: sender.settings_version, settings, seen },
      since: instantOrNull(sender.settings_at),
      suggested: sender.settings_version === 0 ? proposedAnswers(seen) : { ...settings, texts },
      proposal:
        open === undefined || wanted === null
          ? null
          : {
              ...{ id: open.row.id, wanted, by: open.shown.proposedBy, at: toInstant(open.row.proposed_at) },
              ...{ canConfirm: open.shown.canApprove, canReject: open.shown.canReject },
            },
    };
  });
  return { items, total: items.length };
}

/**
 * Proposes settings of a sender, which hold once a second person confirms them, and resolves with the proposal's id.
 * Rejects with 404 if the site has no such sender in use, with 409 `changed_meanwhile` if others hold than those that
 * the user has seen, with 422 if a number alone or any text is to be taken and was not before, and as `propose` does.
 */
export async function proposeSettings(
  { store }: Parts,
  by: By,
  senderId: number,
  { basedOn, settings }: ProposedSettings,
): Promise<number> {
  const subject = { kind: 'sender', object_id: senderId, about: 'settings' } as const;
  return await propose(store.db, by, subject, async (transaction) => {
    const sender = await transaction
      .selectFrom('hl7_senders')
      .selectAll()
      .where('id', '=', senderId)
      .where('site_id', '=', by.user.siteId)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow(notFound);
    const held = settingsOf(sender);
    if (sender.settings_version !== basedOn) {
      throw changedMeanwhile(`version ${sender.settings_version} holds`);
    }
    if (settings.beside === 'asSent' && held.beside !== 'asSent') {
      throw invalid({ beside: 'a number alone says not whose a value is' });
    }
    if (settings.texts === null && held.texts !== null) {
      throw invalid({ texts: 'have to be a list' });
    }
    return { held, wanted: settings, basedOn };
  });
}

/**
 * Confirms or rejects proposed settings: they hold from the next message of the sender on, and what was quarantined is
 * read again by them (`settings_replay`). Rejects as `decide`.
 */
export async function decideSettings({ store, hl7 }: Parts, by: By, id: number, approves: boolean): Promise<void> {
  const sender = await decide(store.db, by, ['sender', id], { approves }, async (transaction, proposal) => {
    if (!approves) {
      return undefined;
    }
    const before = proposal.based_on ?? 0;
    const settings = JSON.stringify(wantedOf(senderSettings, proposal));
    const changed = await transaction
      .updateTable('hl7_senders')
      .set({ settings, settings_version: before + 1, settings_at: by.now, settings_replay: '' })
      .where('id', '=', proposal.object_id)
      .where('site_id', '=', by.user.siteId)
      .where('settings_version', '=', before)
      .where('revoked_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (changed === undefined) {
      throw changedMeanwhile('the sender is revoked, or has other settings');
    }
    return changed;
  });
  if (sender !== undefined) {
    hl7.senders.put(sender);
  }
}
